import type { Database } from '#server/platform/database.ts';
import { readRanges } from '#server/telemetry/readings-after.store.ts';
import { type Charge, judgeStanding } from '#shared/domain/alerts/standing.ts';
import { isOfAlerts } from '#shared/domain/alerts/watch.ts';
import { shiftsIn } from '#shared/domain/alerts/work-week.ts';
import { remainingKwh } from '#shared/domain/battery.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { readMeanPowers } from './mean-powers.ts';
import { chargeAfter, type Preview, standing, type Told } from './past-standing.ts';
import type { OwnedMachine } from './watched.store.ts';
import { bucketsOf, readArrays, sumOfPacks } from './where-to-look.store.ts';

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
    for (const machine of machines) {
      const { streamId, ownedSince, batteries } = machine;
      const kW = powers.get(streamId);
      const capacities = batteries.map(({ capacity }) => capacity ?? 0);
      const [least, most] = [Math.min(...capacities), Math.max(...capacities)];
      if (kW === undefined || !(least > 0) || batteries.length === 0) continue;
      const from = Math.max(range.from, shift.from, ownedSince);
      const to = Math.min(range.to, shift.to);
      const steps = stepsIn({ from, to }, lows.get(streamId) ?? [], highs.get(streamId) ?? []);
      const judge = (charge: Charge | undefined, now: number, openAt: number | undefined) =>
        judgeStanding(
          'runs-short',
          standing(week, { charge: charge && { ...charge, kW } }),
          rule.settings,
          now,
          openAt,
        )[0];
      let open: Told | undefined;
      for (const { at, low, high } of steps) {
        // The least and the most that the packs had in these 5 minutes say whether anything may have changed.
        const bound = open ? boundOf(most, high, at) : boundOf(least, low, at - BUCKET_MS);
        if ((judge(bound, at, open?.at) !== undefined) === (open !== undefined)) continue;
        const readings = await readRanges(db, streamId, [{ from: at - 2 * BUCKET_MS, to: at }], isOfAlerts);
        const what = judge(chargeAfter(readings, batteries), at, open?.at);
        if (what && !open) open = { since: what.since, at, words: what.words };
        else if (!what && open) {
          found.get(streamId)?.push({ ...open, until: at });
          open = undefined;
        }
      }
      if (open) found.get(streamId)?.push({ ...open, ...(shift.to <= range.to && { until: shift.to }) });
    }
  }
  return found;
}

type Step = { readonly at: number; readonly low: number; readonly high: number };
type Sums = readonly { readonly start: number; readonly count: number }[];

/** The ends of the 5 minutes within a range, with the sums of the packs in them. Both have the same ones, in order. */
function stepsIn({ from, to }: Range, lows: Sums, highs: Sums): Step[] {
  const steps: Step[] = [];
  const first = lows.findIndex(({ start }) => start + BUCKET_MS >= from);
  for (let n = first; n >= 0 && n < lows.length; n += 1) {
    const at = (lows[n]?.start ?? 0) + BUCKET_MS;
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
