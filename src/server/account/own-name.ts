import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';

/** Renames the caller. @returns the stored name, with single blanks; null for an empty one */
export const renameSelf = (pool: Pool, { accountId, email }: Caller, typed: string): Promise<string | null> =>
  inTransaction(pool, async (client) => {
    const name = typed.normalize('NFC').replace(/\s+/gu, ' ') || null;
    const { rowCount } = await client.query(
      'update account set name = $2 where id = $1 and name is distinct from $2',
      [accountId, name],
    );
    // The audit row leaves out the name, because it outlives the account.
    if (rowCount === 1)
      await audit(client, { actor: email, action: 'user.rename', subject: email, data: {} });
    return name;
  });
