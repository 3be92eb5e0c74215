import { readLevels } from '#server/fleet-figures/usual-days.ts';
import type { Database } from '#server/platform/database.ts';
import { readRanges } from '#server/telemetry/read-readings.ts';
import { isChargingSignal } from '#shared/domain/alerts/charging.ts';
import { type Charge, evaluateClockRule } from '#shared/domain/alerts/clock-rules.ts';
import { shiftsIn } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { firstFrom } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { type LevelBucket, usualDay } from '#shared/domain/usual-day.ts';
import type { OwnedMachine } from './active-rules.store.ts';
import { bucketsOf, HIGHEST, LOWEST, readArrays, type Value } from './buckets.store.ts';
import { chargeAfter, machineState, type Preview, type PreviewedAlert } from './past-machine-state.ts';

const DAY_MS = 86_400_000;
/** How far back the weekdays of a shift's forecast reach. */
const WEEKDAYS_MS = 29 * DAY_MS;
/** Highest level of a bucket in which the machine charged, or whose values after a silence are not in the roll-up. */
const CHARGED = -1;

/** Finds when a machine would not have reached the end of its shift: evaluates at the end of each bucket with readings. */
export async function findRunsShort(
  db: Database,
  { rule, week, range }: Preview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, PreviewedAlert[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const lows = await readArrays(db, bucketsOf(LOWEST), streamIds, range);
  const highestOrCharged = `case when charging_ms > 0 or heard_ms is distinct from ${BUCKET_MS} then ${CHARGED} else coalesce(${HIGHEST}, ${CHARGED}) end`;
  const highs = await readArrays(db, bucketsOf(highestOrCharged), streamIds, range);
  const levels = await readLevels(db, streamIds, [{ from: range.from - WEEKDAYS_MS, to: range.to }]);
  const found = new Map<number, PreviewedAlert[]>(streamIds.map((streamId) => [streamId, []]));
  for (const shift of shiftsIn(week, { from: range.from - DAY_MS, to: range.to })) {
    const asking = machines.map((machine) => {
      const { streamId, ownedSince } = machine;
      const within = { from: Math.max(range.from, shift.from, ownedSince), to: Math.min(range.to, shift.to) };
      const steps = stepsIn(within, lows.get(streamId) ?? [], highs.get(streamId) ?? []);
      const usual = usualOf(
        shift,
        (levels.get(streamId) ?? []).filter(({ time }) => time >= ownedSince),
      );
      const evaluate: Evaluator = (charge, now, openAt) =>
        evaluateClockRule(
          'runs-short',
          machineState(week, { charge: charge && { ...charge, usual } }),
          rule.settings,
          now,
          openAt,
        )[0];
      return { streamId, course: courseOf(usual.length > 0 ? steps : [], evaluate) };
    });
    for (const [streamId, alerts] of await inRounds(db, asking))
      for (const { until, ...one } of alerts)
        found.get(streamId)?.push({ ...one, until: until ?? (shift.to <= range.to ? shift.to : undefined) });
  }
  return found;
}

function usualOf({ from, to }: Range, pieces: readonly LevelBucket[]) {
  const days = [...new Set([amsterdamDay(from), amsterdamDay(to - 1)])];
  return days.flatMap((day) => usualDay(day, pieces) ?? []);
}

type Evaluator = (
  charge: Charge | undefined,
  now: number,
  openAt: number | undefined,
) => { readonly since: number; readonly words: string } | undefined;

/** Yields the ranges whose readings it needs, because the roll-up is not conclusive. */
type Course = Generator<Range, PreviewedAlert[], readonly Reading[]>;

/** Evaluates one shift. */
function* courseOf(steps: readonly Step[], evaluate: Evaluator): Course {
  const alerts: PreviewedAlert[] = [];
  let open: PreviewedAlert | undefined;
  for (const { at, low, high } of steps) {
    // The level at any time in this bucket lies between the lowest and the highest of its packs.
    const isSo = [at, at - BUCKET_MS].map(
      (time) => evaluate(levelOf(open ? high : low, time), at, open?.at) !== undefined,
    );
    if (isSo.every((one) => one === (open !== undefined))) continue;
    const what = evaluate(chargeAfter(yield { from: at - 2 * BUCKET_MS, to: at }), at, open?.at);
    if (what && !open) open = { since: what.since, at, words: what.words };
    else if (!what && open) {
      alerts.push({ ...open, until: at });
      open = undefined;
    }
  }
  return open ? [...alerts, open] : alerts;
}

/**
 * Runs generators side by side: reads the ranges that they yield with one query per round.
 * @returns the result of each, by stream
 */
async function inRounds(
  db: Database,
  all: readonly { readonly streamId: number; readonly course: Course }[],
): Promise<Map<number, PreviewedAlert[]>> {
  const alerts = new Map<number, PreviewedAlert[]>();
  let going = all.map((one) => ({ ...one, step: one.course.next([]) }));
  while (going.length > 0) {
    const asked = going.flatMap(({ streamId, course, step }) => {
      if (!step.done) return [{ streamId, course, ...step.value }];
      alerts.set(streamId, step.value);
      return [];
    });
    const readings = await readRanges(db, asked, isChargingSignal);
    going = asked.map(({ streamId, course }, n) => ({
      streamId,
      course,
      step: course.next(readings[n] ?? []),
    }));
  }
  return alerts;
}

type Step = { readonly at: number; readonly low: number; readonly high: number };

/**
 * Returns the ends of the buckets within a range, each with the lowest and highest level of a pack in the bucket and in the one before,
 * whose values may still count. `lows` and `highs` have the same buckets, in order.
 */
function stepsIn({ from, to }: Range, lows: readonly Value[], highs: readonly Value[]): Step[] {
  const steps: Step[] = [];
  for (let n = firstFrom(lows, from - BUCKET_MS); n < lows.length; n += 1) {
    const start = lows[n]?.time ?? 0;
    const at = start + BUCKET_MS;
    if (at > to) break;
    const isNext = lows[n - 1]?.time === start - BUCKET_MS;
    const [low = 0, high = CHARGED] = [lows[n]?.count, highs[n]?.count];
    const [lowBefore = low, highBefore = high] = isNext ? [lows[n - 1]?.count, highs[n - 1]?.count] : [];
    steps.push({
      at,
      low: Math.min(low, lowBefore),
      high: high === CHARGED || highBefore === CHARGED ? CHARGED : Math.max(high, highBefore),
    });
  }
  return steps;
}

const levelOf = (percent: number, at: number): Charge => ({
  percent,
  at,
  isCharging: percent === CHARGED,
  usual: [],
  full: undefined,
  takesMs: undefined,
});
