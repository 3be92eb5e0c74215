import { dayOnProjectVisibleSql, visibleHoursOfDays } from '#server/day-figures/days-on-projects.ts';
import { type VisibleDays, visibleDays } from '#server/day-figures/seen-days.ts';
import { ownedSegmentsOf, splitSegment } from '#server/history/range.ts';
import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { Sums } from '#shared/domain/figures.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Sums for the mean power. */
type Work = Pick<Sums, 'runKnownMs' | 'runOutMj' | 'runInMj'>;
type Today = Pick<Sums, 'runningMs' | 'outMj' | 'knownMs' | 'distanceMm' | 'carriedMm'> & {
  readonly windowMs: number;
  readonly windowHeardMs: number;
};
type Row = Work & { readonly id: number; readonly today: Today | null };

export type FleetWork = {
  /** Sums of the last 30 days; undefined if the scope covers the present day only. */
  readonly sums: Work | undefined;
  /** Undefined when no data were received today. */
  readonly today: Today | undefined;
};

/**
 * Returns the result of readWork() for a scope. For machines that a person with limited access sees through a project, it covers only the
 * time on that project. A scope that covers the present day only gets no earlier days.
 */
export async function readVisibleWork(
  db: Database,
  scope: Scope,
  streams: readonly OwnHistory[],
  now: number,
): Promise<ReadonlyMap<number, FleetWork>> {
  const parts = Map.groupBy(streams, ({ streamId }) => visibleDays(scope, streamId).projects.includes(0));
  const found = await Promise.all(
    [...parts.values()].map((part) =>
      readWork(
        db,
        visibleDays(scope, part[0]?.streamId ?? 0),
        part,
        visibleHoursOfDays(scope, lastDays(now)),
        now,
      ),
    ),
  );
  return new Map(found.flatMap((work) => [...work]));
}

const lastDays = (now: number) => ({
  firstDay: amsterdamDay(now - DAYS * DAY_MS),
  lastDay: amsterdamDay(now),
});

/**
 * Returns the sums of the last 30 days, and today, for streams in the times in which the caller owned them. Whole days in Amsterdam come
 * from the precomputed days; the partial day 30 days ago comes from the roll-up, without the bucket in which it begins.
 * @param seen rows that the scope may see of each stream
 * @param hours see dayOnProjectVisibleSql
 * @param now ms
 */
async function readWork(
  db: Database,
  { organizations, projects, firstDay }: VisibleDays,
  streams: readonly OwnHistory[],
  hours: string | null,
  now: number,
): Promise<ReadonlyMap<number, FleetWork>> {
  const begin = now - DAYS * DAY_MS;
  const first = amsterdamDay(begin);
  const whole = await runInShardsOfStreams(db, streams, (shard, own) =>
    shard.query<Row>(
      `select stream_id as id, sum(run_known_ms)::float8 as run_known_ms, sum(run_out_mj)::float8 as run_out_mj,
           sum(run_in_mj)::float8 as run_in_mj,
           case when max(day) = $4::date then json_build_object(
             'runningMs', sum(running_ms) filter (where day = $4::date), 'outMj', sum(out_mj) filter (where day = $4::date),
             'knownMs', sum(known_ms) filter (where day = $4::date), 'distanceMm', sum(distance_mm) filter (where day = $4::date),
             'carriedMm', sum(carried_mm) filter (where day = $4::date), 'windowMs', sum(window_ms) filter (where day = $4::date),
             'windowHeardMs', sum(window_heard_ms) filter (where day = $4::date)) end as today
         from telemetry.day_figures d
         where stream_id = any ($1) and day > $2::date and day <= $4::date and project_id = any ($5)
           and ($3::integer[] is null or organization_id = any ($3)) and ($6::date is null or day >= $6::date)
           and ${dayOnProjectVisibleSql('d', '$7')}
         group by stream_id`,
      [
        own.map(({ streamId }) => streamId),
        first,
        organizations,
        amsterdamDay(now),
        projects,
        firstDay,
        hours,
      ],
    ),
  );
  const cut = await readCutDay(db, streams, { from: begin, to: amsterdamDayRange(first)?.to ?? begin });
  const byStream = new Map(whole.map((row) => [row.id, row]));
  return new Map(
    streams.map(({ streamId }) => {
      const { today, ...work } = byStream.get(streamId) ?? {};
      return [
        streamId,
        {
          sums: firstDay !== null ? undefined : added(work, cut.get(streamId)),
          today: today ?? undefined,
        },
      ];
    }),
  );
}

function added(a: Partial<Work>, b: Partial<Work> = {}): Work {
  const sum = (name: keyof Work): number => (a[name] ?? 0) + (b[name] ?? 0);
  return { runKnownMs: sum('runKnownMs'), runOutMj: sum('runOutMj'), runInMj: sum('runInMj') };
}

/** Returns the sums of the whole buckets of a range, for the times in which the caller owned each stream. */
async function readCutDay(
  db: Database,
  streams: readonly OwnHistory[],
  range: { readonly from: number; readonly to: number },
): Promise<ReadonlyMap<number, Work>> {
  const parts = streams.flatMap(({ streamId, own }) =>
    ownedSegmentsOf(range, own).flatMap((segment) => {
      const { whole } = splitSegment(segment);
      return whole ? [{ streamId, ...whole }] : [];
    }),
  );
  const found = await runInShardsOfStreams(db, parts, (shard, own) =>
    shard.query<Work & { id: number }>(
      `select r.stream_id as id, coalesce(sum(run_known_ms), 0)::float8 as run_known_ms,
           coalesce(sum(run_out_mj), 0)::float8 as run_out_mj, coalesce(sum(run_in_mj), 0)::float8 as run_in_mj
         from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) as part (id, from_time, to_time)
           join telemetry.rollup r on r.stream_id = part.id and r.bucket >= part.from_time and r.bucket < part.to_time
             and r.bucket >= $4 and r.bucket < $5
         group by r.stream_id`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ from }) => new Date(from)),
        own.map(({ to }) => new Date(to)),
        new Date(range.from),
        new Date(range.to),
      ],
    ),
  );
  return new Map(found.map(({ id, ...work }) => [id, work]));
}
