import type { Database } from '#server/platform/database.ts';
import { sentDoubles } from '#server/platform/sent-doubles.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { packElement } from '#server/telemetry/rollup-columns.ts';
import type { ReadingKind, RuleSettings } from '#shared/domain/alerts/kinds.ts';
import type { Box } from '#shared/domain/area.ts';
import { distanceMetres } from '#shared/domain/distance.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { CHARGING_ABOVE_AMPS, CHARGING_FLAG_FROM } from '#shared/domain/machine-status.ts';
import { MOST_PACKS } from '#shared/domain/packs.ts';
import type { OwnedMachine } from './watched.store.ts';

/**
 * Where in the history of machines a rule may have found something: a month of readings is millions, of which its 5-minute figures
 * rule out nearly all. `watch` then judges what is left, and forgets within 5 minutes all but the packs of a day and where a
 * machine was left: with what is read before, it judges as if it had seen everything.
 */

const { reading, rollup } = telemetryTables();

/** To be read, in order; ms. */
export type Part = Range & {
  /** About how many readings it has. */
  readonly count: number;
  /** What came before it is to be forgotten. */
  readonly isFresh: boolean;
};

export type LookedFor = {
  readonly kind: ReadingKind;
  readonly settings: RuleSettings;
  /** Of the machine's organization, in order, from before the range on. */
  readonly shifts: readonly Range[];
};

/** By stream. @param range ms */
export async function whereToLook(
  db: Database,
  { kind, settings, shifts }: LookedFor,
  machines: readonly OwnedMachine[],
  range: Range,
): Promise<Map<number, Part[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const threshold = settings.threshold ?? 0;
  switch (kind) {
    case 'low':
      return around(await bucketsWhere(db, streamIds, range, [threshold], anyPack('min', '< $4')));
    case 'speeding':
      return around(await bucketsWhere(db, streamIds, range, [threshold], 'speed_max > $4'));
    case 'packs-apart':
      return around(await bucketsApart(db, streamIds, range, threshold));
    case 'not-charging':
      return around(await bucketsPlugged(db, streamIds, range, threshold));
    case 'pack-silent':
      return packsGone(db, streamIds, range, threshold);
    case 'charging':
      return aroundCharges(await bucketsCharging(db, streamIds, range));
    case 'moved':
      return nightsMoved(db, machines, range, threshold, shifts);
  }
}

type Bucket = { readonly start: number; readonly count: number };

const PACKS = Array.from({ length: MOST_PACKS }, (_, pack) => pack);
const ofPacks = (element: 'min' | 'max' | 'count'): string[] =>
  PACKS.map((pack) => packElement(pack, element));
const anyPack = (element: 'min' | 'max', is: string): string =>
  `(${ofPacks(element)
    .map((value) => `${value} ${is}`)
    .join(' or ')})`;
const MS = `(date_part('epoch', bucket) * 1000)::float8`;
const OF_STREAMS = 'stream_id = any ($1::integer[]) and bucket >= $2 and bucket < $3';
/** By stream, two arrays of doubles: as text a month of a fleet costs more than all else. */
const AS_ARRAYS = `select stream_id as id, array_send(array_agg(start order by start)) as starts,
  array_send(array_agg(value order by start)) as values`;

/** By stream, a value (0 where there is none) of each 5 minutes in which something came in, in order. @param from as `bucketsOf` */
export async function readArrays(
  db: Database,
  from: string,
  streamIds: readonly number[],
  range: Range,
  values: readonly unknown[] = [],
): Promise<Map<number, Bucket[]>> {
  const { rows } = await db.query<{ id: number; starts: Buffer; values: Buffer }>(
    `${AS_ARRAYS} from (${from}) as found (stream_id, start, value) group by stream_id`,
    [streamIds, new Date(range.from - BUCKET_MS), new Date(range.to), ...values],
  );
  return new Map(
    rows.map(({ id, starts, values: counts }) => {
      const [times, counted] = [sentDoubles(starts), sentDoubles(counts)];
      const buckets = Array.from({ length: times.count }, () => ({
        start: times.next() as number,
        count: counted.next() ?? 0,
      }));
      return [id, buckets];
    }),
  );
}

/** @param value an expression of the roll-up's columns */
export const bucketsOf = (value: string, condition = 'true'): string =>
  `select stream_id, ${MS}, (${value})::float8 from ${rollup} where ${OF_STREAMS} and ${condition}`;

/** %, of all packs; null: none was heard. */
export const LOWEST = `least(${ofPacks('min')})`;

const bucketsWhere = (
  db: Database,
  streamIds: readonly number[],
  range: Range,
  values: readonly number[],
  condition: string,
) => readArrays(db, bucketsOf('count', condition), streamIds, range, values);

/** What one pack says is judged with what another one said 5 minutes before. */
const bucketsApart = (db: Database, streamIds: readonly number[], range: Range, threshold: number) =>
  readArrays(
    db,
    `select stream_id, start, count from (
       select stream_id, ${MS} as start, count::float8 as count,
         greatest(high, case when near then lag(high) over own end) - least(low, case when near then lag(low) over own end) as apart
       from (
         select stream_id, bucket, count, greatest(${ofPacks('max')}) as high, ${LOWEST} as low,
           lag(bucket) over (partition by stream_id order by bucket) = bucket - interval '5 minutes' as near
         from ${rollup} where ${OF_STREAMS}
       ) as each window own as (partition by stream_id order by bucket)
     ) as pairs where apart > $4`,
    streamIds,
    range,
    [threshold],
  );

/** No figure tells of a cable without current: the readings themselves have to. */
const bucketsPlugged = (db: Database, streamIds: readonly number[], range: Range, threshold: number) =>
  readArrays(
    db,
    `select stream_id, (date_part('epoch', bucket) * 1000)::float8, count from (
       select stream_id, bucket, count, plugged or near and lag(plugged) over own as plugged,
         weak or near and lag(weak) over own as weak, below or near and lag(below) over own as below
       from (
         select stream_id, bucket, count(*)::float8 as count, bool_or(is_charging >= ${CHARGING_FLAG_FROM} or ${NAMED}) as plugged,
           coalesce(bool_or(charging_current <= ${CHARGING_ABOVE_AMPS}), false) as weak,
           bool_or(least(soc1, soc2, soc3, soc4) < $4 or rest is not null) as below,
           lag(bucket) over (partition by stream_id order by bucket) = bucket - interval '5 minutes' as near
         from (select *, date_bin('5 minutes', time, 'epoch') as bucket from ${reading}
           where stream_id = any ($1::integer[]) and time >= $2 and time < $3) as r
         group by stream_id, bucket
       ) as each window own as (partition by stream_id order by bucket)
     ) as pairs where plugged and weak and below`,
    streamIds,
    range,
    [threshold],
  );
const NAMED = `coalesce(rest::text like '%"IsCharging%', false)`;

/** All that something came in, where it may have charged as less than 0: no figure tells of a current without a voltage. */
const bucketsCharging = (db: Database, streamIds: readonly number[], range: Range) =>
  readArrays(
    db,
    `select stream_id, (date_part('epoch', bucket) * 1000)::float8,
       count(*)::float8 * case when bool_or(charging_current > ${CHARGING_ABOVE_AMPS}) then -1 else 1 end
     from (select stream_id, charging_current, date_bin('5 minutes', time, 'epoch') as bucket from ${reading}
       where stream_id = any ($1::integer[]) and time >= $2 and time < $3) as r
     group by stream_id, bucket`,
    streamIds,
    range,
  );

/** Of what comes before and after a charge two, however far apart: what is between was not charging, and was settled. */
const BESIDE_CHARGE = 2;

function aroundCharges(all: ReadonlyMap<number, readonly Bucket[]>): Map<number, Part[]> {
  return new Map(
    [...all].map(([streamId, buckets]) => {
      const parts: Part[] = [];
      for (const [n, { start, count }] of buckets.entries()) {
        const near = buckets.slice(Math.max(0, n - BESIDE_CHARGE), n + BESIDE_CHARGE + 1);
        if (near.some((bucket) => bucket.count < 0))
          add(parts, { from: start, to: start + BUCKET_MS, count: Math.abs(count) }, false);
      }
      return [streamId, parts];
    }),
  );
}

/** Each with the 5 minutes before and after it, of which its own are judged with, or judge. */
function around(found: ReadonlyMap<number, readonly Bucket[]>): Map<number, Part[]> {
  return new Map(
    [...found].map(([streamId, buckets]) => {
      const parts: Part[] = [];
      for (const { start, count } of buckets) {
        const last = parts.at(-1);
        const to = start + 2 * BUCKET_MS;
        if (last && start - BUCKET_MS <= last.to)
          parts[parts.length - 1] = { ...last, to, count: last.count + count };
        else parts.push({ from: start - BUCKET_MS, to, count: 3 * count, isFresh: true });
      }
      return [streamId, parts];
    }),
  );
}

const MINUTE_MS = 60_000;
/** ms; `watch` knows a pack for so long (docs/alerts.md section 2). */
const PACK_KNOWN_MS = 24 * 3_600_000;

/** Where a pack of the day before was not heard in the 5 minutes before. Of each pack the last that was heard is read before. */
async function packsGone(
  db: Database,
  streamIds: readonly number[],
  range: Range,
  minutes: number,
): Promise<Map<number, Part[]>> {
  const mask = ofPacks('count')
    .map((count, pack) => `case when ${count} > 0 then ${2 ** pack} else 0 end`)
    .join(' + ');
  const masks = await readArrays(db, bucketsOf(`${mask} + count * ${2 ** MOST_PACKS}`), streamIds, {
    ...range,
    from: range.from - PACK_KNOWN_MS,
  });
  // A silence that is shorter may lie in two buckets that both heard the pack.
  const mayHide = minutes * MINUTE_MS < 2 * BUCKET_MS;
  return new Map(
    [...masks].map(([streamId, buckets]) => {
      const parts: Part[] = [];
      const heard = new Map<number, number>();
      const counts = new Map<number, number>();
      for (const { start, count: both } of buckets) {
        const count = Math.floor(both / 2 ** MOST_PACKS);
        for (const [pack, at] of heard) if (at < start - PACK_KNOWN_MS - BUCKET_MS) heard.delete(pack);
        const isGone = [...heard.values()].some((at) => at < start - BUCKET_MS);
        if ((isGone || mayHide) && start + BUCKET_MS > range.from) {
          const before = [...new Set(heard.values())].sort((a, b) => a - b);
          for (const at of before)
            add(parts, { from: at, to: at + BUCKET_MS, count: counts.get(at) ?? 0 }, at === before[0]);
          add(parts, { from: start, to: start + BUCKET_MS, count }, before.length === 0);
        }
        for (const pack of PACKS) if ((both % 2 ** MOST_PACKS) & (1 << pack)) heard.set(pack, start);
        counts.set(start, count);
      }
      return [streamId, parts];
    }),
  );
}

/** What was to be read already is read once, and then nothing is forgotten. */
function add(parts: Part[], { from, to, count }: Omit<Part, 'isFresh'>, isFresh: boolean): void {
  const last = parts.at(-1);
  if (!last || from > last.to) parts.push({ from, to, count, isFresh });
  else if (to > last.to) parts[parts.length - 1] = { ...last, to, count: last.count + count };
}

type InPeriod = Box & { readonly streamId: number; readonly n: number; readonly count: number };
type Place = InPeriod & { readonly start: number };

/**
 * The nights in which a machine was seen so far from where it was last seen in working hours; each with that place before it.
 * Nothing that `watch` found ends before its night does.
 */
async function nightsMoved(
  db: Database,
  machines: readonly OwnedMachine[],
  range: Range,
  metres: number,
  shifts: readonly Range[],
): Promise<Map<number, Part[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const nights = nightsBetween(shifts, range);
  const seen = Map.groupBy(await readUnions(db, streamIds, nights), ({ streamId }) => streamId);
  const left = Map.groupBy(await readLast(db, streamIds, shifts), ({ streamId }) => streamId);
  return new Map(
    machines.map(({ streamId, ownedSince }) => {
      const parts: Part[] = [];
      const places = (left.get(streamId) ?? []).filter(({ start }) => start >= ownedSince);
      for (const { n, count, ...box } of seen.get(streamId) ?? []) {
        const night = nights[n] as Range;
        const place = places.findLast(({ start }) => start + BUCKET_MS <= night.from);
        if (place && acrossMetres(unionOf(box, place)) <= metres) continue;
        if (place)
          parts.push({ from: place.start, to: place.start + BUCKET_MS, count: place.count, isFresh: true });
        // Without one it counts from where it was seen first, in whichever night.
        const from = Math.floor(night.from / BUCKET_MS) * BUCKET_MS;
        parts.push({ from, to: night.to, count, isFresh: false });
      }
      return [streamId, parts];
    }),
  );
}

/** What is between the shifts. */
function nightsBetween(shifts: readonly Range[], range: Range): Range[] {
  const ends = [range.from, ...shifts.map(({ to }) => to)];
  const begins = [...shifts.map(({ from }) => from), range.to];
  return ends
    .map((from, n) => ({ from: Math.max(from, range.from), to: Math.min(begins[n] as number, range.to) }))
    .filter(({ from, to }) => from < to);
}

const IN_PERIODS = `unnest($2::float8[], $3::float8[], $4::integer[]) as p (from_ms, to_ms, n)
  join ${rollup} r on r.stream_id = any ($1::integer[]) and r.south is not null and r.bucket < to_timestamp(p.to_ms / 1000)`;
const periodsOf = (streamIds: readonly number[], periods: readonly Range[]) => [
  streamIds,
  periods.map(({ from }) => from),
  periods.map(({ to }) => to),
  periods.map((_, n) => n),
];

/** Of each period the box of all its positions. */
async function readUnions(
  db: Database,
  streamIds: readonly number[],
  periods: readonly Range[],
): Promise<InPeriod[]> {
  const { rows } = await db.query<InPeriod>(
    `select r.stream_id as "streamId", p.n, min(south) as south, min(west) as west, max(north) as north, max(east) as east,
       sum(count)::float8 as count
     from ${IN_PERIODS} and r.bucket > to_timestamp(p.from_ms / 1000) - interval '5 minutes'
     group by 1, 2 order by 1, 2`,
    periodsOf(streamIds, periods),
  );
  return rows;
}

/** Of each period the last 5 minutes with a position. */
async function readLast(
  db: Database,
  streamIds: readonly number[],
  periods: readonly Range[],
): Promise<Place[]> {
  const { rows } = await db.query<Place>(
    `select distinct on (r.stream_id, p.n) r.stream_id as "streamId", p.n, south, west, north, east, count, ${MS} as start
     from ${IN_PERIODS} and r.bucket >= to_timestamp(p.from_ms / 1000)
     order by r.stream_id, p.n, bucket desc`,
    periodsOf(streamIds, periods),
  );
  return rows;
}

const unionOf = (a: Box, b: Box): Box => ({
  south: Math.min(a.south, b.south),
  west: Math.min(a.west, b.west),
  north: Math.max(a.north, b.north),
  east: Math.max(a.east, b.east),
});

/** At most so far are two points of it from each other. */
const acrossMetres = ({ south, west, north, east }: Box): number => {
  // There a degree of longitude is longest.
  const lat = Math.abs(south) < Math.abs(north) ? south : north;
  return (
    distanceMetres({ lat, lon: west }, { lat, lon: east }) +
    distanceMetres({ lat: south, lon: west }, { lat: north, lon: west })
  );
};
