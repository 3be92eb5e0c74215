import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';

/** @returns the name as it is stored: with single blanks; null for an empty one */
export const renameSelf = (pool: Pool, { accountId, email }: Caller, typed: string): Promise<string | null> =>
  inTransaction(pool, async (client) => {
    const name = typed.normalize('NFC').replace(/\s+/gu, ' ') || null;
    const { rowCount } = await client.query(
      'update account set name = $2 where id = $1 and name is distinct from $2',
      [accountId, name],
    );
    // Not the name itself: the log outlives it.
    if (rowCount === 1)
      await audit(client, { actor: email, action: 'user.rename', subject: email, data: {} });
    return name;
  });
