/** Passkeys in the browser. What talks to the device is loaded when it is asked for. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { call, SpokenError } from '#web/lib/api.ts';

/** Browsers know them over https and on this machine only. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && window.isSecureContext;

/** Asks the device for a new passkey. Rejects with SpokenError. */
export async function makePasskey(options: unknown) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }).catch(
    (error: Error) => {
      // What the authenticator says of one that it has already, and only of that.
      if (error.name === 'InvalidStateError')
        throw new SpokenError('Dit apparaat heeft al een passkey voor dit account.');
      throw new SpokenError('Er is geen passkey gemaakt. Probeer het opnieuw.');
    },
  );
}

/** Asks the server what to show, and the device to show it. Rejects with ApiError or SpokenError. */
export const showPasskey = async () => answerPasskey(await call('POST /api/auth/passkey/options'));

/** Asks the device for what the server wants to see. Rejects with SpokenError. */
export async function answerPasskey(options: unknown) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }).catch(() => {
    throw new SpokenError('Er is geen passkey gekozen.');
  });
}
