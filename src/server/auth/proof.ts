import type { Database } from '#server/platform/database.ts';
import { invalid, wrongGuess } from '#server/platform/problem.ts';
import { countTry, forgetTries } from '#server/platform/rate-limit.ts';
import { passwordMatches } from './passwords.ts';
import type { Caller } from './sessions.ts';

/** With which somebody who is signed in shows that it is them. */
type Given = { readonly password: string };

/** Of one session, per quarter of an hour: whoever took a browser over has no more, and keeps nobody else from theirs. */
const TRIES = 10;

/**
 * Whether what is given is the caller's own, guesses counted.
 * @throws ProblemError 400 when it is not, 429 after too many
 */
export async function requireProof(db: Database, caller: Caller, given: Given): Promise<void> {
  const key = `proof ${caller.session.id}`;
  await countTry(db, [{ key, tries: TRIES }]);
  const { rows } = await db.query<{ passwordHash: string }>(
    'select password_hash as "passwordHash" from account where id = $1',
    [caller.accountId],
  );
  if (!(await passwordMatches(rows[0]?.passwordHash, given.password)))
    throw wrongGuess(invalid('Dit is niet je wachtwoord.'));
  await forgetTries(db, key);
}
