/** The days of a month in a calendar. */

const DAY_MS = 86_400_000;

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the weeks from Monday to Sunday, of days 'YYYY-MM-DD'; days of other months are undefined. @param month 'YYYY-MM' */
export function weeksOf(month: string): (string | undefined)[][] {
  const first = Date.parse(`${month}-01`);
  const days: (string | undefined)[] = Array.from({ length: (new Date(first).getUTCDay() + 6) % 7 });
  for (let day = first; dayText(day).startsWith(month); day += DAY_MS) days.push(dayText(day));
  while (days.length % 7 !== 0) days.push(undefined);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** Returns the month `by` months later, 'YYYY-MM'. */
export function monthAfter(month: string, by: number): string {
  const date = new Date(Date.parse(`${month}-01`));
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
}

/** Returns the day to which a key moves inside the month; undefined for other keys. @param day 'YYYY-MM-DD' */
export function dayAfterKey(day: string, key: string): string | undefined {
  const weekday = (new Date(Date.parse(day)).getUTCDay() + 6) % 7;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -weekday,
    End: 6 - weekday,
  };
  const step = steps[key];
  if (step === undefined) return undefined;
  const next = dayText(Date.parse(day) + step * DAY_MS);
  if (next.startsWith(day.slice(0, 7))) return next;
  // In a week that lies only partly in the month, Home goes to the month's first day and End to its last day.
  if (key === 'Home') return `${day.slice(0, 7)}-01`;
  if (key === 'End') return dayText(Date.parse(`${monthAfter(day.slice(0, 7), 1)}-01`) - DAY_MS);
  return day;
}
