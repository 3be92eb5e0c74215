import type { WorkWeek } from './alerts/work-week.ts';
import { plusDays } from './reports/settings.ts';

/** First and last day, 'YYYY-MM-DD'. */
export type Period = {
  readonly from: string;
  readonly to: string;
  /** 'HH:mm': begin on the first day and, in `toTime`, end on the last day; absent: whole days. */
  readonly fromTime?: string;
  readonly toTime?: string;
};

const weekday = (day: string): number => (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7;
const monthOf = (year: number, month: number): Period => ({
  from: new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10),
  to: new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10),
});

/** Periods with a name, relative to a day. A week begins on Monday. */
export const PERIOD_PRESETS = [
  ['vandaag', 'Vandaag'],
  ['gisteren', 'Gisteren'],
  ['afgelopen-nacht', 'Afgelopen nacht'],
  ['deze-week', 'Deze week'],
  ['vorige-week', 'Vorige week'],
  ['deze-maand', 'Deze maand'],
  ['vorige-maand', 'Vorige maand'],
  ['dit-jaar', 'Dit jaar'],
] as const;
export type PeriodPreset = (typeof PERIOD_PRESETS)[number][0];
export const isPeriodPreset = (text: string): text is PeriodPreset =>
  PERIOD_PRESETS.some(([name]) => name === text);

/** Hours of the night, 'HH:mm'. */
export type NightHours = { readonly fromTime: string; readonly toTime: string };

/**
 * Returns the days of a named period, and of 'Afgelopen nacht' also the hours.
 * @param today 'YYYY-MM-DD' in Amsterdam
 * @param night hours of 'Afgelopen nacht', from yesterday evening on
 */
export function periodOf(
  preset: PeriodPreset,
  today: string,
  night: NightHours = DEFAULT_NIGHT_HOURS,
): Period {
  if (preset === 'vandaag') return { from: today, to: today };
  const yesterday = plusDays(today, -1);
  if (preset === 'gisteren') return { from: yesterday, to: yesterday };
  if (preset === 'afgelopen-nacht')
    return { from: yesterday, to: today, fromTime: night.fromTime, toTime: night.toTime };
  const monday = plusDays(today, -weekday(today));
  const [year = 0, month = 1] = today.split('-').map(Number);
  if (preset === 'deze-week') return { from: monday, to: plusDays(monday, 6) };
  if (preset === 'vorige-week') return { from: plusDays(monday, -7), to: plusDays(monday, -1) };
  if (preset === 'deze-maand') return monthOf(year, month - 1);
  if (preset === 'vorige-maand') return monthOf(year, month - 2);
  return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` };
}

/** The night of an organization that set no work week, or that works at night. */
export const DEFAULT_NIGHT_HOURS: NightHours = { fromTime: '18:00', toTime: '06:00' };

/**
 * Returns the hours of the night before a day: from the end of work on the day before to the start of work on the day
 * itself. If the day before is free, the end of work is that of the last working day before it; if the day itself is
 * free, the start is that of the next working day. A week without work, or with work past midnight, has the default night.
 * @param today 'YYYY-MM-DD'
 */
export function nightHoursBefore({ workDays }: Pick<WorkWeek, 'workDays'>, today: string): NightHours {
  const works = workDays.filter((hours) => hours !== null);
  if (works.length === 0 || works.some(({ from, to }) => from >= to)) return DEFAULT_NIGHT_HOURS;
  const nearest = (day: number, step: 1 | -1) => {
    for (let n = 0; n < 7; n += 1) {
      const hours = workDays[(day + step * n + 14) % 7];
      if (hours) return hours;
    }
    return works[0];
  };
  const before = nearest(weekday(plusDays(today, -1)), -1);
  const after = nearest(weekday(today), 1);
  return before && after ? { fromTime: before.to, toTime: after.from } : DEFAULT_NIGHT_HOURS;
}
