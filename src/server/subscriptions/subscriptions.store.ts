import { addChargingCursors } from '#server/alerts/cursors.store.ts';
import type { ChargingSubscription, MailedSubscription } from '#server/alerts/unsubscribe-token.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { findHistory } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';
import { ALERT_KINDS } from '#shared/domain/alerts/kinds.ts';

/** A subscription is stored as a person's own alert rule for one machine (docs/alerts.md section 6). */

/**
 * Returns the stream of a machine.
 * @throws ProblemError 404 there is no such machine within the scope (API-03)
 */
const findMachine = async (db: Database, scope: Scope, serial: string): Promise<number> =>
  (
    await findHistory(db, /*rule:subscription-scope*/ scope /*={ ...scope, organizations: 'all' }*/, serial, [
      'machine',
    ])
  ).streamId;

const OF_MACHINE = `from alert_rule where kind = 'charging' and ids[1] = $1 and account_id = $2`;

/**
 * Returns whether the caller is subscribed to a machine.
 * @throws ProblemError 404
 */
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

/**
 * Subscribes the caller to a machine, starting with its next charging event. Safe to repeat.
 * @throws ProblemError 404
 */
export const subscribeToMachine = (
  pool: Pool,
  { scope, accountId, email: actor }: Caller,
  serial: string,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const streamId = await findMachine(client, scope, serial);
    if (await addSubscription(client, streamId, accountId))
      await audit(client, { actor, action: 'subscription.create', ...(await named(client, streamId)) });
  });

/**
 * Adds a subscription.
 * @returns false if it existed already, or the account was deleted
 */
export async function addSubscription(
  client: Transaction,
  streamId: number,
  accountId: number,
): Promise<boolean> {
  const begin = (await addChargingCursors(client, [streamId])).get(streamId) ?? Number.NEGATIVE_INFINITY;
  const { rowCount } = await client.query(
    // Inserts nothing for an account that has just been deleted.
    `insert into alert_rule (organization_id, account_id, name, kind, settings, hours, machines, ids, severity, tells_end, is_on, valid_from)
     select organization_id, id, $3, 'charging', '{}', 'always', 'chosen', array[$1::int], 'notice', false, true, to_timestamp($4::float8 / 1000)
     from (select id, organization_id from account where id = $2 for key share) as still
     on conflict (account_id, (ids[1])) where kind = 'charging' do nothing`,
    [streamId, accountId, ALERT_KINDS.charging.word, begin],
  );
  return rowCount === 1;
}

/**
 * Ends the caller's subscription to a machine. Safe to repeat.
 * @throws ProblemError 404
 */
export const unsubscribeFromMachine = (
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
 * Ends a subscription by the link in a mail; every person who has the mail can follow it. The audit row belongs to the subscriber's
 * organization and has the serial number from the mail, because the machine may have another owner by now. Safe to repeat.
 */
export const unsubscribeByMail = (
  pool: Pool,
  { serial: subject, ...subscription }: MailedSubscription,
): Promise<void> =>
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

async function endSubscription(
  client: Transaction,
  { streamId, accountId }: ChargingSubscription,
): Promise<boolean> {
  const { rowCount } = await client.query(`delete ${OF_MACHINE}`, [streamId, accountId]);
  return rowCount === 1;
}

/** Returns the fields of a row of the audit log that name the machine. */
async function named(db: Database, streamId: number) {
  const { rows } = await db.query<{ serial: string }>('select serial from stream where id = $1', [streamId]);
  return { subject: rows[0]?.serial ?? '', streamId, data: {} };
}
