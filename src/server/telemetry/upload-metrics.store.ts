import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { STALE_AFTER_MS } from '#shared/domain/staleness.ts';

type Kept = {
  readonly quarantined: number;
  readonly unknownKeys: number;
  /** Size in bytes of the parts of incomplete multipart uploads. */
  readonly partBytes: number;
};

/** Returns the numbers of quarantined uploads and of unknown keys, and the size of incomplete uploads. */
export async function countUploadsNotInHistory(db: Database): Promise<Kept> {
  const { rows } = await db.query<Kept>(
    `select (select count(*) from quarantine)::float8 as quarantined,
       (select count(*) from unknown_key)::float8 as unknown_keys,
       (select coalesce(sum(size), 0) from upload_part)::float8 as part_bytes`,
  );
  return rows[0] as Kept;
}

type Reports = {
  /** Number of machines and LMB loggers that last reported within 10 minutes, longer ago, or never. */
  readonly streams: Readonly<Partial<Record<'reporting' | 'silent' | 'never', number>>>;
  /** Age in seconds of the newest reading of the stream that reported last, and of the stream that has been silent longest. */
  readonly newestAge: number | undefined;
  readonly oldestAge: number | undefined;
};

/** Numbers of streams of a shard by the age of their newest reading; ages in seconds. */
type StreamCounts = {
  readonly reporting: number;
  readonly silent: number;
  readonly never: number;
  readonly newestAge: number | null;
  readonly oldestAge: number | null;
};

/**
 * Counts the streams by the age of their newest reading, without deleted streams. Returns no figures if a shard does not respond,
 * because a sum over some of the shards would be wrong.
 */
export async function countStreamsByAge(db: Database): Promise<Reports> {
  const { rows: present } = await db.query<{ id: number }>('select id from stream where deleted_at is null');
  const ids = present.map(({ id }) => id);
  let isWhole = true;
  const counts = await runInShardsOfStreams(
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
  if (!isWhole) return { streams: {}, newestAge: undefined, oldestAge: undefined };
  const sum = (name: 'reporting' | 'silent' | 'never') => counts.reduce((all, one) => all + one[name], 0);
  const ages = (name: 'newestAge' | 'oldestAge') =>
    counts.flatMap((one) => one[name] ?? []).sort((a, b) => a - b);
  return {
    streams: { reporting: sum('reporting'), silent: sum('silent'), never: sum('never') },
    newestAge: ages('newestAge')[0],
    oldestAge: ages('oldestAge').at(-1),
  };
}
