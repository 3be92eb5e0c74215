import type { Database } from '#server/platform/database.ts';
import { readRanges } from '#server/telemetry/read-readings.ts';
import { isOfCharging } from '#shared/domain/alerts/charging.ts';
import { type Charge, judgeStanding } from '#shared/domain/alerts/standing.ts';
import { shiftsIn } from '#shared/domain/alerts/work-week.ts';
import { remainingKwh } from '#shared/domain/battery.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { firstFrom } from '#shared/domain/readings-in.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { bucketsOf, readArrays, sumOfPacks, type Value } from './buckets.store.ts';
import { readMeanPowers } from './mean-powers.ts';
import { chargeAfter, type Preview, standing, type Told } from './past-standing.ts';
import type { OwnedMachine } from './watched.store.ts';

const DAY_MS = 86_400_000;
/** As the sum of the packs: it charged, or what it did before a silence is not in its figures. */
const CHARGED = -1;

/** When a machine would not have made the end of its shift: looked at as every 5 minutes in which something came in end. */
export async function findRunsShort(
  db: Database,
  { rule, week, range }: Preview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, Told[]>> {
  const streamIds = machines.map(({ streamId }) => streamId);
  const lows = await readArrays(db, bucketsOf(sumOfPacks('min')), streamIds, range);
  const sumOrCharged = `case when charging_ms > 0 or heard_ms is distinct from ${BUCKET_MS} then ${CHARGED} else ${sumOfPacks('max')} end`;
  const highs = await readArrays(db, bucketsOf(sumOrCharged), streamIds, range);
  const found = new Map<number, Told[]>(streamIds.map((streamId) => [streamId, []]));
  for (const shift of shiftsIn(week, { from: range.from - DAY_MS, to: range.to })) {
    const powers = await readMeanPowers(db, new Map(), machines, () => shift);
    const asking = machines.map((machine) => {
      const { streamId, ownedSince } = machine;
      const within = { from: Math.max(range.from, shift.from, ownedSince), to: Math.min(range.to, shift.to) };
      const steps = stepsIn(within, lows.get(streamId) ?? [], highs.get(streamId) ?? []);
      const kW = powers.get(streamId);
      const judge: Judge = (charge, now, openAt) =>
        judgeStanding(
          'runs-short',
          standing(week, { charge: charge && { ...charge, kW } }),
          rule.settings,
          now,
          openAt,
        )[0];
      return { streamId, course: courseOf(machine, kW === undefined ? [] : steps, judge) };
    });
    for (const [streamId, told] of await inRounds(db, asking))
      for (const { until, ...one } of told)
        found.get(streamId)?.push({ ...one, until: until ?? (shift.to <= range.to ? shift.to : undefined) });
  }
  return found;
}

type Judge = (
  charge: Charge | undefined,
  now: number,
  openAt: number | undefined,
) => { readonly since: number; readonly words: string } | undefined;

/** Asks for what was measured where the figures do not tell. */
type Course = Generator<Range, Told[], readonly Reading[]>;

/** In one shift. */
function* courseOf({ batteries }: OwnedMachine, steps: readonly Step[], judge: Judge): Course {
  const told: Told[] = [];
  const capacities = batteries.map(({ capacity }) => capacity ?? 0);
  const [least, most] = [Math.min(...capacities), Math.max(...capacities)];
  if (!(least > 0) || batteries.length === 0) return told;
  let open: Told | undefined;
  for (const { at, low, high } of steps) {
    // The least and the most that the packs had in these 5 minutes say whether anything may have changed.
    const bound = open ? boundOf(most, high, at) : boundOf(least, low, at - BUCKET_MS);
    if ((judge(bound, at, open?.at) !== undefined) === (open !== undefined)) continue;
    const what = judge(chargeAfter(yield { from: at - 2 * BUCKET_MS, to: at }, batteries), at, open?.at);
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

/** The ends of the 5 minutes within a range, with the sums of the packs in them. Both have the same ones, in order. */
function stepsIn({ from, to }: Range, lows: readonly Value[], highs: readonly Value[]): Step[] {
  const steps: Step[] = [];
  for (let n = firstFrom(lows, from - BUCKET_MS); n < lows.length; n += 1) {
    const at = (lows[n]?.time ?? 0) + BUCKET_MS;
    if (at > to) break;
    steps.push({ at, low: lows[n]?.count ?? 0, high: highs[n]?.count ?? 0 });
  }
  return steps;
}

/** As if all its packs were one. */
const boundOf = (capacityKwh: number, sum: number, at: number): Charge => ({
  percent: 0,
  kWh: remainingKwh([{ number: 1, percent: sum, capacityKwh }]),
  at,
  isCharging: sum === CHARGED,
  kW: undefined,
  full: undefined,
  takesMs: undefined,
});
