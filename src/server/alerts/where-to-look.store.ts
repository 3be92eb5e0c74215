import type { Database } from '#server/platform/database.ts';
import { sentDoubles } from '#server/platform/sent-doubles.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { packElement } from '#server/telemetry/rollup-columns.ts';
import type { ReadingKind, RuleSettings } from '#shared/domain/alerts/kinds.ts';
import type { Box } from '#shared/domain/area.ts';
import { distanceMetres } from '#shared/domain/distance.ts';
import { bucketStart } from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { CHARGING_ABOVE_AMPS, CHARGING_FLAG_FROM } from '#shared/domain/machine-status.ts';
import { MOST_PACKS } from '#shared/domain/packs.ts';
import type { OwnedMachine } from './watched.store.ts';

/**
 * Where in the history of machines a rule may have found something: a month of readings is millions, of which its 5-minute figures
 * rule out nearly all. `watch` then judges what is left, and forgets within 5 minutes all but the packs of a day and where a
 * machine was left: with what is read before, it judges as if it had seen everything.
 */

const { rollup } = telemetryTables();

/** Whole buckets of a history, ms: whether something may begin in them, and be over. */
export type Stretch = Range & {
  readonly mayBegin: boolean;
  readonly mayEnd: boolean;
  /** To be read first, where the bucket before is not; undefined: that one. */
  readonly before?: readonly Range[];
  /** What came before it counts, whatever was read of it. */
  readonly goesOn?: boolean;
};

export type LookedFor = {
  readonly kind: ReadingKind;
  readonly settings: RuleSettings;
  /** Of the machine's organization, in order, from before the range on. */
  readonly shifts: readonly Range[];
};

/** By stream, in order. Elsewhere nothing begins, and nothing is over. @param range ms */
export async function whereToLook(
  db: Database,
  { kind, settings, shifts }: LookedFor,
  machines: readonly OwnedMachine[],
  range: Range,
): Promise<Map<number, Stretch[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const { threshold = 0, clear = 0 } = settings;
  const ask = (parts: Parts, mayBegin: string, mayEnd: string) =>
    readStretches(db, streamIds, range, [threshold, clear], parts, mayBegin, mayEnd);
  switch (kind) {
    case 'low':
      return ask(
        { low: anyPack('min', '< $4'), filled: anyPack('max', '>= $5'), ...CHARGES },
        'low',
        'filled or amps and plugged',
      );
    case 'speeding':
      return ask({ fast: 'speed_max > $4', slow: 'speed_min < $5' }, 'fast', 'slow');
    case 'not-charging':
      return ask(
        {
          low: anyPack('min', '< $4'),
          filled: anyPack('max', '>= $4'),
          weak: `coalesce(charging_current_min <= ${CHARGING_ABOVE_AMPS}, true)`,
          unplugged: `coalesce(charging_flag_min < ${CHARGING_FLAG_FROM}, true)`,
          ...CHARGES,
        },
        'plugged and weak and low',
        'unplugged or amps or filled',
      );
    case 'packs-apart':
      return bucketsApart(db, streamIds, range, threshold);
    case 'pack-silent':
      return packsGone(db, streamIds, range, threshold);
    case 'charging':
      return aroundCharges(
        await readArrays(db, bucketsOf(`case when ${CHARGES.amps} then 1 else 0 end`), streamIds, range),
      );
    case 'moved':
      return nightsMoved(db, machines, range, threshold, shifts);
  }
}

/** What nobody knows of a bucket may be so. */
const CHARGES = {
  amps: `coalesce(charging_current_max > ${CHARGING_ABOVE_AMPS}, true)`,
  plugged: `coalesce(charging_flag_max >= ${CHARGING_FLAG_FROM}, true)`,
};

const PACKS = Array.from({ length: MOST_PACKS }, (_, pack) => pack);
const ofPacks = (element: 'min' | 'max' | 'count'): string[] =>
  PACKS.map((pack) => packElement(pack, element));
const anyPack = (element: 'min' | 'max', is: string): string =>
  `${element === 'min' ? LOWEST : HIGHEST} ${is}`;
const MS = `(date_part('epoch', bucket) * 1000)::float8`;
const OF_STREAMS = 'stream_id = any ($1::integer[]) and bucket >= $2 and bucket < $3';
/** By stream, two arrays of doubles: as text a month of a fleet costs more than all else. */
const AS_ARRAYS = `select stream_id as id, array_send(array_agg(start order by start)) as starts,
  array_send(array_agg(value order by start)) as values`;

type Value = { readonly start: number; readonly count: number };

/** By stream, a value (0 where there is none) of each 5 minutes in which something came in, in order. @param from as `bucketsOf` */
export async function readArrays(
  db: Database,
  from: string,
  streamIds: readonly number[],
  range: Range,
  values: readonly unknown[] = [],
): Promise<Map<number, Value[]>> {
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
const HIGHEST = `greatest(${ofPacks('max')})`;

/** %, the lowest or highest of each pack added up. */
export const sumOfPacks = (element: 'min' | 'max'): string =>
  ofPacks(element)
    .map((value) => `coalesce(${value}, 0)`)
    .join(' + ');

/** Conditions on a bucket of the roll-up, by name. */
type Parts = Readonly<Record<string, string>>;

/**
 * @param values $4 and so on
 * @param parts each holds of a bucket too where it does of the one right before it, whose values count for 5 minutes
 */
async function readStretches(
  db: Database,
  streamIds: readonly number[],
  range: Range,
  values: readonly number[],
  parts: Parts,
  mayBegin: string,
  mayEnd: string,
): Promise<Map<number, Stretch[]>> {
  const names = Object.keys(parts);
  const own = Object.entries(parts).map(([name, is]) => `coalesce(${is}, false) as ${name}`);
  const both = names.map((name) => `${name} or near and lag(${name}, 1, false) over own as ${name}`);
  // The first bucket of those that follow each other and are alike.
  const firsts = await readArrays(
    db,
    `select stream_id, start, flags::float8 from (
       select stream_id, start, flags, near and flags = lag(flags) over own as is_alike from (
         select stream_id, start, near, (${mayBegin})::int + 2 * (${mayEnd})::int as flags from (
           select stream_id, start, near, ${both.join(', ')} from (
             select stream_id, ${MS} as start, ${own.join(', ')},
               coalesce(bucket - lag(bucket) over (partition by stream_id order by bucket) = interval '5 minutes', false) as near
             from ${rollup} where ${OF_STREAMS}
           ) as each window own as (partition by stream_id order by start)
         ) as pairs
       ) as flagged window own as (partition by stream_id order by start)
     ) as found where not coalesce(is_alike, false)`,
    streamIds,
    range,
    usedOf(values, [...own, mayBegin, mayEnd].join(' ')),
  );
  return new Map(
    [...firsts].map(([streamId, found]) => [
      streamId,
      found.map(({ start, count }, n) => ({
        from: start,
        to: found[n + 1]?.start ?? bucketStart(range.to) + BUCKET_MS,
        mayBegin: count % 2 === 1,
        mayEnd: count >= 2,
      })),
    ]),
  );
}

/** PostgreSQL refuses a value that no parameter is of. */
const usedOf = (values: readonly number[], sql: string): readonly number[] =>
  values.filter((_, n) => sql.includes(`$${n + 4}`));

const beginsAt = (start: number, more: Partial<Stretch> = {}): Stretch => ({
  from: start,
  to: start + BUCKET_MS,
  mayBegin: true,
  mayEnd: false,
  ...more,
});
/** Where no figure tells that something is not over. */
const endsAnywhere = ({ from, to }: Range): Stretch => ({ from, to, mayBegin: false, mayEnd: true });

/** What one pack says is judged with what another one said 5 minutes before; that they agree again may be said anywhere. */
async function bucketsApart(
  db: Database,
  streamIds: readonly number[],
  range: Range,
  threshold: number,
): Promise<Map<number, Stretch[]>> {
  const found = await readArrays(
    db,
    `select stream_id, start, 1::float8 from (
       select stream_id, ${MS} as start,
         greatest(high, case when near then lag(high) over own end) - least(low, case when near then lag(low) over own end) as apart
       from (
         select stream_id, bucket, ${HIGHEST} as high, ${LOWEST} as low,
           lag(bucket) over (partition by stream_id order by bucket) = bucket - interval '5 minutes' as near
         from ${rollup} where ${OF_STREAMS}
       ) as each window own as (partition by stream_id order by bucket)
     ) as pairs where apart > $4`,
    streamIds,
    range,
    [threshold],
  );
  return new Map(
    [...found].map(([streamId, buckets]) => [
      streamId,
      [...buckets.map(({ start }) => beginsAt(start)), endsAnywhere(range)],
    ]),
  );
}

/** Of what comes before and after a charge two, however far apart: what is between was not charging, and was settled. */
const BESIDE_CHARGE = 2;

/** @param all 1 where it may have charged */
function aroundCharges(all: ReadonlyMap<number, readonly Value[]>): Map<number, Stretch[]> {
  return new Map(
    [...all].map(([streamId, buckets]) => [
      streamId,
      buckets.flatMap(({ start }, n) =>
        buckets.slice(Math.max(0, n - BESIDE_CHARGE), n + BESIDE_CHARGE + 1).some(({ count }) => count > 0)
          ? [beginsAt(start, { goesOn: true })]
          : [],
      ),
    ]),
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
): Promise<Map<number, Stretch[]>> {
  const mask = ofPacks('count')
    .map((count, pack) => `case when ${count} > 0 then ${2 ** pack} else 0 end`)
    .join(' + ');
  const masks = await readArrays(db, bucketsOf(mask), streamIds, {
    ...range,
    from: range.from - PACK_KNOWN_MS,
  });
  // A silence that is shorter may lie in two buckets that both heard the pack.
  const mayHide = minutes * MINUTE_MS < 2 * BUCKET_MS;
  return new Map(
    [...masks].map(([streamId, buckets]) => {
      const stretches: Stretch[] = [];
      const heard = new Map<number, number>();
      for (const { start, count: packs } of buckets) {
        for (const [pack, at] of heard) if (at < start - PACK_KNOWN_MS - BUCKET_MS) heard.delete(pack);
        const isGone = [...heard.values()].some((at) => at < start - BUCKET_MS);
        if ((isGone || mayHide) && start + BUCKET_MS > range.from) {
          const last = [...new Set(heard.values())].sort((a, b) => a - b);
          stretches.push(beginsAt(start, { before: last.map((from) => ({ from, to: from + BUCKET_MS })) }));
        }
        for (const pack of PACKS) if (packs & (1 << pack)) heard.set(pack, start);
      }
      return [streamId, [...stretches, endsAnywhere(range)]];
    }),
  );
}

type InPeriod = Box & { readonly streamId: number; readonly n: number };
type Place = InPeriod & { readonly start: number };

/**
 * Where machines were outside working hours so far from where they were last seen in them; each with that place before it. Nothing
 * is over before the next shift.
 */
async function nightsMoved(
  db: Database,
  machines: readonly OwnedMachine[],
  range: Range,
  metres: number,
  shifts: readonly Range[],
): Promise<Map<number, Stretch[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const nights = nightsBetween(shifts, range);
  const seen = Map.groupBy(await readUnions(db, streamIds, nights), ({ streamId }) => streamId);
  const left = Map.groupBy(await readLast(db, streamIds, shifts), ({ streamId }) => streamId);
  const first = new Map((await readFirst(db, machines, range)).map((place) => [place.streamId, place]));
  const moved = machines.map(({ streamId, ownedSince }) => {
    const places = (left.get(streamId) ?? []).filter(({ start }) => start >= ownedSince);
    const suspect = (seen.get(streamId) ?? []).flatMap(({ n, ...box }) => {
      const night = nights[n] as Range;
      // Without one it counts from where it was seen first.
      const place =
        places.findLast(({ start }) => start + BUCKET_MS <= night.from) ?? (first.get(streamId) as Place);
      return acrossMetres(unionOf(box, place)) <= metres ? [] : [{ night, place }];
    });
    return { streamId, suspect };
  });
  const boxes = Map.groupBy(
    await readBoxes(
      db,
      moved.flatMap(({ streamId, suspect }) => suspect.map(({ night }) => ({ streamId, ...night }))),
    ),
    ({ streamId }) => streamId,
  );
  return new Map(
    moved.map(({ streamId, suspect }) => {
      const own = boxes.get(streamId) ?? [];
      const begins = suspect.flatMap(({ night, place }) =>
        own
          .filter(
            (box) =>
              box.start + BUCKET_MS > night.from &&
              box.start < night.to &&
              acrossMetres(unionOf(box, place)) > metres,
          )
          .map(({ start }) =>
            beginsAt(start, { before: [{ from: place.start, to: place.start + BUCKET_MS }] }),
          ),
      );
      const ends = shifts.map(({ from, to }) => ({
        from: bucketStart(from),
        to,
        mayBegin: false,
        mayEnd: true,
      }));
      return [streamId, [...begins, ...ends].sort((a, b) => a.from - b.from)];
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

/**
 * Buckets with a position in periods, with the number of theirs from 1 on: joined by their borders each bucket would be held against
 * each period.
 * @param at of a bucket, ms: it counts for the last period that began by then
 */
const inPeriods = (at: string): string => `(
    select *, ${MS} as start, width_bucket(${at}, $4::float8[]) as n from ${rollup}
    where ${OF_STREAMS} and south is not null
  ) as r where n > 0 and start < ($5::float8[])[n]`;

const periodsOf = (streamIds: readonly number[], periods: readonly Range[]) => [
  streamIds,
  new Date((periods[0]?.from ?? 0) - BUCKET_MS),
  new Date(periods.at(-1)?.to ?? 0),
  periods.map(({ from }) => from),
  periods.map(({ to }) => to),
];

/** Of each period the box of all its positions. @param periods in order, apart from each other */
async function readUnions(
  db: Database,
  streamIds: readonly number[],
  periods: readonly Range[],
): Promise<InPeriod[]> {
  if (periods.length === 0) return [];
  const { rows } = await db.query<InPeriod>(
    `select stream_id as "streamId", n - 1 as n, min(south) as south, min(west) as west, max(north) as north, max(east) as east
     from ${inPeriods(`${MS} + ${BUCKET_MS - 1}`)} group by stream_id, n order by 1, 2`,
    periodsOf(streamIds, periods),
  );
  return rows;
}

/** Of each period the last 5 minutes with a position. @param periods as readUnions */
async function readLast(
  db: Database,
  streamIds: readonly number[],
  periods: readonly Range[],
): Promise<Place[]> {
  if (periods.length === 0) return [];
  const { rows } = await db.query<Place>(
    `select distinct on (stream_id, n) stream_id as "streamId", n - 1 as n, south, west, north, east, start
     from ${inPeriods(MS)} order by stream_id, n, bucket desc`,
    periodsOf(streamIds, periods),
  );
  return rows;
}

/** The first 5 minutes with a position of each. */
async function readFirst(db: Database, machines: readonly OwnedMachine[], { from }: Range): Promise<Place[]> {
  const { rows } = await db.query<Place>(
    `select distinct on (r.stream_id) r.stream_id as "streamId", 0 as n, south, west, north, east, ${MS} as start
     from unnest($1::integer[], $2::float8[]) as m (id, from_ms)
       join ${rollup} r on r.stream_id = m.id and r.south is not null and r.bucket > to_timestamp(m.from_ms / 1000) - interval '5 minutes'
     order by r.stream_id, bucket`,
    [machines.map(({ streamId }) => streamId), machines.map(({ ownedSince }) => Math.max(ownedSince, from))],
  );
  return rows;
}

/** Of each 5 minutes with a position in these periods of streams. */
async function readBoxes(
  db: Database,
  periods: readonly (Range & { readonly streamId: number })[],
): Promise<(Box & { readonly streamId: number; readonly start: number })[]> {
  if (periods.length === 0) return [];
  const { rows } = await db.query<{ boxes: (Box & { streamId: number; start: number })[] | null }>(
    `select json_agg(json_build_object('streamId', r.stream_id, 'start', ${MS}, 'south', south, 'west', west, 'north', north, 'east', east)
       order by r.stream_id, bucket) as boxes
     from unnest($1::integer[], $2::float8[], $3::float8[]) as p (id, from_ms, to_ms)
     join ${rollup} r on r.stream_id = p.id and r.south is not null and r.bucket < to_timestamp(p.to_ms / 1000)
       and r.bucket > to_timestamp(p.from_ms / 1000) - interval '5 minutes'`,
    [periods.map(({ streamId }) => streamId), periods.map(({ from }) => from), periods.map(({ to }) => to)],
  );
  return rows[0]?.boxes ?? [];
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
