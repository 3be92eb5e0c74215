import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { NewPasskey, ShownPasskey } from '#shared/contract/factors.ts';

/** A passkey as it is stored. */
export type Passkey = {
  /** base64url. */
  readonly credentialId: string;
  /** COSE. */
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
};

/** Whose passkeys these are: this portal under its own name. */
export type Passkeys = {
  /** What a browser needs to make one. It must ask for a fingerprint or PIN, and know by itself whose it is. */
  creation(account: PasskeyOwner, existing: readonly Passkey[]): Promise<{ challenge: string }>;
  /** What a browser made. @returns undefined when it is not what was asked for */
  made(response: NewPasskey, challenge: string): Promise<Passkey | undefined>;
  /** What a browser needs to show one: of `these`, or any that it has of this portal. */
  request(challenge: string, these?: readonly Passkey[]): Promise<{ challenge: string }>;
  /** The counter of a passkey that was shown; undefined when it was not that one, or not for this challenge. */
  shown(response: ShownPasskey, challenge: string, passkey: Passkey): Promise<number | undefined>;
};

export type PasskeyOwner = { readonly accountId: number; readonly createdAt: Date; readonly email: string };

/** EdDSA, ES256, RS256 (COSE), which all devices have one of: to look for newer ones makes Node warn of itself. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded when the first one is asked for: most processes of tests and commands never do. */
const webAuthn = () => import('@simplewebauthn/server');

/** undefined where browsers know none: over plain http, this machine itself excepted, and under a bare IP address. */
export function openPasskeys(publicUrl: string): Passkeys | undefined {
  const { protocol, hostname: rpID, origin } = new URL(publicUrl);
  const isLocal = rpID === 'localhost' || rpID.endsWith('.localhost');
  if ((protocol !== 'https:' && !isLocal) || isIP(rpID.replace(/^\[|\]$/g, ''))) return undefined;
  return {
    async creation({ accountId, createdAt, email }, existing) {
      const { generateRegistrationOptions } = await webAuthn();
      return generateRegistrationOptions({
        rpName: 'Werkstroom',
        rpID,
        userName: email,
        // The same for all passkeys of an account, and nobody's name.
        userID: createHash('sha256').update(`${accountId} ${createdAt.toISOString()}`).digest(),
        excludeCredentials: existing.map(asDescriptor),
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    async made(response, challenge) {
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

    async request(challenge, these) {
      const { generateAuthenticationOptions } = await webAuthn();
      return generateAuthenticationOptions({
        rpID,
        challenge: Buffer.from(challenge, 'base64url'),
        userVerification: 'required',
        ...(these && { allowCredentials: these.map(asDescriptor) }),
      });
    },

    async shown(response, challenge, { credentialId, publicKey }) {
      const { verifyAuthenticationResponse } = await webAuthn();
      const answer = await verifyAuthenticationResponse({
        response: { ...(response as AuthenticationResponseJSON), clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        // The counter is compared where it is stored, together with what is noted of it (factors.store.ts).
        credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
      }).catch(() => undefined);
      return answer?.verified ? answer.authenticationInfo.newCounter : undefined;
    },
  };
}

const asDescriptor = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  transports: [...transports],
});
