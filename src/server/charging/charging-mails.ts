import { MAIL_POLICY, type Mail } from '#server/mail/mail.ts';
import type { Database } from '#server/platform/database.ts';
import type { JobInfo, JobPolicy, Jobs } from '#server/platform/jobs.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { SEEN, seenBy } from '#server/streams/scope.ts';
import { type Principal, type Scope, scopeOf } from '#shared/domain/access.ts';
import type { ChargingEvent, ChargingKind } from '#shared/domain/charging-events.ts';
import { type ChargingNews, chargingLetter } from './charging-mail-text.ts';
import { readEvent } from './events.store.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

/** One mail per subscriber and event. */
export type ChargingMails = {
  /** In the caller's transaction, to everybody who is subscribed now. */
  queue(db: Database, streamId: number, event: ChargingEvent): Promise<void>;
};

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
  now: () => number,
  policy: JobPolicy = MAIL_POLICY,
): Promise<ChargingMails> {
  async function send(job: Job, { id }: JobInfo): Promise<void> {
    const news = await newsFor(db, job, now());
    if (!news) return;
    const token = unsubscribeToken(secrets, { ...job, serial: news.machine.serial });
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

/** undefined: unsubscribed meanwhile, an address of which nobody knows that it is theirs, or this account may not see the machine, or not what it did then (INGEST-06). */
async function newsFor(
  db: Database,
  { streamId, kind, from, accountId }: Job,
  toldAt: number,
): Promise<ChargingNews | undefined> {
  const { rows } = await db.query<Principal & { readonly to: string }>(
    `select a.email as to, o.id as "organizationId", o.name as organization, o.is_berende as "isLmbCustomer", a.role, o.privacy
     from subscription u
     join account a on a.id = u.account_id
     join organization o on o.id = a.organization_id and o.is_active
     where u.stream_id = $1 and u.account_id = $2 and a.confirmed_at is not null`,
    [streamId, accountId],
  );
  const [account] = rows;
  if (!account) return undefined;
  const scope = scopeOf(account);
  const machine = await machineSeen(db, scope, streamId);
  const event = machine && (await readEvent(db, streamId, kind, from));
  if (!machine || !event) return undefined;
  const { ownedSince, ...facts } = machine;
  if (scope.organizations !== 'all' && from < ownedSince) return undefined;
  const { to, data } = event;
  return {
    to: account.to,
    machine: facts,
    event: { kind, from, ...(to !== undefined && { to }), knownAt: data.knownAt, signals: data.signals },
    toldAt,
  };
}

type SeenMachine = ChargingNews['machine'] & { readonly ownedSince: number };

async function machineSeen(db: Database, scope: Scope, streamId: number): Promise<SeenMachine | undefined> {
  const { rows } = await db.query<SeenMachine>(
    `select s.serial, s.alias, m.brand, m.model, m.batteries, extract(epoch from s.owned_since)::float8 * 1000 as "ownedSince"
     from ${SEEN} join machine m on m.stream_id = s.id where s.id = $3`,
    [...seenBy(scope, ['machine']), streamId],
  );
  return rows[0];
}
