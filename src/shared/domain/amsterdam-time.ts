/**
 * Converts between instants and the local time in Amsterdam (APP-12). Because of summer time one hour does not exist in March, and one
 * hour exists twice in October.
 */

/** The time zone of every screen, mail and CSV file; calls use UTC (docs/design.md section 8). */
export const AMSTERDAM = 'Europe/Amsterdam';

const HOUR_MS = 3_600_000;
const PARTS = new Intl.DateTimeFormat('en-US', {
  timeZone: AMSTERDAM,
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
});

/** Returns the local time in Amsterdam as ms, as if it were UTC. */
function wallMs(ms: number): number {
  // en-US has the order month, day, year, hour, minute, second.
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] =
    PARTS.format(ms).match(/\d+/g)?.map(Number) ?? [];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Returns the offset from UTC at an instant, ms: one hour in winter, two in summer. */
const amsterdamOffset = (ms: number): number => wallMs(ms) - Math.floor(ms / 1000) * 1000;

/** Returns 'YYYY-MM-DD HH:mm:ss' in Amsterdam. @throws RangeError when no Date can hold `ms` */
export const wallClockOf = (ms: number): string =>
  new Date(wallMs(ms)).toISOString().slice(0, 19).replace('T', ' ');

/** Returns 'YYYY-MM-DD' in Amsterdam of an instant in ms. */
export const amsterdamDay = (ms: number): string => wallClockOf(ms).slice(0, 10);

const WALL_CLOCK = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?$/;

/**
 * Returns the instant, in ms, at which the clock in Amsterdam shows 'YYYY-MM-DD HH:mm' (seconds may follow);
 * undefined if that is no date. A time in the skipped hour counts as one hour later.
 * @param which which of the two instants, when the clock shows the time twice
 */
export function amsterdamInstant(wallClock: string, which: 'first' | 'last'): number | undefined {
  const parts = WALL_CLOCK.exec(wallClock);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  if (!new Date(wall).toISOString().startsWith(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}`))
    return undefined;
  const before = wall - amsterdamOffset(wall - 12 * HOUR_MS);
  const after = wall - amsterdamOffset(wall + 12 * HOUR_MS);
  const found = [before, after].filter((ms) => wallMs(ms) === wall);
  if (found.length === 0) return before;
  return which === 'first' ? Math.min(...found) : Math.max(...found);
}

/** Returns the range, in ms, of a day in Amsterdam ('YYYY-MM-DD'), which has 23, 24 or 25 hours; undefined when it is no date. */
export function amsterdamDayRange(date: string): { readonly from: number; readonly to: number } | undefined {
  const from = amsterdamInstant(`${date} 00:00`, 'first');
  if (from === undefined) return undefined;
  const next = wallClockOf(from + 30 * HOUR_MS).slice(0, 10);
  return { from, to: amsterdamInstant(`${next} 00:00`, 'first') ?? from };
}

/**
 * Returns the range, in ms, from `from` ('HH:mm') on `day` ('YYYY-MM-DD') to the next time that the clock shows `to`, which may be on the
 * next day; undefined when a text is invalid or the range is empty because its hour does not exist.
 */
export function amsterdamHoursRange(
  day: string,
  from: string,
  to: string,
): { readonly from: number; readonly to: number } | undefined {
  const begin = amsterdamInstant(`${day} ${from}`, 'first');
  const endDay = to > from ? day : nextDay(day);
  const end = amsterdamInstant(`${endDay} ${to}`, 'last');
  return begin === undefined || end === undefined || end <= begin ? undefined : { from: begin, to: end };
}

/** Returns the day ('YYYY-MM-DD') that is `count` days after `day`. */
export const daysAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * 24 * HOUR_MS).toISOString().slice(0, 10);

export const nextDay = (day: string): string => daysAfter(day, 1);
