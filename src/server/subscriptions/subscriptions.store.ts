import { beginChargingCursors } from '#server/alerts/cursors.store.ts';
import type { Mailed, Subscription } from '#server/alerts/unsubscribe-token.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { findHistory } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';
import { ALERT_KINDS } from '#shared/domain/alerts/kinds.ts';

/** A subscription is a rule of one's own, of one machine (docs/alerts.md section 6). */

/** @throws ProblemError 404 for what is no machine, or not within the scope (API-03) */
const findMachine = async (db: Database, scope: Scope, serial: string): Promise<number> =>
  (
    await findHistory(db, /*rule:subscription-scope*/ scope /*={ ...scope, organizations: 'all' }*/, serial, [
      'machine',
    ])
  ).streamId;

const OF_MACHINE = `from alert_rule where kind = 'charging' and ids[1] = $1 and account_id = $2`;

/** @throws ProblemError 404 */
export async function isSubscribed(
  db: Database,
  { scope, accountId }: Caller,
  serial: string,
): Promise<boolean> {
  const { rowCount } = await db.query(`select ${OF_MACHINE}`, [
    await findMachine(db, scope, serial),
    accountId,
  ]);
  return rowCount === 1;
}

/** Safe to repeat. What happened before is told to nobody. @throws ProblemError 404 */
export const subscribe = (
  pool: Pool,
  { scope, accountId, email: actor }: Caller,
  serial: string,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const streamId = await findMachine(client, scope, serial);
    if (await addSubscription(client, streamId, accountId))
      await audit(client, { actor, action: 'subscription.create', ...(await named(client, streamId)) });
  });

/** @returns false: it was there already, or the account is not any more */
export async function addSubscription(
  client: Transaction,
  streamId: number,
  accountId: number,
): Promise<boolean> {
  const begin = (await beginChargingCursors(client, [streamId])).get(streamId) ?? Number.NEGATIVE_INFINITY;
  const { rowCount } = await client.query(
    // Nothing for an account that was deleted a moment ago, or is being deleted.
    `insert into alert_rule (organization_id, account_id, name, kind, settings, hours, machines, ids, severity, tells_end, is_on, valid_from)
     select organization_id, id, $3, 'charging', '{}', 'always', 'chosen', array[$1::int], 'notice', false, true, to_timestamp($4::float8 / 1000)
     from (select id, organization_id from account where id = $2 for key share) as still
     on conflict (account_id, (ids[1])) where kind = 'charging' do nothing`,
    [streamId, accountId, ALERT_KINDS.charging.word, begin],
  );
  return rowCount === 1;
}

/** Safe to repeat. @throws ProblemError 404 */
export const unsubscribe = (
  pool: Pool,
  { scope, accountId, email: actor }: Caller,
  serial: string,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const streamId = await findMachine(client, scope, serial);
    if (await endSubscription(client, { streamId, accountId }))
      await audit(client, {
        actor,
        action: 'subscription.delete',
        accountId,
        ...(await named(client, streamId)),
      });
  });

/**
 * Ends a subscription by the link of a mail, which anybody who has the mail can follow. Its row is in the log of the subscriber's
 * organization and has the machine's number of the mail, because the machine may have another owner by now. Safe to repeat.
 */
export const unsubscribeByMail = (pool: Pool, { serial: subject, ...subscription }: Mailed): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { accountId } = subscription;
    if (await endSubscription(client, subscription))
      await audit(client, {
        actor: 'unsubscribe link',
        action: 'subscription.delete',
        subject,
        accountId,
        data: {},
      });
  });

async function endSubscription(client: Transaction, { streamId, accountId }: Subscription): Promise<boolean> {
  const { rowCount } = await client.query(`delete ${OF_MACHINE}`, [streamId, accountId]);
  return rowCount === 1;
}

/** The machine, for the log. */
async function named(db: Database, streamId: number) {
  const { rows } = await db.query<{ serial: string }>('select serial from stream where id = $1', [streamId]);
  return { subject: rows[0]?.serial ?? '', streamId, data: {} };
}
