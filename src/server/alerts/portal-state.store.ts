import { hostname } from 'node:os';
import { MAIL_QUEUES } from '#server/mail/queued-mails.store.ts';
import type { Database } from '#server/platform/database.ts';
import { freeSpace } from '#server/platform/free-space.ts';
import { JOBS_SCHEMA } from '#server/platform/jobs.ts';
import { readEmptyLogs } from '#server/telemetry/empty-logs.store.ts';
import type { PortalFactKind } from '#shared/domain/alerts/kinds/kind.ts';
import { ALERT_KINDS, alertKindsWith, type OperatorAlertKind } from '#shared/domain/alerts/kinds.ts';
import type { DiskSpace, PortalState, UnknownKey } from '#shared/domain/alerts/portal-state.ts';

/** Reads the state of the portal itself, for the rules of its administrators. */

const DAY_MS = 86_400_000;
/** Disk measurements older than this are ignored: the process that took them no longer runs. */
const MEASURED_MS = 10 * 60_000;

/** Maximum number of log files that are read per logger: the largest threshold that a rule may have. */
const MAX_LOGS = 100;

const ms = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;

/** Reads the state that rules of these kinds need; the rest is empty. */
export async function readPortalState(
  db: Database,
  kinds: readonly OperatorAlertKind[],
  now: number,
): Promise<PortalState> {
  const facts = new Set(kinds.map((kind) => ALERT_KINDS[kind].needs));
  const read = async <T>(fact: PortalFactKind, text: string, values: unknown[] = []): Promise<T[]> =>
    facts.has(fact) ? (await db.query(text, values)).rows : [];
  const dayAgo = new Date(now - DAY_MS);
  const unknownKeys = await read<UnknownKey>(
    'unknown-keys',
    `select access_key, ${ms('first_seen_at')} as first_seen, count::float8 as count
     from unknown_key where last_seen_at > $1`,
    [dayAgo],
  );
  const quarantined = await read<PortalState['quarantined'][number]>(
    'quarantined',
    `select logger_serial, count(*)::int as count from quarantine where received_at > $1 group by 1 order by 1`,
    [dayAgo],
  );
  const configurations = await read<PortalState['configurations'][number]>(
    'configurations',
    `select s.serial, ${ms('c.downloaded_at')} as downloaded_at
     from stream s join writer w on w.stream_id = s.id and w.valid_to = 'infinity'
     join lateral (select * from logger_config where writer_id = w.id order by id desc limit 1) as c on c.downloaded_at is not null
     left join writer_health h on h.writer_id = w.id
     where s.deleted_at is null and w.kind = 'rexgen' and h.status ->> 'configGuid' is distinct from c.guid`,
  );
  const emptyLogs = facts.has('empty-logs') ? await readEmptyLogs(db, MAX_LOGS) : [];
  const [mails] = await read<{ since: number | null; waiting: number; givenUp: number }>(
    'mails',
    `select ${ms("min(created_on) filter (where state < 'completed')")} as since,
       count(*) filter (where state < 'completed')::int as waiting, count(*) filter (where state = 'failed')::int as given_up
     from ${JOBS_SCHEMA}.job where name = any ($1)
       and (state = 'retry' or state = 'active' and retry_count > 0 or state = 'failed' and completed_on > $2)`,
    [MAIL_QUEUES, dayAgo],
  );
  const [backup] = await read<{ at: number | null; since: number | null; reason: string | null }>(
    'backup',
    `select ${ms('coalesce(b.at, (select min(applied_at) from schema_migration))')} as at, ${ms('b.failed_at')} as since, b.failure as reason
     from (select) as here left join backup_made b on true`,
  );
  const disks = await read<DiskSpace>(
    'disks',
    'select place, free_bytes as free, all_bytes as all from portal_disk where measured_at between $1 and $2 order by place',
    [new Date(now - MEASURED_MS), new Date(now + MEASURED_MS)],
  );
  const { since, waiting, givenUp } = mails ?? { since: null, waiting: 0, givenUp: 0 };
  return {
    unknownKeys,
    quarantined,
    configurations,
    emptyLogs,
    mails: { since: since ?? undefined, waiting, givenUp },
    backupAt: backup?.at ?? now,
    backupFailure: backup?.since == null ? undefined : { since: backup.since, reason: backup.reason ?? '' },
    disks,
  };
}

const DISK_KINDS = alertKindsWith((definition) => 'needs' in definition && definition.needs === 'disks');

/** Stores the disk space of this process, because another process may evaluate the rules. Stores nothing if no rule needs it. */
export async function recordDiskSpace(db: Database, folder: string, now: number): Promise<void> {
  const { free, all } = await freeSpace(folder);
  await db.query(
    `with gone as (delete from portal_disk where measured_at < $5 and place <> $1)
     insert into portal_disk as d (place, free_bytes, all_bytes, measured_at) select $1, $2, $3, $4
     where exists (select from alert_rule where kind = any ($6) and is_on)
     on conflict (place) do update set free_bytes = $2, all_bytes = $3, measured_at = $4`,
    [`${hostname()}:${folder}`, free, all, new Date(now), new Date(now - DAY_MS), DISK_KINDS],
  );
}
