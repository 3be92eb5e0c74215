import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import { requireLabels } from '#server/reports/report-labels.ts';
import { readProjects } from '#server/reports/report-projects.ts';
import { findHistory, visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import type { ReportSubscription } from '#shared/contract/report-mails.ts';
import type { MailableReportKind, Rhythm } from '#shared/domain/reports/mail-rhythm.ts';

/** Maximum number of report subscriptions of a person. */
const MOST = 20;

export type ReportSubscriptionFields = {
  readonly report: MailableReportKind;
  readonly rhythm: Rhythm;
  readonly minutes: number;
  readonly projects: readonly number[] | null;
  /** Serial numbers. */
  readonly machines: readonly string[] | null;
  readonly labels: readonly number[] | null;
};

/** Returns the caller's subscriptions in order of creation, without those of an organization that the caller left. */
export async function listReportSubscriptions(
  db: Database,
  { accountId, organizationId, scope }: Caller,
): Promise<ReportSubscription[]> {
  const { rows } = await db.query<ReportSubscription>(
    `select r.id as "_id", r.kind as report, r.rhythm, r.minutes,
       case when r.projects is not null then (
         select coalesce(jsonb_agg(jsonb_build_object('_id', p.id, 'projectName', p.name) order by lower(p.name), p.id), '[]')
         from project p where p.id = any (r.projects) and p.deleted_at is null and ($5::integer[] is null or p.id = any ($5))
       ) end as projects,
       case when r.machines is not null then (
         select coalesce(jsonb_agg(jsonb_build_object('serialNumber', s.serial, 'alias', s.alias) order by lower(s.alias), s.serial), '[]')
         from ${visibleStreamsSql(scope)} where s.id = any (r.machines)
       ) end as machines,
       case when r.labels is not null then (
         select coalesce(jsonb_agg(jsonb_build_object('_id', l.id, 'labelName', l.name) order by lower(l.name), l.id), '[]')
         from label l where l.id = any (r.labels) and ($2::integer[] is null or l.organization_id = any ($2))
           and ($6::integer[] is null or l.id = any ($6))
       ) end as labels
     from report_subscription r
       where /*rule:report-subscription-own*/ r.account_id = $3 /*=$3::integer > 0*/ and r.organization_id = $4 order by r.created_at, r.id`,
    [
      ...visibleStreamsParameters(scope, ['machine']),
      accountId,
      organizationId,
      scope.limited?.projects ?? null,
      scope.limited?.labels ?? null,
    ],
  );
  return rows;
}

/**
 * Subscribes the caller to a report; returns the existing subscription if there is an equal one.
 * @throws ProblemError 404 a project or machine outside the scope; 409 too many
 */
export const subscribeToReport = (
  pool: Pool,
  { accountId, organizationId, scope, email: actor }: Caller,
  { report, rhythm, minutes, projects, machines, labels }: ReportSubscriptionFields,
  at: Date,
): Promise<number> =>
  inTransaction(pool, async (client) => {
    if (projects) await readProjects(client, scope, projects);
    if (labels) await requireLabels(client, scope, labels);
    const streams = machines && [
      ...new Set(
        await mapInOrder(
          machines,
          async (one) => (await findHistory(client, scope, one, ['machine'])).streamId,
        ),
      ),
    ];
    // Serializes concurrent calls of one account. An account that was just deleted gets no subscription.
    await client.query('select from account where id = $1 for no key update', [accountId]);
    const values = [
      accountId,
      organizationId,
      report,
      rhythm,
      minutes,
      sorted(projects),
      sorted(streams),
      sorted(labels),
    ];
    const { rows: known } = await client.query<{ id: number; isSame: boolean }>(
      `select id, organization_id = $2 and kind = $3 and rhythm = $4 and minutes = $5 and projects is not distinct from $6::integer[]
         and machines is not distinct from $7::integer[] and labels is not distinct from $8::integer[] as is_same
       from report_subscription where account_id = $1`,
      values,
    );
    const same = known.find(({ isSame }) => isSame);
    if (same) return same.id;
    if (known.length >= MOST)
      throw new ProblemError('conflict', `Je krijgt al ${MOST} rapporten per mail. Zet er eerst een uit.`);
    const { rows } = await client.query<{ id: number }>(
      `insert into report_subscription (account_id, organization_id, kind, rhythm, minutes, projects, machines, labels, created_at)
       select id, $2, $3, $4, $5, $6, $7, $8, $9 from account where id = $1 returning id`,
      [...values, at],
    );
    if (!rows[0]) throw notFound('Dit account bestaat niet.');
    await audit(client, {
      actor,
      action: 'report-mail.subscribe',
      subject: actor,
      data: { report, rhythm },
    });
    return rows[0].id;
  });

async function mapInOrder<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const item of items) found.push(await find(item));
  return found;
}

const sorted = (ids: readonly number[] | null): number[] | null =>
  ids && [...new Set(ids)].sort((a, b) => a - b);

/**
 * Ends a subscription of the caller.
 * @throws ProblemError 404 the caller has no such subscription
 */
export const unsubscribeFromReport = (pool: Pool, { accountId, email }: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const isEnded = await end(client, id, email, accountId);
    if (!isEnded) throw notFound('Dit rapport krijg je niet per mail.');
  });

/** Ends a subscription by the link in a mail; every person who has the mail can follow it. Safe to repeat. */
export const endReportSubscription = (pool: Pool, id: number): Promise<void> =>
  inTransaction(pool, async (client) => void (await end(client, id, 'unsubscribe link')));

async function end(client: Transaction, id: number, actor: string, of?: number): Promise<boolean> {
  const { rows } = await client.query<{ accountId: number; report: string; rhythm: string }>(
    `delete from report_subscription where id = $1 and ($2::integer is null or account_id = $2)
     returning account_id, kind as report, rhythm`,
    [id, of ?? null],
  );
  if (!rows[0]) return false;
  const { accountId, ...data } = rows[0];
  await audit(client, { actor, action: 'report-mail.unsubscribe', subject: '', accountId, data });
  return true;
}
