import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, PasskeyAssertion } from '#shared/contract/factors.ts';

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** Flags of the authenticator data (WebAuthn, section 6.1): user present, user verified, attested key included. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

export type Authenticator = {
  readonly id: string;
  /** Signature counter of the next answer; a test sets it back to simulate a cloned authenticator. */
  counter: number;
  /** Whether it verifies the person by fingerprint or PIN. */
  verifies: boolean;
  make(challenge: string): NewPasskey;
  show(challenge: string): PasskeyAssertion;
};

/** Returns an authenticator with one passkey (ES256), which gives the answers that a browser would send (WebAuthn Level 3). */
export function makeAuthenticator(origin = 'http://localhost:3000', rpId = 'localhost'): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credential = randomBytes(32);
  const id = base64url(credential);
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
  const about = (flags: number, counter: number): Buffer => {
    const bytes = Buffer.alloc(37);
    sha256(rpId).copy(bytes);
    bytes[32] = flags;
    bytes.writeUInt32BE(counter, 33);
    return bytes;
  };
  /** COSE key, by label: 1 (key type) is EC2, 3 (algorithm) is ES256, -1 (curve) is P-256, -2 is x, -3 is y. */
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  return {
    id,
    counter: 0,
    verifies: true,
    make(challenge) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential.length);
      const flags = PRESENT | WITH_KEY | (this.verifies ? VERIFIED : 0);
      const data = Buffer.concat([about(flags, this.counter), Buffer.alloc(16), length, credential, key]);
      // CBOR: { fmt: 'none', attStmt: {}, authData: bytes }.
      const object = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientData('create', challenge)),
          attestationObject: base64url(object),
          transports: ['internal'],
        },
      };
    },
    show(challenge) {
      const client = clientData('get', challenge);
      const data = about(PRESENT | (this.verifies ? VERIFIED : 0), this.counter);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      };
    },
  };
}
