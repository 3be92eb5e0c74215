import type { Database } from '#server/platform/database.ts';
import type { ReadingKind, RuleSettings } from '#shared/domain/alerts/kinds.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { CHARGING_ABOVE_AMPS, CHARGING_FLAG_FROM } from '#shared/domain/machine-status.ts';
import {
  bucketsOf,
  HIGHEST,
  LOWEST,
  OF_STREAMS,
  ofPacks,
  PACKS,
  readArrays,
  type Value,
} from './buckets.store.ts';
import { nightsMoved } from './nights-moved.store.ts';
import { beginsAt, endsAnywhere, type Stretch } from './stretches.ts';
import type { OwnedMachine } from './watched.store.ts';

/**
 * Where in the history of machines a rule may have found something: a month of readings is millions, of which its 5-minute figures
 * rule out nearly all. `watch` then judges what is left, and forgets within 5 minutes all but the packs of a day and where a
 * machine was left: with what is read before, it judges as if it had seen everything.
 */

export type LookedFor = {
  readonly kind: ReadingKind;
  readonly settings: RuleSettings;
  /** Working hours of these machines, in order, from before the range on. */
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
        (is) => is.filled || (is.amps && is.plugged) || is.battery,
      );
    case 'speeding':
      return ask(
        { fast: 'speed_max > $4', slow: 'speed_min < $5', rests: `running_ms < ${BUCKET_MS}` },
        (is) => is.fast,
        (is) => is.slow || is.rests,
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
        (is) => is.unplugged || is.amps || is.filled || is.battery,
      );
    case 'packs-apart':
      return bucketsApart(db, streamIds, range, threshold);
    case 'pack-silent':
      return packsGone(db, streamIds, range, threshold);
    case 'charging':
      return aroundCharges(
        await readArrays(
          db,
          bucketsOf(`case when ${CHARGES.amps} or ${CHARGES.battery} then 1 else 0 end`),
          streamIds,
          range,
        ),
      );
    case 'moved':
      return nightsMoved(db, machines, range, threshold, shifts);
  }
}

/** What nobody knows of a bucket may be so. */
const CHARGES = {
  amps: `coalesce(charging_current_max > ${CHARGING_ABOVE_AMPS}, true)`,
  plugged: `coalesce(charging_flag_max >= ${CHARGING_FLAG_FROM}, true)`,
  /** The battery took current; the second part is of what it did before a silence, which has no figure. */
  battery: `(charging_ms > 0 or charged_mj > 0 or (known_ms > 0 and known_ms < ${BUCKET_MS} and in_mj > 0))`,
};

const anyPack = (element: 'min' | 'max', is: string): string =>
  `${element === 'min' ? LOWEST : HIGHEST} ${is}`;
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
      for (const { time: start, count: bits } of buckets) {
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

/** What one pack says is judged with what another one said 5 minutes before; that they agree again may be said anywhere. */
async function bucketsApart(
  db: Database,
  streamIds: readonly number[],
  range: Range,
  threshold: number,
): Promise<Map<number, Stretch[]>> {
  const found = await readArrays(
    db,
    `select stream_id, bucket, 1::float8 from (
       select stream_id, bucket,
         greatest(high, case when near then lag(high) over own end) - least(low, case when near then lag(low) over own end) as apart
       from (
         select stream_id, bucket, ${HIGHEST} as high, ${LOWEST} as low,
           lag(bucket) over (partition by stream_id order by bucket) = bucket - interval '5 minutes' as near
         from telemetry.rollup where ${OF_STREAMS}
       ) as each window own as (partition by stream_id order by bucket)
     ) as pairs where apart > $4`,
    streamIds,
    range,
    [threshold],
  );
  return new Map(
    [...found].map(([streamId, buckets]) => [
      streamId,
      [...buckets.map(({ time }) => beginsAt(time)), endsAnywhere(range)],
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
      buckets.flatMap(({ time }, n) =>
        buckets.slice(Math.max(0, n - AFTER_CHARGE), n + BEFORE_CHARGE + 1).some(({ count }) => count > 0)
          ? [beginsAt(time, { goesOn: true })]
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
      for (const { time: start, count: packs } of buckets) {
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
