import { evaluateTimerRule } from '#shared/domain/alerts/evaluations.ts';
import { defaultSettings } from '#shared/domain/alerts/kinds.ts';
import { DEFAULT_WORK_WEEK, shiftsIn } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { bucketsOf } from '#shared/domain/figures.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { type LevelBucket, usualLevelChangesOn } from '#shared/domain/usual-day.ts';

/** Numbers of shifts: all, those at whose start 'Haalt het einde van de dienst niet' forecast a shortage, real shortages, and both. */
export type ShiftForecastCounts = {
  readonly shifts: number;
  readonly forecast: number;
  /** Shifts with a real shortage: the charge level fell below the threshold of the alert rule. */
  readonly low: number;
  readonly both: number;
};

const DAY_MS = 86_400_000;
const SETTINGS = defaultSettings('runs-short');

export const NO_SHIFT_FORECASTS: ShiftForecastCounts = { shifts: 0, forecast: 0, low: 0, both: 0 };
export const addShiftForecastCounts = (
  a: ShiftForecastCounts,
  b: ShiftForecastCounts,
): ShiftForecastCounts => ({
  shifts: a.shifts + b.shifts,
  forecast: a.forecast + b.forecast,
  low: a.low + b.low,
  both: a.both + b.both,
});

/** Counts the shifts of the last `days` days, with the alert rule evaluated at the start of each. @param readings in order of time */
export function evaluateShifts(readings: readonly Reading[], days: number): ShiftForecastCounts {
  const buckets = [...bucketsOf(readings)].map(([time, { packs, runningMs }]): LevelBucket => {
    const means = packs.flatMap((sums) => (sums ? [sums.sumMilli / sums.count / 1000] : []));
    const percent = means.length > 0 ? means.reduce((a, b) => a + b) / means.length : undefined;
    return { time, percent, runningMs };
  });
  const newest = readings.at(-1)?.time ?? 0;
  const sums = { shifts: 0, forecast: 0, low: 0, both: 0 };
  for (const shift of shiftsIn(DEFAULT_WORK_WEEK, { from: newest - days * DAY_MS, to: newest })) {
    const now = buckets.findLast(({ time, percent }) => time <= shift.from && percent !== undefined);
    const within = buckets.filter(({ time }) => time >= shift.from && time < shift.to);
    if (now?.percent === undefined || shift.from - now.time > 10 * 60_000 || within.length === 0) continue;
    const usual = usualLevelChangesOn(amsterdamDay(shift.from))(buckets);
    const charge = {
      percent: now.percent,
      at: shift.from,
      isCharging: false,
      full: undefined,
      takesMs: undefined,
      usual: usual ? [usual] : [],
    };
    const standing = { lastSeenAt: shift.from, week: DEFAULT_WORK_WEEK, charge, plans: [], faults: [] };
    const isForecast = evaluateTimerRule('runs-short', standing, SETTINGS, shift.from).length > 0;
    const isLow = within.some(({ percent = 100 }) => percent < (SETTINGS.threshold ?? 0));
    sums.shifts += 1;
    sums.forecast += Number(isForecast);
    sums.low += Number(isLow);
    sums.both += Number(isForecast && isLow);
  }
  return sums;
}
