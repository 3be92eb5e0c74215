import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { largestShares } from '#server/writers/log-quota-notices.ts';
import type { LogQuotas } from '#server/writers/log-quotas.ts';
import { STALE_AFTER_MS } from '#shared/domain/staleness.ts';

const { latest } = telemetryTables();

/** What only the database knows, for all processes on it together. */
export type StoredFigures = {
  readonly bytes: number;
  readonly quarantined: number;
  readonly unknownKeys: number;
  /** Of parts whose upload is not complete. */
  readonly partBytes: number;
  /** Machines and LMB loggers by when they last reported: within 10 minutes, longer ago, never. */
  readonly streams: { readonly reporting: number; readonly silent: number; readonly never: number };
  /** Age of the newest reading of the stream that reported last, and of the one that is silent longest, s. */
  readonly newestAge: number | undefined;
  readonly oldestAge: number | undefined;
  /** The largest used share, of all keys and of all organizations. */
  readonly quotaShares: { readonly key_day: number; readonly organization: number };
  readonly jobs: readonly JobCount[];
};

type JobCount = { readonly queue: string; readonly state: string; readonly count: number };

/** Finished ones are kept for a day, and tell nothing that a mail's outcome does not. */
const JOB_STATES = ['created', 'retry', 'active', 'failed'];

type Row = Omit<StoredFigures, 'streams' | 'jobs' | 'quotaShares' | 'newestAge' | 'oldestAge'> & {
  readonly reporting: number;
  readonly silent: number;
  readonly never: number;
  readonly newestAge: number | null;
  readonly oldestAge: number | null;
};

/** Streams that were deleted, and the queues of pg-boss itself, are left out. */
export async function readFigures(db: Database, quotas: LogQuotas, now: number): Promise<StoredFigures> {
  const { rows: present } = await db.query<{ ids: number[] | null }>(
    'select array_agg(id) as ids from stream where deleted_at is null',
  );
  const { rows } = await db.query<Row>(
    `select pg_database_size(current_database())::float8 as bytes,
       (select count(*) from quarantine)::float8 as quarantined,
       (select count(*) from unknown_key)::float8 as "unknownKeys",
       (select coalesce(sum(size), 0) from upload_part)::float8 as "partBytes", seen.*
     from (
       select count(*) filter (where age <= $1)::float8 as reporting,
         count(*) filter (where age > $1)::float8 as silent, count(*) filter (where age is null)::float8 as never,
         min(age) as "newestAge", max(age) as "oldestAge"
       from (
         select case when l.heard_at > '-infinity' then greatest(extract(epoch from now() - l.heard_at), 0)::float8 end as age
         from unnest($2::int[]) as s (id) left join ${latest} l on l.stream_id = s.id
       ) as each_stream
     ) as seen`,
    [STALE_AFTER_MS / 1000, present[0]?.ids ?? []],
  );
  const { rows: jobs } = await db.query<JobCount>(
    `select q.name as queue, s.state, count(j.id)::float8 as count
     from pgboss.queue q cross join unnest($1::text[]) as s (state)
     left join pgboss.job j on j.name = q.name and j.state::text = s.state
     where left(q.name, 2) <> '__' group by q.name, s.state order by q.name, s.state`,
    [JOB_STATES],
  );
  const { reporting, silent, never, newestAge, oldestAge, ...rest } = rows[0] as Row;
  return {
    ...rest,
    streams: { reporting, silent, never },
    newestAge: newestAge ?? undefined,
    oldestAge: oldestAge ?? undefined,
    quotaShares: await largestShares(db, quotas, now),
    jobs,
  };
}
