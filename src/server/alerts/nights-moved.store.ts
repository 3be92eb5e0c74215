import type { Database } from '#server/platform/database.ts';
import { decodeDoubleArray } from '#server/platform/sent-doubles.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { columnForFigures } from '#server/telemetry/readings/columns.ts';
import { readEdgeReadings } from '#server/telemetry/readings/read-edges.ts';
import type { Box } from '#shared/domain/area.ts';
import { bucketStart } from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { scatterReferenceHour } from '#shared/domain/scatter.ts';
import type { OwnedMachine } from './active-rules.store.ts';
import { BUCKET_START_MS_SQL, IN_STREAMS_AND_RANGE_SQL } from './buckets.store.ts';
import { type CandidateRange, rangeWhereAlertMayBegin, rangeWhereAlertMayEnd } from './candidate-range.ts';

/** Whole buckets of a shift or of a night, which is the time between two shifts. */
type Period = Range & { readonly shift?: Range; readonly night?: Range };
/** Bounding box of a machine's positions in one of the periods; `n` is the index of the period. */
type InPeriod = Box & { readonly streamId: number; readonly n: number };
/** A position with its time in ms. */
type Fix = { readonly lat: number; readonly lon: number; readonly time: number };

/**
 * Returns the buckets outside working hours in which a machine may have been further than `metres` from where it was last seen in working
 * hours, each with the ranges of readings that the evaluation needs first. Alerts end at the next shift at the earliest.
 */
export async function findMovesOutsideHours(
  db: Database,
  machines: readonly OwnedMachine[],
  range: Range,
  metres: number,
  shifts: readonly Range[],
): Promise<Map<number, CandidateRange[]>> {
  const nights = nightsBetween(shifts, range);
  const ends = shifts.map(({ from, to }) => rangeWhereAlertMayEnd({ from: bucketStart(from), to }));
  // A bucket in which a shift begins or ends belongs to the night.
  const inBuckets = [
    ...shifts.map((shift) => ({ from: bucketEnd(shift.from), to: bucketStart(shift.to), shift })),
    ...nights.map((night) => ({ from: bucketStart(night.from), to: bucketEnd(night.to), night })),
  ];
  const periods: Period[] = inBuckets.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from);
  const seen = await readPeriods(
    db,
    machines.map(({ streamId }) => streamId),
    periods,
  );
  const asked: FixAsked[] = [];
  const each = machines.flatMap(({ streamId, ownedSince }) => {
    const own = seen.get(streamId) ?? [];
    return own.flatMap((there, at) => {
      const { night } = periods[there.n] as Period;
      if (!night) return [];
      const isBefore = ({ n }: InPeriod): boolean => periods[n]?.shift !== undefined;
      const known = own.slice(0, at).findLast(isBefore);
      // A position in a bucket that a shift shares with a night is not part of `known`: it has to be read.
      const before = [shifts.findLast(({ to }) => to <= night.from), known && periods[known.n]?.shift];
      const first = asked.length;
      for (const shift of new Set(before))
        if (shift && shift.to > ownedSince)
          asked.push({ streamId, from: Math.max(shift.from, ownedSince), to: shift.to, isLast: true });
      // Without a position in a shift, the first position of the range is the reference.
      if (!known)
        asked.push({ streamId, from: Math.max(ownedSince, range.from), to: range.to, isLast: false });
      return [{ streamId, night, there, first, end: asked.length }];
    });
  });
  const left = await readFixes(db, asked);
  const suspect = each.flatMap(({ streamId, night, there, first, end }) => {
    const fix = left.slice(first, end).find((one) => one !== undefined);
    return fix && acrossMetres(there, fix) > metres ? [{ streamId, night, fix }] : [];
  });
  const starts = await readAway(db, suspect, metres);
  const begins = Map.groupBy(
    suspect.map(({ streamId, fix }, n) => ({ streamId, fix, at: starts.get(n) ?? [] })),
    ({ streamId }) => streamId,
  );
  return new Map(
    machines.map(({ streamId }) => {
      const moved = (begins.get(streamId) ?? []).flatMap(({ fix, at }) =>
        withoutGaps(at).map((start) => rangeWhereAlertMayBegin(start, { before: readBefore(fix, start) })),
      );
      return [streamId, [...moved, ...ends].sort((a, b) => a.from - b.from)];
    }),
  );
}

/** Returns the ranges to read before a bucket: the position at which the machine was left, and the hour before the bucket. */
function readBefore({ time }: Fix, start: number): Range[] {
  const { from } = scatterReferenceHour(start);
  const hour = { from: Math.max(from, time), to: start };
  const left = time < from ? [{ from: time, to: time + 1 }] : [];
  return hour.from < hour.to ? [...left, hour] : left;
}

/** Adds the buckets between two starts that lie less than an hour apart: they are read anyway, as the hour before the second start. */
const withoutGaps = (starts: readonly number[]): number[] =>
  starts.flatMap((start, n) => {
    const next = starts[n + 1] ?? start;
    const count = scatterReferenceHour(next).from < start ? (next - start) / BUCKET_MS : 1;
    return Array.from({ length: Math.max(count, 1) }, (_, bucket) => start + bucket * BUCKET_MS);
  });

const bucketEnd = (ms: number): number => bucketStart(ms + BUCKET_MS - 1);
/** Metres per degree, rounded up; at the equator. */
const LONGEST_DEGREE = 112_000;
/** Returns an upper bound of the distance between a point of the box and the fix, in metres. */
const acrossMetres = ({ south, west, north, east }: Box, { lat, lon }: Fix): number =>
  (Math.max(north, lat) - Math.min(south, lat) + Math.max(east, lon) - Math.min(west, lon)) * LONGEST_DEGREE;

/** Returns the ranges between the shifts. */
function nightsBetween(shifts: readonly Range[], range: Range): Range[] {
  const ends = [range.from, ...shifts.map(({ to }) => to)];
  const begins = [...shifts.map(({ from }) => from), range.to];
  return ends
    .map((from, n) => ({ from: Math.max(from, range.from), to: Math.min(begins[n] as number, range.to) }))
    .filter(({ from, to }) => from < to);
}

/**
 * Returns the bounding box of each period with positions, by stream and in order. Uses width_bucket: a join would compare each bucket with
 * each period.
 * @param periods ranges in order of time that do not overlap
 */
async function readPeriods(
  db: Database,
  streamIds: readonly number[],
  periods: readonly Range[],
): Promise<Map<number, InPeriod[]>> {
  const rows = await runInShardsOfStreams(db, streamIds, (shard, own) =>
    shard.query<InPeriod>(
      `select stream_id, n - 1 as n, min(south) as south, min(west) as west, max(north) as north, max(east) as east
     from (
       select *, ${BUCKET_START_MS_SQL} as start, width_bucket(${BUCKET_START_MS_SQL}, $4::float8[]) as n from telemetry.rollup where ${IN_STREAMS_AND_RANGE_SQL} and south is not null
     ) as r where n > 0 and start < ($5::float8[])[n] group by stream_id, n order by 1, 2`,
      [
        own,
        new Date(periods[0]?.from ?? 0),
        new Date(periods.at(-1)?.to ?? 0),
        periods.map(({ from }) => from),
        periods.map(({ to }) => to),
      ],
    ),
  );
  return Map.groupBy(rows, ({ streamId }) => streamId);
}

type FixAsked = Range & { readonly streamId: number; readonly isLast: boolean };

/** Returns the last or the first position of each range, by index. */
async function readFixes(db: Database, asked: readonly FixAsked[]): Promise<(Fix | undefined)[]> {
  const fixes = new Array<Fix | undefined>(asked.length);
  for (const end of ['last', 'first'] as const) {
    const wanted = asked.flatMap((one, n) => (one.isLast === (end === 'last') ? [{ ...one, n }] : []));
    const found = await readEdgeReadings(
      db,
      wanted,
      [columnForFigures('LATITUDE'), columnForFigures('LONGITUDE')],
      {
        end,
      },
    );
    for (const [at, { n }] of wanted.entries()) {
      const { time, values: [lat, lon] = [] } = found[at] ?? {};
      if (time !== undefined && lat !== undefined && lon !== undefined) fixes[n] = { lat, lon, time };
    }
  }
  return fixes;
}

type Suspect = { readonly streamId: number; readonly night: Range; readonly fix: Fix };

/**
 * Returns for each machine of `suspect`, by its index, the starts (ms) of the buckets of its night with positions that may be more
 * than `metres` from `fix`, the position where the machine was left.
 */
async function readAway(
  db: Database,
  suspect: readonly Suspect[],
  metres: number,
): Promise<Map<number, number[]>> {
  const numbered = suspect.map((one, n) => ({ ...one, n }));
  const rows = await runInShardsOfStreams(db, numbered, (shard, own) =>
    shard.query<{ n: number; starts: Buffer }>(
      `select p.n, array_send(array_agg(${BUCKET_START_MS_SQL} order by bucket)) as starts
     from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $4::float8[], $5::float8[], $7::integer[])
       as p (id, since, until, lat, lon, n), lateral (
       select bucket from telemetry.rollup r where r.stream_id = p.id and r.bucket > p.since - interval '5 minutes' and r.bucket < p.until
         and greatest(north, lat) - least(south, lat) + greatest(east, lon) - least(west, lon) > $6::float8 / ${LONGEST_DEGREE}
     ) as r group by p.n`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ night }) => new Date(night.from)),
        own.map(({ night }) => new Date(night.to)),
        own.map(({ fix }) => fix.lat),
        own.map(({ fix }) => fix.lon),
        metres,
        own.map(({ n }) => n),
      ],
    ),
  );
  return new Map(rows.map(({ n, starts }) => [n, [...decodeDoubleArray(starts)]]));
}
