/** Passkeys in the browser. The library that talks to the authenticator is loaded on first use. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { callApi, UserMessageError } from '#web/lib/api.ts';

/** Returns whether the browser offers passkeys: only over https and on localhost. */
export const supportsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && window.isSecureContext;

/** Creates a passkey on the device. Rejects with UserMessageError. */
export async function createPasskey(options: unknown) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }).catch(
    (error: Error) => {
      // InvalidStateError means that the authenticator already has a passkey for this account.
      if (error.name === 'InvalidStateError')
        throw new UserMessageError('Dit apparaat heeft al een passkey voor dit account.');
      throw new UserMessageError('Er is geen passkey gemaakt. Probeer het opnieuw.');
    },
  );
}

/** Returns the assertion of a passkey for signing in. Rejects with ApiError or UserMessageError. */
export const assertPasskeyForSignIn = async () =>
  assertPasskey(await callApi('POST /api/auth/passkey/options'));

/** Returns the assertion of a passkey for the server's options. Rejects with UserMessageError. */
export async function assertPasskey(options: unknown) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }).catch(() => {
    throw new UserMessageError('Er is geen passkey gekozen.');
  });
}
