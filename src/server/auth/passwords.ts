import { createHash } from 'node:crypto';
import { hash, hashRaw, verify } from '@node-rs/argon2';

/** argon2id with OWASP's parameters: 19 MiB, 2 passes, 1 lane (Password Storage Cheat Sheet). */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/**
 * A short-lived code, by which it is looked up among several: hashed once, whatever there is to compare it with. As
 * costly to guess as a password, and with another hash for each address.
 * @param email in lower case
 */
export const hashCode = (code: string, email: string): Promise<Buffer> =>
  hashRaw(code, { ...OPTIONS, salt: createHash('sha256').update(email).digest().subarray(0, 16) });

let decoy: Promise<string> | undefined;

/** Takes as long for an account that does not exist (`stored` undefined) as for a wrong password. */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const matches = await verify(stored ?? (await decoy), password);
  return stored !== undefined && matches;
}
