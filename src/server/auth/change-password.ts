import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { invalid, wrongGuess } from '#server/platform/problem.ts';
import { countTry, forgetTries } from '#server/platform/rate-limit.ts';
import { loadKnownWords, type PasswordSet, setPassword } from './account-password.ts';
import { requireNewPassword } from './guessable.ts';
import { forgetDevices } from './known-devices.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import type { NotifyPasswordChanged } from './reset-password.ts';

/** Tries per account. Only a caller with a session of the account can use them up. */
const TRIES = 10;

type Change = {
  readonly accountId: number;
  readonly present: string;
  readonly newPassword: string;
  /** Token of the browser that stays known. */
  readonly device: string | undefined;
};

export type PasswordChanged = PasswordSet & { readonly passwordHash: string };

/**
 * Changes the caller's own password after checking the present one. Ends all sessions of the account, the caller's too, and
 * forgets its other known browsers.
 * @throws ProblemError 400 with the reason; 429
 */
export async function changePassword(
  pool: Pool,
  { accountId, present, newPassword, device }: Change,
  notifyOwner: NotifyPasswordChanged,
): Promise<PasswordChanged> {
  const tries = `password of ${accountId}`;
  await countTry(pool, [{ key: tries, tries: TRIES }]);
  const { rows } = await pool.query<{ passwordHash: string }>(
    'select password_hash from account where id = $1',
    [accountId],
  );
  if (!(await passwordMatches(rows[0]?.passwordHash, present))) throw wrongGuess(invalid(WRONG));
  await forgetTries(pool, tries);
  if (newPassword === present) throw invalid('Dit wachtwoord heb je nu al. Kies een ander.');
  await requireNewPassword(newPassword, await loadKnownWords(pool, accountId));
  const passwordHash = await hashPassword(newPassword);
  return inTransaction(pool, async (client) => {
    const set = await setPassword(client, accountId, passwordHash);
    if (!set) throw invalid(WRONG);
    await forgetDevices(client, accountId, device);
    await audit(client, { actor: set.email, action: 'user.change-password', subject: set.email, data: {} });
    await notifyOwner(client, set.email);
    return { ...set, passwordHash };
  });
}

const WRONG = 'Je huidige wachtwoord klopt niet.';
