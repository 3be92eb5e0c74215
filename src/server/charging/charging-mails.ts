import type { Mail } from '#server/mail/mail.ts';
import type { Database } from '#server/platform/database.ts';
import type { JobInfo, JobPolicy, Jobs } from '#server/platform/jobs.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { unsubscribeToken } from '#server/subscriptions/unsubscribe-token.ts';
import { covers, type Principal, scopeOf } from '#shared/domain/access.ts';
import type { ChargingEvent, ChargingKind } from '#shared/domain/charging-events.ts';
import { type ChargingNews, chargingLetter } from './charging-letter.ts';
import type { EventData } from './events.store.ts';

/** One mail per subscriber and event. */
export type ChargingMails = {
  /** In the caller's transaction, to everybody who is subscribed now. */
  queue(db: Database, streamId: number, event: ChargingEvent): Promise<void>;
};

/** 30 s, 1, 2, 4 … minutes, then every hour: about two days. */
const POLICY: JobPolicy = { retries: 55, firstRetryS: 30, longestRetryS: 3_600 };

type Job = {
  readonly streamId: number;
  readonly kind: ChargingKind;
  /** ms */
  readonly from: number;
  readonly accountId: number;
};

/** Who gets the mail and what it says is decided when it is sent: a mail server may have been down for long. */
export async function openChargingMails(
  db: Database,
  jobs: Jobs,
  mail: Mail,
  secrets: Secrets,
  publicUrl: string,
  policy: JobPolicy = POLICY,
): Promise<ChargingMails> {
  async function send(job: Job, { id }: JobInfo): Promise<void> {
    const news = await newsFor(db, job);
    if (!news) return;
    const token = unsubscribeToken(secrets, job);
    await mail.send(chargingLetter(news, publicUrl, `${publicUrl}/api/mail/unsubscribe/${token}`), id);
  }
  const jobQueue = await jobs.queue<Job>('charging-mail', policy, send);
  return {
    async queue(client, streamId, { kind, from }) {
      const { rows } = await client.query<{ accountId: number }>(
        'select account_id as "accountId" from subscription where stream_id = $1 order by account_id',
        [streamId],
      );
      for (const { accountId } of rows) await jobQueue.add(client, { streamId, kind, from, accountId });
    },
  };
}

type Row = Omit<ChargingNews['machine'], 'to'> &
  Principal & {
    readonly to: string;
    readonly ownerId: number;
    readonly ownedThen: boolean;
    readonly eventTo: Date | null;
    readonly data: EventData;
  };

/** undefined: unsubscribed meanwhile, or this account may not see the machine, or not what it did then (INGEST-06). */
async function newsFor(
  db: Database,
  { streamId, kind, from, accountId }: Job,
): Promise<ChargingNews | undefined> {
  const { rows } = await db.query<Row>(
    `select a.email as to, o.id as "organizationId", o.name as organization, o.is_berende as "isBerende",
       w.organization_id as "ownerId", w.valid_from <= e.from_time as "ownedThen", s.serial, s.alias, m.brand, m.model,
       m.batteries, e.to_time as "eventTo", e.data
     from event e
     join subscription u on u.stream_id = e.stream_id and u.account_id = $4
     join account a on a.id = u.account_id
     join organization o on o.id = a.organization_id and o.is_active
     join stream s on s.id = e.stream_id and s.deleted_at is null
     join machine m on m.stream_id = s.id
     join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
     where e.stream_id = $1 and e.kind = $2 and e.from_time = $3`,
    [streamId, kind, new Date(from), accountId],
  );
  const row = rows[0];
  if (!row) return undefined;
  const { to, serial, alias, brand, model, batteries, eventTo, data } = row;
  const scope = scopeOf(row);
  if (!scope.actions.has('see-machines') || !covers(scope, row.ownerId)) return undefined;
  if (scope.organizations !== 'all' && !row.ownedThen) return undefined;
  return {
    to,
    machine: { serial, alias, brand, model, batteries },
    event: {
      kind,
      from,
      ...(eventTo && { to: eventTo.getTime() }),
      knownAt: data.knownAt,
      signals: data.signals,
    },
  };
}
