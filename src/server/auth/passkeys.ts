import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { NewPasskey, PasskeyAssertion } from '#shared/contract/factors.ts';

export type Passkey = {
  /** In base64url. */
  readonly credentialId: string;
  /** In COSE format. */
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
};

/** Passkeys of this portal (WebAuthn relying party). */
export type Passkeys = {
  /**
   * Returns the options with which a browser creates a passkey. The device must verify the person by fingerprint or PIN, and store
   * the account with the passkey.
   */
  creationOptions(account: PasskeyOwner, existing: readonly Passkey[]): Promise<{ challenge: string }>;
  /** Verifies a created passkey. @returns undefined when it does not answer the challenge */
  verifyCreated(response: NewPasskey, challenge: string): Promise<Passkey | undefined>;
  /** Returns the options with which a browser presents a passkey: one out of `these`, or any that it has for this portal. */
  requestOptions(challenge: string, these?: readonly Passkey[]): Promise<{ challenge: string }>;
  /** Returns the counter of a presented passkey; undefined when the signature, the passkey or the challenge is wrong. */
  verifyPresented(
    response: PasskeyAssertion,
    challenge: string,
    passkey: Passkey,
  ): Promise<number | undefined>;
};

export type PasskeyOwner = { readonly accountId: number; readonly createdAt: Date; readonly email: string };

/** COSE numbers of EdDSA, ES256 and RS256; every device supports one. Offering newer ones makes Node print warnings. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded at first use: most tests and commands never need it. */
const webAuthn = () => import('@simplewebauthn/server');

/** Opens the passkeys; undefined where browsers support none: over plain http except on localhost, and under an IP address. */
export function openPasskeys(publicUrl: string): Passkeys | undefined {
  const { protocol, hostname: rpID, origin } = new URL(publicUrl);
  const isLocal = rpID === 'localhost' || rpID.endsWith('.localhost');
  if ((protocol !== 'https:' && !isLocal) || isIP(rpID.replace(/^\[|\]$/g, ''))) return undefined;
  return {
    async creationOptions({ accountId, createdAt, email }, existing) {
      const { generateRegistrationOptions } = await webAuthn();
      return generateRegistrationOptions({
        rpName: 'Werkstroom',
        rpID,
        userName: email,
        // All passkeys of an account have the same user id, which does not reveal the account's name.
        userID: createHash('sha256').update(`${accountId} ${createdAt.toISOString()}`).digest(),
        excludeCredentials: existing.map(toDescriptor),
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    async verifyCreated(response, challenge) {
      const { verifyRegistrationResponse } = await webAuthn();
      const answer = await verifyRegistrationResponse({
        response: { ...(response as RegistrationResponseJSON), clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => undefined);
      if (!answer?.verified) return undefined;
      const { id, publicKey, counter, transports = [] } = answer.registrationInfo.credential;
      return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports };
    },

    async requestOptions(challenge, these) {
      const { generateAuthenticationOptions } = await webAuthn();
      return generateAuthenticationOptions({
        rpID,
        challenge: Buffer.from(challenge, 'base64url'),
        userVerification: 'required',
        ...(these && { allowCredentials: these.map(toDescriptor) }),
      });
    },

    async verifyPresented(response, challenge, { credentialId, publicKey }) {
      const { verifyAuthenticationResponse } = await webAuthn();
      const answer = await verifyAuthenticationResponse({
        response: { ...(response as AuthenticationResponseJSON), clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        // factors.store.ts compares the counter in the statement that stores it.
        credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
      }).catch(() => undefined);
      return answer?.verified ? answer.authenticationInfo.newCounter : undefined;
    },
  };
}

const toDescriptor = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  transports: [...transports],
});
