import { readLevels } from '#server/fleet-figures/usual-days.ts';
import type { Database } from '#server/platform/database.ts';
import { readRanges } from '#server/telemetry/read-readings.ts';
import { isOfCharging } from '#shared/domain/alerts/charging.ts';
import { type Charge, judgeStanding } from '#shared/domain/alerts/standing.ts';
import { shiftsIn } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { firstFrom } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { type LevelBucket, usualDay } from '#shared/domain/usual-day.ts';
import { bucketsOf, HIGHEST, LOWEST, readArrays, type Value } from './buckets.store.ts';
import { chargeAfter, type Preview, standing, type Told } from './past-standing.ts';
import type { OwnedMachine } from './watched.store.ts';

const DAY_MS = 86_400_000;
/** How far back the weekdays of a shift's forecast lie at most. */
const WEEKDAYS_MS = 29 * DAY_MS;
/** As the highest level: it charged, or what it did before a silence is not in its figures. */
const CHARGED = -1;

/** When a machine would not have made the end of its shift: looked at as every 5 minutes in which something came in end. */
export async function findRunsShort(
  db: Database,
  { rule, week, range }: Preview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, Told[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const lows = await readArrays(db, bucketsOf(LOWEST), streamIds, range);
  const highestOrCharged = `case when charging_ms > 0 or heard_ms is distinct from ${BUCKET_MS} then ${CHARGED} else coalesce(${HIGHEST}, ${CHARGED}) end`;
  const highs = await readArrays(db, bucketsOf(highestOrCharged), streamIds, range);
  const levels = await readLevels(db, streamIds, [{ from: range.from - WEEKDAYS_MS, to: range.to }]);
  const found = new Map<number, Told[]>(streamIds.map((streamId) => [streamId, []]));
  for (const shift of shiftsIn(week, { from: range.from - DAY_MS, to: range.to })) {
    const asking = machines.map((machine) => {
      const { streamId, ownedSince } = machine;
      const within = { from: Math.max(range.from, shift.from, ownedSince), to: Math.min(range.to, shift.to) };
      const steps = stepsIn(within, lows.get(streamId) ?? [], highs.get(streamId) ?? []);
      const usual = usualOf(
        shift,
        (levels.get(streamId) ?? []).filter(({ time }) => time >= ownedSince),
      );
      const judge: Judge = (charge, now, openAt) =>
        judgeStanding(
          'runs-short',
          standing(week, { charge: charge && { ...charge, usual } }),
          rule.settings,
          now,
          openAt,
        )[0];
      return { streamId, course: courseOf(usual.length > 0 ? steps : [], judge) };
    });
    for (const [streamId, told] of await inRounds(db, asking))
      for (const { until, ...one } of told)
        found.get(streamId)?.push({ ...one, until: until ?? (shift.to <= range.to ? shift.to : undefined) });
  }
  return found;
}

/** Returns the usual days of a shift. */
function usualOf({ from, to }: Range, pieces: readonly LevelBucket[]) {
  const days = [...new Set([amsterdamDay(from), amsterdamDay(to - 1)])];
  return days.flatMap((day) => usualDay(day, pieces) ?? []);
}

type Judge = (
  charge: Charge | undefined,
  now: number,
  openAt: number | undefined,
) => { readonly since: number; readonly words: string } | undefined;

/** Asks for what was measured where the figures do not tell. */
type Course = Generator<Range, Told[], readonly Reading[]>;

/** In one shift. */
function* courseOf(steps: readonly Step[], judge: Judge): Course {
  const told: Told[] = [];
  let open: Told | undefined;
  for (const { at, low, high } of steps) {
    // The level at any time of these 5 minutes lies between the lowest and the highest of its packs.
    const isSo = [at, at - BUCKET_MS].map(
      (time) => judge(levelOf(open ? high : low, time), at, open?.at) !== undefined,
    );
    if (isSo.every((one) => one === (open !== undefined))) continue;
    const what = judge(chargeAfter(yield { from: at - 2 * BUCKET_MS, to: at }), at, open?.at);
    if (what && !open) open = { since: what.since, at, words: what.words };
    else if (!what && open) {
      told.push({ ...open, until: at });
      open = undefined;
    }
  }
  return open ? [...told, open] : told;
}

/** What several ask for is read at once, and again what they ask for then. @returns what each came to, by stream */
async function inRounds(
  db: Database,
  all: readonly { readonly streamId: number; readonly course: Course }[],
): Promise<Map<number, Told[]>> {
  const told = new Map<number, Told[]>();
  let going = all.map((one) => ({ ...one, step: one.course.next([]) }));
  while (going.length > 0) {
    const asked = going.flatMap(({ streamId, course, step }) => {
      if (!step.done) return [{ streamId, course, ...step.value }];
      told.set(streamId, step.value);
      return [];
    });
    const readings = await readRanges(db, asked, isOfCharging);
    going = asked.map(({ streamId, course }, n) => ({
      streamId,
      course,
      step: course.next(readings[n] ?? []),
    }));
  }
  return told;
}

type Step = { readonly at: number; readonly low: number; readonly high: number };

/**
 * The ends of the 5 minutes within a range, with the lowest and highest level of a pack in them and in the 5 minutes before, from which a
 * pack may still count. Both have the same ones, in order.
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
