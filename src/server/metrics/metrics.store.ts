import { MAIL_QUEUES } from '#server/alerts/portal-state.store.ts';
import { readBackupState } from '#server/backup/backup-made.store.ts';
import type { Database } from '#server/platform/database.ts';
import { JOBS_SCHEMA } from '#server/platform/jobs.ts';
import { isCluster, ofStreams, shardCount } from '#server/platform/shards.ts';
import { largestShares } from '#server/writers/log-quota-notices.ts';
import type { LogQuotas } from '#server/writers/log-quotas.ts';
import { STALE_AFTER_MS } from '#shared/domain/staleness.ts';

/** Figures from the database, for all its processes together. */
export type StoredFigures = {
  readonly bytes: number;
  readonly quarantined: number;
  readonly unknownKeys: number;
  /** Size of the parts of incomplete multipart uploads. */
  readonly partBytes: number;
  /** Number of machines and LMB loggers that last reported within 10 minutes, longer ago, or never. */
  readonly streams: Readonly<Partial<Record<'reporting' | 'silent' | 'never', number>>>;
  /** Size of the database on each worker of a cluster; `bytes` is undefined for a worker that does not answer. */
  readonly workers: readonly { readonly worker: string; readonly bytes: number | undefined }[];
  /** Age in seconds of the newest reading of the stream that reported last, and of the one that is silent longest. */
  readonly newestAge: number | undefined;
  readonly oldestAge: number | undefined;
  /** The largest used share of a quota: of any key, and of any organization. */
  readonly quotaShares: { readonly key_day: number; readonly organization: number };
  readonly jobs: readonly JobCount[];
  /** Number of queued mails, and the age of the oldest in seconds. */
  readonly mails: { readonly count: number; readonly age: number };
  /** Age of the newest verified backup, in seconds. */
  readonly backupAge: number | undefined;
};

type JobCount = { readonly queue: string; readonly state: string; readonly count: number };

/**
 * States of jobs that are counted. `completed` is left out, because pg-boss keeps finished jobs for a day, so their number means little.
 */
const JOB_STATES = ['created', 'retry', 'active', 'failed'];

/** Streams of a shard by their last report; ages in seconds. */
type StreamCounts = {
  readonly reporting: number;
  readonly silent: number;
  readonly never: number;
  readonly newestAge: number | null;
  readonly oldestAge: number | null;
};

/** Returns the figures, without deleted streams and without the queues of pg-boss itself. */
export async function readFigures(db: Database, quotas: LogQuotas, now: number): Promise<StoredFigures> {
  const { rows: present } = await db.query<{ id: number }>('select id from stream where deleted_at is null');
  const ids = present.map(({ id }) => id);
  let isWhole = true;
  const counts = await ofStreams(
    db,
    ids,
    (shard, own) =>
      shard.query<StreamCounts>(
        `select count(*) filter (where age <= $1)::float8 as reporting, count(*) filter (where age > $1)::float8 as silent,
         count(*) filter (where age is null)::float8 as never, min(age) as newest_age, max(age) as oldest_age
       from (
         select case when l.heard_at > '-infinity' then greatest(extract(epoch from now() - l.heard_at), 0)::float8 end as age
         from unnest($2::int[]) as s (id) left join telemetry.latest l on l.stream_id = s.id
       ) as each_stream`,
        [STALE_AFTER_MS / 1000, own],
      ),
    () => {
      isWhole = false;
    },
  );
  const { rows } = await db.query<Pick<StoredFigures, 'bytes' | 'quarantined' | 'unknownKeys' | 'partBytes'>>(
    `select pg_database_size(current_database())::float8 as bytes,
       (select count(*) from quarantine)::float8 as quarantined,
       (select count(*) from unknown_key)::float8 as unknown_keys,
       (select coalesce(sum(size), 0) from upload_part)::float8 as part_bytes`,
  );
  const { rows: jobs } = await db.query<JobCount>(
    `select q.name as queue, s.state, count(j.id)::float8 as count
     from ${JOBS_SCHEMA}.queue q cross join unnest($1::text[]) as s (state)
     left join ${JOBS_SCHEMA}.job j on j.name = q.name and j.state::text = s.state
     where left(q.name, 2) <> '__' group by q.name, s.state order by q.name, s.state`,
    [JOB_STATES],
  );
  const { rows: mails } = await db.query<StoredFigures['mails']>(
    `select count(*)::float8 as count, coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as age
     from ${JOBS_SCHEMA}.job where name = any ($1) and state < 'completed'`,
    [MAIL_QUEUES],
  );
  const { verifiedAt } = await readBackupState(db);
  const sum = (name: 'reporting' | 'silent' | 'never') => counts.reduce((all, one) => all + one[name], 0);
  const ages = (name: 'newestAge' | 'oldestAge') =>
    counts.flatMap((one) => one[name] ?? []).sort((a, b) => a - b);
  return {
    ...(rows[0] as (typeof rows)[number]),
    // A sum over some of the shards would be wrong.
    streams: isWhole ? { reporting: sum('reporting'), silent: sum('silent'), never: sum('never') } : {},
    newestAge: isWhole ? ages('newestAge')[0] : undefined,
    oldestAge: isWhole ? ages('oldestAge').at(-1) : undefined,
    workers: shardCount() > 1 && (await isCluster(db)) ? await readWorkers(db) : [],
    quotaShares: await largestShares(db, quotas, now),
    jobs,
    mails: mails[0] ?? { count: 0, age: 0 },
    backupAge: verifiedAt === undefined ? undefined : Math.max(0, (now - verifiedAt) / 1000),
  };
}

async function readWorkers(db: Database): Promise<StoredFigures['workers']> {
  const { rows } = await db.query<{ worker: string; isUp: boolean; result: string }>(
    `select nodename || ':' || nodeport as worker, success as is_up, result
     from run_command_on_workers('select pg_database_size(current_database())')`,
  );
  return rows.map(({ worker, isUp, result }) => ({ worker, bytes: isUp ? Number(result) : undefined }));
}
