import type { Database } from '#server/platform/database.ts';
import { sentDoubles } from '#server/platform/sent-doubles.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { packElement } from '#server/telemetry/rollup-columns.ts';
import type { ReadingKind, RuleSettings } from '#shared/domain/alerts/kinds.ts';
import type { Box } from '#shared/domain/area.ts';
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

const { reading, rollup } = telemetryTables();

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

const MINUTE_MS = 60_000;

/** By stream, in order. Elsewhere nothing begins, and nothing is over. @param range ms */
export async function whereToLook(
  db: Database,
  { kind, settings, shifts }: LookedFor,
  machines: readonly OwnedMachine[],
  range: Range,
): Promise<Map<number, Stretch[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const { threshold = 0, clear = 0, hold = 0 } = settings;
  const ask = async <Name extends string>(
    parts: Readonly<Record<Name, string>>,
    mayBegin: Holds<Name>,
    mayEnd: Holds<Name>,
  ) => {
    const found = await readStretches(db, streamIds, range, [threshold, clear], parts, mayBegin, mayEnd);
    return new Map([...found].map(([streamId, stretches]) => [streamId, longEnough(stretches, hold)]));
  };
  switch (kind) {
    case 'low':
      return ask(
        { low: anyPack('min', '< $4'), filled: anyPack('max', '>= $5'), ...CHARGES },
        (is) => is.low,
        (is) => is.filled || (is.amps && is.plugged),
      );
    case 'speeding':
      return ask(
        { fast: 'speed_max > $4', slow: 'speed_min < $5' },
        (is) => is.fast,
        (is) => is.slow,
      );
    case 'not-charging':
      return ask(
        {
          low: anyPack('min', '< $4'),
          filled: anyPack('max', '>= $4'),
          weak: `coalesce(charging_current_min <= ${CHARGING_ABOVE_AMPS}, true)`,
          unplugged: `coalesce(charging_flag_min < ${CHARGING_FLAG_FROM}, true)`,
          ...CHARGES,
        },
        (is) => is.plugged && is.weak && is.low,
        (is) => is.unplugged || is.amps || is.filled,
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
      return [id, Array.from(times, (start, n) => ({ start, count: counted[n] || 0 }))];
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

/** Conditions on a bucket of the roll-up, by name; each holds of a bucket too where it does of the one right before it. */
type Parts = Readonly<Record<string, string>>;
type Holds<Name extends string = string> = (is: Readonly<Record<Name, boolean>>) => boolean;

/**
 * By what holds of a bucket or of the one right before it, whose values count for 5 minutes.
 * @param values $4 and so on
 */
async function readStretches(
  db: Database,
  streamIds: readonly number[],
  range: Range,
  values: readonly number[],
  parts: Parts,
  mayBegin: Holds,
  mayEnd: Holds,
): Promise<Map<number, Stretch[]>> {
  const conditions = Object.values(parts);
  const mask = conditions.map((is, n) => `case when ${is} then ${2 ** n} else 0 end`).join(' + ');
  const masks = await readArrays(db, bucketsOf(mask), streamIds, range, usedOf(values, mask));
  const flags = Array.from({ length: 2 ** conditions.length }, (_, bits) => {
    const is = Object.fromEntries(Object.keys(parts).map((name, n) => [name, (bits & (2 ** n)) > 0]));
    return { mayBegin: mayBegin(is), mayEnd: mayEnd(is) };
  });
  return new Map(
    [...masks].map(([streamId, buckets]) => {
      const stretches: { from: number; to: number; mayBegin: boolean; mayEnd: boolean }[] = [];
      let [lastStart, lastBits] = [Number.NEGATIVE_INFINITY, 0];
      for (const { start, count: bits } of buckets) {
        const isNear = start - lastStart === BUCKET_MS;
        const { mayBegin, mayEnd } = flags[isNear ? bits | lastBits : bits] as (typeof flags)[number];
        [lastStart, lastBits] = [start, bits];
        const last = stretches.at(-1);
        if (isNear && last?.mayBegin === mayBegin && last.mayEnd === mayEnd) last.to = start + BUCKET_MS;
        else stretches.push({ from: start, to: start + BUCKET_MS, mayBegin, mayEnd });
      }
      return [streamId, stretches];
    }),
  );
}

/** What holds for so many minutes before it is told is so in each of the buckets that they lie in. @param stretches in order */
function longEnough(stretches: readonly Stretch[], hold: number): Stretch[] {
  const least = (Math.floor((hold * MINUTE_MS) / BUCKET_MS) + 1) * BUCKET_MS;
  const found: Stretch[] = [];
  for (let n = 0; n < stretches.length; ) {
    let end = n + 1;
    if (stretches[n]?.mayBegin)
      while (stretches[end]?.mayBegin && stretches[end]?.from === stretches[end - 1]?.to) end += 1;
    const run = stretches.slice(n, end);
    const isLong = (run.at(-1)?.to ?? 0) - (run[0]?.from ?? 0) >= least;
    found.push(...run.map((one) => (isLong ? one : { ...one, mayBegin: false })));
    n = end;
  }
  return found;
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

/**
 * Buckets beside a charge, however far apart: what is between was not charging, and was settled. Its current counts until 5 minutes
 * later, so in the next one too; after that it stops, and the one after that tells that it had.
 */
const [BEFORE_CHARGE, AFTER_CHARGE] = [2, 3];

/** @param all 1 where it may have charged */
function aroundCharges(all: ReadonlyMap<number, readonly Value[]>): Map<number, Stretch[]> {
  return new Map(
    [...all].map(([streamId, buckets]) => [
      streamId,
      buckets.flatMap(({ start }, n) =>
        buckets.slice(Math.max(0, n - AFTER_CHARGE), n + BEFORE_CHARGE + 1).some(({ count }) => count > 0)
          ? [beginsAt(start, { goesOn: true })]
          : [],
      ),
    ]),
  );
}

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

/** Whole buckets of a shift or of a night. */
type Period = Range & { readonly shift?: Range; readonly night?: Range };
/** Of a machine, in one of the periods. */
type InPeriod = Box & { readonly streamId: number; readonly n: number };
/** ms */
type Fix = { readonly lat: number; readonly lon: number; readonly time: number };

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
  const nights = nightsBetween(shifts, range);
  const ends = shifts.map(({ from, to }) => endsAnywhere({ from: bucketStart(from), to }));
  // Five minutes in which a shift begins or ends are the night's.
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
      // What was in the five minutes that it shares with a night was not counted as its own.
      const before = [shifts.findLast(({ to }) => to <= night.from), known && periods[known.n]?.shift];
      const first = asked.length;
      for (const shift of new Set(before))
        if (shift && shift.to > ownedSince)
          asked.push({ streamId, from: Math.max(shift.from, ownedSince), to: shift.to, isLast: true });
      // Without one it counts from where it was seen first.
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
        at.map((start) => beginsAt(start, { before: [{ from: fix.time, to: fix.time + 1 }] })),
      );
      return [streamId, [...moved, ...ends].sort((a, b) => a.from - b.from)];
    }),
  );
}

const bucketEnd = (ms: number): number => bucketStart(ms + BUCKET_MS - 1);
/** m, at the equator and more than it is. */
const LONGEST_DEGREE = 112_000;
/** At most so far is a point of it from there. */
const acrossMetres = ({ south, west, north, east }: Box, { lat, lon }: Fix): number =>
  (Math.max(north, lat) - Math.min(south, lat) + Math.max(east, lon) - Math.min(west, lon)) * LONGEST_DEGREE;

/** What is between the shifts. */
function nightsBetween(shifts: readonly Range[], range: Range): Range[] {
  const ends = [range.from, ...shifts.map(({ to }) => to)];
  const begins = [...shifts.map(({ from }) => from), range.to];
  return ends
    .map((from, n) => ({ from: Math.max(from, range.from), to: Math.min(begins[n] as number, range.to) }))
    .filter(({ from, to }) => from < to);
}

/**
 * By stream, of each period in which 5 minutes with a position begin, in order. Found by their borders: joined with the periods, each
 * bucket would be held against each of them.
 * @param periods in order, apart from each other
 */
async function readPeriods(
  db: Database,
  streamIds: readonly number[],
  periods: readonly Range[],
): Promise<Map<number, InPeriod[]>> {
  const { rows } = await db.query<InPeriod>(
    `select stream_id as "streamId", n - 1 as n, min(south) as south, min(west) as west, max(north) as north, max(east) as east
     from (
       select *, ${MS} as start, width_bucket(${MS}, $4::float8[]) as n from ${rollup} where ${OF_STREAMS} and south is not null
     ) as r where n > 0 and start < ($5::float8[])[n] group by stream_id, n order by 1, 2`,
    [
      streamIds,
      new Date(periods[0]?.from ?? 0),
      new Date(periods.at(-1)?.to ?? 0),
      periods.map(({ from }) => from),
      periods.map(({ to }) => to),
    ],
  );
  return Map.groupBy(rows, ({ streamId }) => streamId);
}

type FixAsked = Range & { readonly streamId: number; readonly isLast: boolean };

/** The last or the first position of each. */
async function readFixes(db: Database, asked: readonly FixAsked[]): Promise<(Fix | undefined)[]> {
  const read = async (isLast: boolean) => {
    const own = asked.flatMap((one, n) => (one.isLast === isLast ? [{ ...one, n }] : []));
    if (own.length === 0) return [];
    const { rows } = await db.query<Fix & { n: number }>(
      `select a.n, r.latitude::float8 as lat, r.longitude::float8 as lon, date_part('epoch', r.time) * 1000 as time
       from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $4::integer[]) as a (id, since, until, n), lateral (
         select latitude, longitude, time from ${reading} r
         where r.stream_id = a.id and r.time >= a.since and r.time < a.until and latitude is not null and longitude is not null
         order by time ${isLast ? 'desc' : ''} limit 1) as r`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ from }) => new Date(from)),
        own.map(({ to }) => new Date(to)),
        own.map(({ n }) => n),
      ],
    );
    return rows;
  };
  const fixes = new Array<Fix | undefined>(asked.length);
  for (const { n, lat, lon, time } of [...(await read(true)), ...(await read(false))])
    fixes[n] = { lat, lon, time: Math.round(time) };
  return fixes;
}

type Suspect = { readonly streamId: number; readonly night: Range; readonly fix: Fix };

/** Of each the buckets of the night that may be so far from where it was left. @returns their starts, ms, by place */
async function readAway(
  db: Database,
  suspect: readonly Suspect[],
  metres: number,
): Promise<Map<number, number[]>> {
  if (suspect.length === 0) return new Map();
  const { rows } = await db.query<{ n: number; starts: Buffer }>(
    `select p.n::int - 1 as n, array_send(array_agg(${MS} order by bucket)) as starts
     from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $4::float8[], $5::float8[])
       with ordinality as p (id, since, until, lat, lon, n), lateral (
       select bucket from ${rollup} r where r.stream_id = p.id and r.bucket > p.since - interval '5 minutes' and r.bucket < p.until
         and greatest(north, lat) - least(south, lat) + greatest(east, lon) - least(west, lon) > $6::float8 / ${LONGEST_DEGREE}
     ) as r group by p.n`,
    [
      suspect.map(({ streamId }) => streamId),
      suspect.map(({ night }) => new Date(night.from)),
      suspect.map(({ night }) => new Date(night.to)),
      suspect.map(({ fix }) => fix.lat),
      suspect.map(({ fix }) => fix.lon),
      metres,
    ],
  );
  return new Map(rows.map(({ n, starts }) => [n, [...sentDoubles(starts)]]));
}
