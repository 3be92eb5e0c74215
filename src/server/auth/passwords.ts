import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { type HashClient, openHashQueue } from './hash-queue.ts';

/** argon2id with OWASP's parameters: 19 MiB, 2 passes, 1 lane (Password Storage Cheat Sheet). */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Leaves one processor for the portal, and one of Node's four worker threads for files and log files. */
const AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1));
const queue = openHashQueue(AT_ONCE);

let own = 0;
/**
 * Returns a client for hashes that the portal itself or an administrator causes. Each call returns another client, so that they do not
 * queue behind each other.
 */
const ourselves = (): HashClient => ({ name: `own ${own++}`, isKnown: true, isGone: () => false });

/**
 * Hashes a password. @param by the client, when strangers can cause the hash
 * @throws ProblemError 429
 */
export const hashPassword = (password: string, by: HashClient = ourselves()): Promise<string> =>
  queue.run(by, () => hash(password, OPTIONS));

/** Hashes a code with a salt that several codes share. @throws ProblemError 429 */
export const hashWithSalt = (code: string, salt: Buffer, by: HashClient = ourselves()): Promise<Buffer> =>
  queue.run(by, () => hashRaw(code, { ...OPTIONS, salt }));

/**
 * Hashes a mailed code with a salt from the e-mail, so that one hash is compared with any number of stored codes.
 * @param email in lower case
 */
export const hashMailedCode = (code: string, email: string, by?: HashClient): Promise<Buffer> =>
  hashWithSalt(code, createHash('sha256').update(email).digest().subarray(0, 16), by);

let decoy: Promise<string> | undefined;

/**
 * Compares a password with a stored hash. Takes as long for an unknown account (`stored` undefined) as for a wrong password.
 * @throws ProblemError 429
 */
export async function passwordMatches(
  stored: string | undefined,
  password: string,
  by: HashClient = ourselves(),
): Promise<boolean> {
  // The decoy hash, with which the password for an unknown account is compared, is computed once, so it is not queued.
  decoy ??= hash('nobody has this password', OPTIONS);
  const against = stored ?? (await decoy);
  const matches = await queue.run(by, () => verify(against, password));
  return stored !== undefined && matches;
}
