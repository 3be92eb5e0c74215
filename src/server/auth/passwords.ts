import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { type Hasher, openHashTurns } from './hash-turns.ts';

/** argon2id with OWASP's parameters: 19 MiB, 2 passes, 1 lane (Password Storage Cheat Sheet). */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** One processor stays for the portal itself, and one of the four threads that Node has for such work for files and log files. */
const AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1));
const turns = openHashTurns(AT_ONCE);

let own = 0;
/** The portal's own work, or an administrator's: each is one by itself. */
const ourselves = (): Hasher => ({ name: `own ${own++}`, isKnown: true, isGone: () => false });

/** @param by who has it hashed, where a stranger can ask for it @throws ProblemError 429 */
export const hashPassword = (password: string, by: Hasher = ourselves()): Promise<string> =>
  turns.take(by, () => hash(password, OPTIONS));

/** The same of a code that is one of several with one salt. @throws ProblemError 429 */
export const hashWithSalt = (code: string, salt: Buffer, by: Hasher = ourselves()): Promise<Buffer> =>
  turns.take(by, () => hashRaw(code, { ...OPTIONS, salt }));

/**
 * The same of a mailed code: hashed once it can be looked up, however many there are to compare it with, or none.
 * @param email in lower case
 */
export const hashCode = (code: string, email: string, by?: Hasher): Promise<Buffer> =>
  hashWithSalt(code, createHash('sha256').update(email).digest().subarray(0, 16), by);

let decoy: Promise<string> | undefined;

/** Takes as long for an account that does not exist (`stored` undefined) as for a wrong password. @throws ProblemError 429 */
export async function passwordMatches(
  stored: string | undefined,
  password: string,
  by: Hasher = ourselves(),
): Promise<boolean> {
  // Out of turn: it is made once.
  decoy ??= hash('nobody has this password', OPTIONS);
  const against = stored ?? (await decoy);
  const matches = await turns.take(by, () => verify(against, password));
  return stored !== undefined && matches;
}
