import {
  LEVEL_BUCKET_COLUMNS_SQL,
  levelBuckets,
  readBucketExpressions,
} from '#server/fleet-figures/usual-days.ts';
import type { Database } from '#server/platform/database.ts';
import { readReadingsInRanges } from '#server/telemetry/readings/read-readings.ts';
import { evaluateTimerRule } from '#shared/domain/alerts/evaluations.ts';
import type { AlertFinding } from '#shared/domain/alerts/kinds/kind.ts';
import { findChargeShortage } from '#shared/domain/alerts/kinds/runs-short.ts';
import { isChargingSignal } from '#shared/domain/alerts/kinds/signals.ts';
import type { MachineCharge } from '#shared/domain/alerts/machine-state.ts';
import { shiftsIn } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { firstIndexFrom } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { usualLevelChangesOn } from '#shared/domain/usual-day.ts';
import type { OwnedMachine } from './active-rules.store.ts';
import { HIGHEST_LEVEL_SQL, LOWEST_LEVEL_SQL } from './buckets.store.ts';
import {
  machineChargeAfter,
  type PreviewedAlert,
  pastMachineState,
  type TimerRulePreview,
} from './past-machine-state.ts';

const DAY_MS = 86_400_000;
/** How far back a shift's forecast reads the same weekday: four weeks and a day. */
const WEEKDAYS_MS = 29 * DAY_MS;
/** In place of the highest level of a bucket that cannot rule out an alert: the machine charged, or sent nothing for a part of it. */
const CHARGED = -1;

/** Finds when a machine would not have reached the end of its shift: evaluates at the end of each bucket with readings. */
export async function findRunsShortAlerts(
  db: Database,
  { rule, week, range }: TimerRulePreview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, PreviewedAlert[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const isCharged = `charging_ms > 0 or heard_ms is distinct from ${BUCKET_MS}`;
  const numbers = await readBucketExpressions(
    db,
    streamIds,
    [{ from: range.from - WEEKDAYS_MS, to: range.to }],
    [
      ...LEVEL_BUCKET_COLUMNS_SQL,
      LOWEST_LEVEL_SQL,
      `case when ${isCharged} then ${CHARGED} else coalesce(${HIGHEST_LEVEL_SQL}, ${CHARGED}) end`,
    ],
  );
  const histories = machines.map(({ streamId, ownedSince }) => {
    const columns = numbers.get(streamId) ?? [];
    const levels = levelBuckets(columns);
    const [lows, highs] = columns.slice(LEVEL_BUCKET_COLUMNS_SQL.length);
    const ranges = levels.map(({ time }, n) => ({ time, low: lows?.[n] || 0, high: highs?.[n] ?? CHARGED }));
    return { streamId, ownedSince, ranges, owned: levels.slice(firstIndexFrom(levels, ownedSince)) };
  });
  const evaluations = shiftsIn(week, { from: range.from - DAY_MS, to: range.to }).flatMap((shift) => {
    const usualDays = [...new Set([amsterdamDay(shift.from), amsterdamDay(shift.to - 1)])].map(
      usualLevelChangesOn,
    );
    return histories.flatMap(({ streamId, ownedSince, ranges, owned }) => {
      const within = { from: Math.max(range.from, shift.from, ownedSince), to: Math.min(range.to, shift.to) };
      const steps = stepsIn(within, ranges);
      const usual = steps.length > 0 ? usualDays.flatMap((usualDay) => usualDay(owned) ?? []) : [];
      if (usual.length === 0) return [];
      const asOf = (charge: MachineCharge | undefined) =>
        pastMachineState(week, { charge: charge && { ...charge, usual } });
      const evaluation = evaluateShift(steps, {
        isShort: (charge, now, openAt) =>
          findChargeShortage(asOf(charge), rule.settings, now, openAt) !== undefined,
        evaluate: (charge, now, openAt) =>
          evaluateTimerRule(rule.kind, asOf(charge), rule.settings, now, openAt)[0],
      });
      return [{ streamId, shift, evaluation }];
    });
  });
  const found = new Map<number, PreviewedAlert[]>(streamIds.map((streamId) => [streamId, []]));
  for (const [{ streamId, shift }, alerts] of await inRounds(db, evaluations))
    for (const { until, ...one } of alerts)
      found.get(streamId)?.push({ ...one, until: until ?? (shift.to <= range.to ? shift.to : undefined) });
  return found;
}

type Evaluator<Result> = (
  charge: MachineCharge | undefined,
  now: number,
  openAt: number | undefined,
) => Result;
type Evaluators = {
  readonly isShort: Evaluator<boolean>;
  readonly evaluate: Evaluator<AlertFinding | undefined>;
};

/**
 * The evaluation of one shift, a generator. It yields the ranges for which the roll-up is not conclusive, receives the readings of each,
 * and returns the alerts.
 */
type ShiftEvaluation = Generator<Range, PreviewedAlert[], readonly Reading[]>;

function* evaluateShift(steps: readonly Step[], { isShort, evaluate }: Evaluators): ShiftEvaluation {
  const alerts: PreviewedAlert[] = [];
  let open: PreviewedAlert | undefined;
  for (const { at, low, high } of steps) {
    // At any time in this bucket, the level lies between the lowest and the highest level of the packs.
    const isSo = [at, at - BUCKET_MS].map((time) => isShort(levelOf(open ? high : low, time), at, open?.at));
    if (isSo.every((one) => one === (open !== undefined))) continue;
    const what = evaluate(machineChargeAfter(yield { from: at - 2 * BUCKET_MS, to: at }), at, open?.at);
    if (what?.figures && !open) open = { since: what.since, at, figures: what.figures };
    else if (!what && open) {
      alerts.push({ ...open, until: at });
      open = undefined;
    }
  }
  return open ? [...alerts, open] : alerts;
}

/**
 * Runs generators concurrently: reads the ranges that they yield with one query per round.
 * @returns the input items, each with its generator's result
 */
async function inRounds<One extends { readonly streamId: number; readonly evaluation: ShiftEvaluation }>(
  db: Database,
  all: readonly One[],
): Promise<(readonly [One, PreviewedAlert[]])[]> {
  const finished: (readonly [One, PreviewedAlert[]])[] = [];
  let running = all.map((one) => ({ one, step: one.evaluation.next([]) }));
  while (running.length > 0) {
    const asked = running.flatMap(({ one, step }) => {
      if (!step.done) return [{ one, streamId: one.streamId, ...step.value }];
      finished.push([one, step.value]);
      return [];
    });
    const readings = await readReadingsInRanges(db, asked, isChargingSignal);
    running = asked.map(({ one }, n) => ({ one, step: one.evaluation.next(readings[n] ?? []) }));
  }
  return finished;
}

/** Lowest and highest level of a pack in a bucket; 0: no pack sent one. */
type LevelRange = { readonly time: number; readonly low: number; readonly high: number };
type Step = { readonly at: number; readonly low: number; readonly high: number };

/**
 * Returns a step at the end of each bucket in a range, with the lowest and the highest level of any pack in that bucket and the one
 * before: a level of the previous bucket may still be the newest one.
 */
function stepsIn({ from, to }: Range, buckets: readonly LevelRange[]): Step[] {
  const steps: Step[] = [];
  for (let n = firstIndexFrom(buckets, from - BUCKET_MS); n < buckets.length; n += 1) {
    const { time: start, low, high } = buckets[n] as LevelRange;
    const at = start + BUCKET_MS;
    if (at > to) break;
    const last = buckets[n - 1];
    const before = last?.time === start - BUCKET_MS ? last : { low, high };
    steps.push({
      at,
      low: Math.min(low, before.low),
      high: high === CHARGED || before.high === CHARGED ? CHARGED : Math.max(high, before.high),
    });
  }
  return steps;
}

const levelOf = (percent: number, at: number): MachineCharge => ({
  percent,
  at,
  isCharging: percent === CHARGED,
  usual: [],
  full: undefined,
  takesMs: undefined,
});
