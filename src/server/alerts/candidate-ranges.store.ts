import type { Database } from '#server/platform/database.ts';
import { EVALUATIONS } from '#shared/domain/alerts/evaluations.ts';
import type {
  AlertBucketBounds,
  BucketCondition,
  BucketFigure,
  RuleSettings,
  ThresholdSide,
} from '#shared/domain/alerts/kinds/kind.ts';
import { isConditionKind, kindDefinition, type ReadingAlertKind } from '#shared/domain/alerts/kinds.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { CHARGING_ABOVE_AMPS, MIN_CHARGING_FLAG } from '#shared/domain/machine-status.ts';
import type { OwnedMachine } from './active-rules.store.ts';
import {
  type BucketValue,
  bucketValuesSql,
  HIGHEST_LEVEL_SQL,
  IN_STREAMS_AND_RANGE_SQL,
  LOWEST_LEVEL_SQL,
  PACK_INDEXES,
  packElementsSql,
  readBucketValues,
} from './buckets.store.ts';
import { type CandidateRange, rangeWhereAlertMayBegin, rangeWhereAlertMayEnd } from './candidate-range.ts';
import { findMovesOutsideHours } from './nights-moved.store.ts';

/**
 * Finds the candidate ranges of a rule in the history of machines. A month has millions of readings, and roll-up buckets rule out nearly
 * all of them. `evaluateReading` then evaluates the remaining readings. Before the readings of a range, it is given those of the 5 minutes
 * before the range, of the packs seen in the day before, and of the position where the machine was left, so that the result is the same as
 * with all readings.
 */

export type CandidateQuery = {
  readonly kind: ReadingAlertKind;
  readonly settings: RuleSettings;
  /** Working hours of these machines, in order, from before the range. */
  readonly shifts: readonly Range[];
};

const MINUTE_MS = 60_000;

/**
 * Returns the candidate ranges by stream, in order. No alert begins or ends outside these ranges.
 * @param range ms
 */
export async function findCandidateRanges(
  db: Database,
  { kind, settings, shifts }: CandidateQuery,
  machines: readonly OwnedMachine[],
  range: Range,
): Promise<Map<number, CandidateRange[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const { threshold = 0, hold = 0 } = settings;
  if (!isConditionKind(kind)) {
    const mayCharge = `case when ${STATES.current} or ${STATES['takes-current']} then 1 else 0 end`;
    return aroundCharges(await readBucketValues(db, bucketValuesSql(mayCharge), streamIds, range));
  }
  const { fires = 'above' } = kindDefinition(kind);
  const { buckets } = EVALUATIONS[kind];
  const { figure } = buckets;
  if (figure === 'distance') return findMovesOutsideHours(db, machines, range, threshold, shifts);
  if (figure === 'pack-times') return packsGone(db, streamIds, range, threshold);
  if (figure === 'spread') return bucketsApart(db, streamIds, range, threshold);
  const found = await readCandidates(db, streamIds, range, { ...buckets, fires, figure }, settings);
  return new Map([...found].map(([streamId, candidates]) => [streamId, longEnough(candidates, hold)]));
}

/** SQL of the lowest and highest value of a figure in a bucket. */
const EXTREMES = {
  level: { below: LOWEST_LEVEL_SQL, above: HIGHEST_LEVEL_SQL },
  speed: { below: 'speed_min', above: 'speed_max' },
} satisfies Partial<Record<BucketFigure, Readonly<Record<ThresholdSide, string>>>>;

/** SQL conditions on a bucket. */
const STATES: Readonly<Record<BucketCondition, string>> = {
  plugged: `charging_flag_max >= ${MIN_CHARGING_FLAG}`,
  unplugged: `charging_flag_min < ${MIN_CHARGING_FLAG}`,
  current: `charging_current_max > ${CHARGING_ABOVE_AMPS}`,
  'no-current': `charging_current_min <= ${CHARGING_ABOVE_AMPS}`,
  // The condition on known_ms covers a bucket with a silence: the roll-up does not contain the values right before the silence.
  'takes-current': `(charging_ms > 0 or charged_mj > 0 or (known_ms > 0 and known_ms < ${BUCKET_MS} and in_mj > 0))`,
  rests: `running_ms < ${BUCKET_MS}`,
};

type Bounds = AlertBucketBounds & { readonly fires: ThresholdSide; readonly figure: keyof typeof EXTREMES };

/**
 * Reads the ranges in which an alert of a kind may begin or end, by the kind's bounds on the values of a bucket. Values stay fresh for 5
 * minutes, so the values of a bucket and of the bucket right before it both count.
 */
async function readCandidates(
  db: Database,
  streamIds: readonly number[],
  range: Range,
  { fires, figure, firesIf = [], okIf = [] }: Bounds,
  { threshold = 0, clear = threshold }: RuleSettings,
): Promise<Map<number, CandidateRange[]>> {
  const extremes = EXTREMES[figure];
  const conditions = [
    fires === 'below' ? `${extremes.below} < $4` : `${extremes.above} > $4`,
    fires === 'below' ? `${extremes.above} >= $5` : `${extremes.below} < $5`,
    ...[...firesIf, ...okIf].map((state) => STATES[state]),
  ];
  const mask = conditions.map((is, n) => `case when ${is} then ${2 ** n} else 0 end`).join(' + ');
  const masks = await readBucketValues(db, bucketValuesSql(mask), streamIds, range, [threshold, clear]);
  const flags = Array.from({ length: 2 ** conditions.length }, (_, bits) => {
    const [isBeyond, isClear, ...states] = conditions.map((_, n) => (bits & (2 ** n)) > 0);
    return {
      mayBegin: isBeyond === true && states.slice(0, firesIf.length).every(Boolean),
      mayEnd: isClear === true || states.slice(firesIf.length).some(Boolean),
    };
  });
  return new Map(
    [...masks].map(([streamId, buckets]) => {
      const candidates: { from: number; to: number; mayBegin: boolean; mayEnd: boolean }[] = [];
      let [lastStart, lastBits] = [Number.NEGATIVE_INFINITY, 0];
      for (const { time: start, count: bits } of buckets) {
        const isNear = start - lastStart === BUCKET_MS;
        const { mayBegin, mayEnd } = flags[isNear ? bits | lastBits : bits] as (typeof flags)[number];
        [lastStart, lastBits] = [start, bits];
        const last = candidates.at(-1);
        if (isNear && last?.mayBegin === mayBegin && last.mayEnd === mayEnd) last.to = start + BUCKET_MS;
        else candidates.push({ from: start, to: start + BUCKET_MS, mayBegin, mayEnd });
      }
      return [streamId, candidates];
    }),
  );
}

/**
 * Sets `mayBegin` to false in runs of ranges that are shorter than the pending period `hold` (minutes): no alert can open there, because
 * the condition must hold in each bucket of the period.
 * @param candidates ranges in order of time
 */
function longEnough(candidates: readonly CandidateRange[], hold: number): CandidateRange[] {
  const least = (Math.floor((hold * MINUTE_MS) / BUCKET_MS) + 1) * BUCKET_MS;
  const found: CandidateRange[] = [];
  for (let n = 0; n < candidates.length; ) {
    let end = n + 1;
    if (candidates[n]?.mayBegin)
      while (candidates[end]?.mayBegin && candidates[end]?.from === candidates[end - 1]?.to) end += 1;
    const run = candidates.slice(n, end);
    const isLong = (run.at(-1)?.to ?? 0) - (run[0]?.from ?? 0) >= least;
    found.push(...run.map((one) => (isLong ? one : { ...one, mayBegin: false })));
    n = end;
  }
  return found;
}

/**
 * Returns the buckets in which two packs may differ by more than the threshold, each with the bucket right before it: packs are compared by
 * values up to 5 minutes old. The alert may end in any bucket.
 */
async function bucketsApart(
  db: Database,
  streamIds: readonly number[],
  range: Range,
  threshold: number,
): Promise<Map<number, CandidateRange[]>> {
  const found = await readBucketValues(
    db,
    `select stream_id, bucket, 1::float8 from (
       select stream_id, bucket,
         greatest(high, case when near then lag(high) over own end) - least(low, case when near then lag(low) over own end) as apart
       from (
         select stream_id, bucket, ${HIGHEST_LEVEL_SQL} as high, ${LOWEST_LEVEL_SQL} as low,
           lag(bucket) over (partition by stream_id order by bucket) = bucket - interval '5 minutes' as near
         from telemetry.rollup where ${IN_STREAMS_AND_RANGE_SQL}
       ) as each window own as (partition by stream_id order by bucket)
     ) as pairs where apart > $4`,
    streamIds,
    range,
    [threshold],
  );
  return new Map(
    [...found].map(([streamId, buckets]) => [
      streamId,
      [...buckets.map(({ time }) => rangeWhereAlertMayBegin(time)), rangeWhereAlertMayEnd(range)],
    ]),
  );
}

/**
 * Number of buckets to read before and after each possible charge; in the other buckets the machine does not charge. A charging
 * current stays fresh for 5 minutes, so it counts in the next bucket too; the bucket after that shows the end.
 */
const [BEFORE_CHARGE, AFTER_CHARGE] = [2, 3];

/** Returns the buckets around possible charges. @param all by stream; value 1: the machine may have charged in the bucket */
function aroundCharges(all: ReadonlyMap<number, readonly BucketValue[]>): Map<number, CandidateRange[]> {
  return new Map(
    [...all].map(([streamId, buckets]) => [
      streamId,
      buckets.flatMap(({ time }, n) =>
        buckets.slice(Math.max(0, n - AFTER_CHARGE), n + BEFORE_CHARGE + 1).some(({ count }) => count > 0)
          ? [rangeWhereAlertMayBegin(time, { keepsState: true })]
          : [],
      ),
    ]),
  );
}

/** How long `evaluateReading` remembers a pack (docs/alerts.md section 2). */
const PACK_KNOWN_MS = 24 * 3_600_000;

/**
 * Returns the buckets in which a pack that was seen within 24 h sent nothing for 5 minutes. Each has in `before` the last bucket of every
 * pack, whose readings the evaluation needs first.
 */
async function packsGone(
  db: Database,
  streamIds: readonly number[],
  range: Range,
  minutes: number,
): Promise<Map<number, CandidateRange[]>> {
  const mask = packElementsSql('count')
    .map((count, pack) => `case when ${count} > 0 then ${2 ** pack} else 0 end`)
    .join(' + ');
  const masks = await readBucketValues(db, bucketValuesSql(mask), streamIds, {
    ...range,
    from: range.from - PACK_KNOWN_MS,
  });
  // A silence shorter than two buckets can lie within two buckets that both have values of the pack, so every bucket is a candidate.
  const mayHide = minutes * MINUTE_MS < 2 * BUCKET_MS;
  return new Map(
    [...masks].map(([streamId, buckets]) => {
      const candidates: CandidateRange[] = [];
      const lastSeen = new Map<number, number>();
      for (const { time: start, count: packs } of buckets) {
        for (const [pack, at] of lastSeen) if (at < start - PACK_KNOWN_MS - BUCKET_MS) lastSeen.delete(pack);
        const isGone = [...lastSeen.values()].some((at) => at < start - BUCKET_MS);
        if ((isGone || mayHide) && start + BUCKET_MS > range.from) {
          const last = [...new Set(lastSeen.values())].sort((a, b) => a - b);
          candidates.push(
            rangeWhereAlertMayBegin(start, { before: last.map((from) => ({ from, to: from + BUCKET_MS })) }),
          );
        }
        for (const pack of PACK_INDEXES) if (packs & (1 << pack)) lastSeen.set(pack, start);
      }
      return [streamId, [...candidates, rangeWhereAlertMayEnd(range)]];
    }),
  );
}
