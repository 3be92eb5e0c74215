import type { Database } from '#server/platform/database.ts';
import { runInAllShards } from '#server/platform/shards.ts';
import { CACHE_EXPIRY_INTERVAL_SQL } from '#server/streams/purge.ts';
import type { LeavingCounts, LeavingOrganization } from '#shared/contract/leaving.ts';

/** The deletion of an organization; an administrator can undo it before `removeFrom`. */
export type PendingOrganizationDeletion = {
  readonly organizationId: number;
  readonly name: string;
  readonly startedAt: Date;
  readonly removeFrom: Date;
  readonly removingSince: Date | null;
  readonly wasActive: boolean;
  /** Streams that the organization owned at startedAt and that were not deleted. */
  readonly streamIds: readonly number[];
  /** All streams that the organization owned at startedAt or earlier. */
  readonly ownedIds: readonly number[];
  /** Loggers that reported for these streams. */
  readonly loggerSerials: readonly string[];
};

const LEAVING = `select l.organization_id, o.name, l.started_at,
    l.remove_from, l.removing_since, l.was_active, l.stream_ids,
    l.owned_ids, l.logger_serials
  from leaving l join organization o on o.id = l.organization_id`;

/** Returns the deletion of an organization, locked until the transaction ends. */
export async function lockPendingDeletion(
  db: Database,
  organizationId: number,
): Promise<PendingOrganizationDeletion | undefined> {
  const { rows } = await db.query<PendingOrganizationDeletion>(
    `${LEAVING} where l.organization_id = $1 for update of l`,
    [organizationId],
  );
  return rows[0];
}

/**
 * Returns the deletions whose grace period is over, the oldest first. Leaves out those that began so recently that a process may still
 * accept uploads of their loggers (CACHE_EXPIRY_INTERVAL_SQL).
 */
export async function readDueDeletions(db: Database, now: Date): Promise<PendingOrganizationDeletion[]> {
  const { rows } = await db.query<PendingOrganizationDeletion>(
    `${LEAVING} where (l.remove_from <= $1 and l.started_at <= $1::timestamptz - interval '${CACHE_EXPIRY_INTERVAL_SQL}') or l.removing_since is not null
     order by l.remove_from, l.organization_id`,
    [now],
  );
  return rows;
}

/** Returns all organizations that are being deleted, the soonest removal first. */
export async function listLeavingOrganizations(db: Database): Promise<LeavingOrganization[]> {
  const { rows } = await db.query<{
    name: string;
    clean: string;
    startedAt: Date;
    removeFrom: Date;
    isRemoving: boolean;
  }>(
    `select o.name, o.clean, l.started_at, l.remove_from,
       l.removing_since is not null or l.remove_from <= now() as is_removing
     from leaving l join organization o on o.id = l.organization_id order by l.remove_from, o.name`,
  );
  return rows.map(({ startedAt, removeFrom, ...row }) => ({
    ...row,
    startedAt: startedAt.toISOString(),
    removeFrom: removeFrom.toISOString(),
  }));
}

/**
 * A stream that belongs or belonged to an organization, and whether another organization has or had it too. Erased ownerships, and those
 * that will be erased, do not count.
 */
export type OwnedStream = {
  readonly id: number;
  readonly kind: 'machine' | 'logger';
  readonly serial: string;
  readonly alias: string;
  readonly isDeleted: boolean;
  readonly isPresent: boolean;
  readonly isShared: boolean;
};

export async function ownedStreams(db: Database, organizationId: number): Promise<OwnedStream[]> {
  const { rows } = await db.query<OwnedStream>(
    `select s.id, s.kind, s.serial, s.alias, s.deleted_at is not null as is_deleted, bool_or(w.valid_to = 'infinity') as is_present,
       exists (
         select from ownership t where t.stream_id = s.id and t.organization_id <> $1
           and not exists (select from erased_period e where e.ownership_id = t.id)
       ) as is_shared
     from stream s join ownership w on w.stream_id = s.id where w.organization_id = $1 group by s.id order by s.id`,
    [organizationId],
  );
  return rows;
}

/** Counts what a deletion removes. Counts only readings from the times in which the streams belonged to the organization. */
export async function countOrganizationData(db: Database, organizationId: number): Promise<LeavingCounts> {
  const streams = await ownedStreams(db, organizationId);
  const present = streams.filter(({ isPresent, isDeleted }) => isPresent && !isDeleted);
  const { rows } = await db.query<
    Omit<LeavingCounts, 'machines' | 'lmbLoggers' | 'shared' | 'sold' | 'deleted' | 'readings'>
  >(
    `select
       (select count(*)::int from account where organization_id = $1) as people,
       (select count(*)::int from invitation where organization_id = $1 and ended_as is null) as invitations,
       (select count(*)::int from project where organization_id = $1) as projects,
       (select count(*)::int from alert_rule where organization_id = $1 and kind <> 'charging') as rules,
       (select count(*)::int from alert_rule where organization_id = $1 and kind = 'charging')
         + (select count(*)::int from report_subscription where organization_id = $1) as subscriptions,
       (select count(*)::int from webhook where organization_id = $1) as webhooks,
       (select count(*)::int from machine_file f where kind = 'photo' and ${OWNED}) as photos,
       (select count(*)::int from machine_file f where kind = 'manual' and ${OWNED}) as manuals,
       (select count(*)::int from object o where o.log_stored_at is not null and ${SENT('o.modified_at')}) as log_files,
       (select count(*)::int from quarantine o where ${SENT('o.received_at')}) as quarantined,
       (select count(*)::int from pgboss.job where name = 'mail' and state in ('created', 'retry')
         and lower(data ->> 'to') = any ($2)) as mails`,
    [organizationId, await emailsOnlyOfOrganization(db, organizationId)],
  );
  const readings = await countReadings(db, organizationId);
  return {
    machines: present.filter(({ kind }) => kind === 'machine').length,
    lmbLoggers: present.filter(({ kind }) => kind === 'logger').length,
    shared: present.filter(({ isShared }) => isShared).length,
    sold: streams.filter(({ isPresent }) => !isPresent).length,
    deleted: streams.filter(({ isPresent, isDeleted }) => isPresent && isDeleted).length,
    readings,
    ...(rows[0] as NonNullable<(typeof rows)[0]>),
  };
}

/** SQL condition: the file `f` of a machine belongs to organization $1; at a sale of the machine its files go to the next owner. */
const OWNED = `exists (select from ownership p where p.stream_id = f.stream_id and p.organization_id = $1
  and f.created_at >= p.valid_from and p.valid_to = 'infinity')`;
/** SQL condition: the logger of `o` reported at that time for a stream that belonged to organization $1 then. */
const SENT = (time: string): string => `exists (
  select from writer w join ownership p on p.stream_id = w.stream_id where w.logger_serial = o.logger_serial and p.organization_id = $1
    and ${time} >= greatest(w.valid_from, p.valid_from) and ${time} < least(w.valid_to, p.valid_to))`;

/** Returns the addresses, in lower case, to which the portal sends mail for this organization only. */
export async function emailsOnlyOfOrganization(db: Database, organizationId: number): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    `select lower(email) as email from account where organization_id = $1
     union select lower(email) from invitation where organization_id = $1 and email is not null
     union select lower(email) from applicant where organization_id = $1
     except select lower(email) from account where organization_id <> $1`,
    [organizationId],
  );
  return rows.map(({ email }) => email);
}

/** Deletes waiting mails; `isAll`: also sent and failed ones. A mail that is being sent stays until it has been sent. */
export async function deleteQueuedMails(
  db: Database,
  emails: readonly string[],
  isAll: boolean,
): Promise<void> {
  await db.query(
    `delete from pgboss.job where name = 'mail' and lower(data ->> 'to') = any ($1)
       and (state in ('created', 'retry') or ($2 and state <> 'active'))`,
    [emails, isAll],
  );
}

async function countReadings(db: Database, organizationId: number): Promise<number> {
  const { rows: owned } = await db.query<{ streamId: number; from: string; to: string }>(
    `select stream_id, valid_from::text as "from", valid_to::text as "to" from ownership where organization_id = $1`,
    [organizationId],
  );
  if (owned.length === 0) return 0;
  const counted = await runInAllShards(db, (shard) =>
    shard.query<{ n: number }>(
      `select coalesce(sum(r.count), 0)::float8 as n
       from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) as w (stream_id, valid_from, valid_to)
       join telemetry.rollup r on r.stream_id = w.stream_id and r.bucket >= w.valid_from and r.bucket < w.valid_to`,
      [owned.map(({ streamId }) => streamId), owned.map(({ from }) => from), owned.map(({ to }) => to)],
    ),
  );
  return counted.reduce((sum, { n }) => sum + n, 0);
}
