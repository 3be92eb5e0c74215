import type { Caller } from '#server/auth/sessions.ts';
import { beginCursor } from '#server/charging/cursors.store.ts';
import type { Subscription } from '#server/charging/unsubscribe-token.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { findHistory } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';

/** @throws ProblemError 404 for what is no machine, or not within the scope (API-03) */
const findMachine = async (db: Database, scope: Scope, serial: string): Promise<number> =>
  (await findHistory(db, scope, serial, ['machine'])).streamId;

/** @throws ProblemError 404 */
export async function isSubscribed(
  db: Database,
  { scope, accountId }: Caller,
  serial: string,
): Promise<boolean> {
  const { rowCount } = await db.query('select from subscription where stream_id = $1 and account_id = $2', [
    await findMachine(db, scope, serial),
    accountId,
  ]);
  return rowCount === 1;
}

/** Safe to repeat. What happened before the first subscription to a machine is mailed to nobody. @throws ProblemError 404 */
export const subscribe = (
  pool: Pool,
  { scope, accountId, email: actor }: Caller,
  serial: string,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const streamId = await findMachine(client, scope, serial);
    const { rowCount } = await client.query(
      // Nothing for an account that was deleted a moment ago, or is being deleted.
      `insert into subscription (stream_id, account_id)
       select $1, id from (select id from account where id = $2 for key share) as still on conflict do nothing`,
      [streamId, accountId],
    );
    if (rowCount === 1)
      await audit(client, { actor, action: 'subscription.create', ...(await named(client, streamId)) });
    await beginCursor(client, streamId);
  });

/** Safe to repeat. @throws ProblemError 404 */
export async function unsubscribe(
  pool: Pool,
  { scope, accountId, email }: Caller,
  serial: string,
): Promise<void> {
  await endSubscription(pool, { streamId: await findMachine(pool, scope, serial), accountId }, email);
}

/**
 * Safe to repeat.
 * @param actor who does it; a mail's link is anybody's who has the mail
 */
export const endSubscription = (
  pool: Pool,
  { streamId, accountId }: Subscription,
  actor = 'unsubscribe link',
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'delete from subscription where stream_id = $1 and account_id = $2',
      [streamId, accountId],
    );
    if (rowCount === 1)
      await audit(client, {
        actor,
        action: 'subscription.delete',
        accountId,
        ...(await named(client, streamId)),
      });
  });

/** The machine, for the log. */
async function named(db: Database, streamId: number) {
  const { rows } = await db.query<{ serial: string }>('select serial from stream where id = $1', [streamId]);
  return { subject: rows[0]?.serial ?? '', streamId, data: {} };
}
