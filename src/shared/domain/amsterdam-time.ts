/**
 * Between instants and what a clock on the wall in Amsterdam shows, for what is typed and drawn (APP-12). The summer
 * time changes: an hour that does not exist in March, one that exists twice in October.
 */

/** Every screen, mail and CSV is in this zone; the wire is UTC (docs/design.md section 8). */
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

/** ms; what the wall clock shows, counted as if it were UTC. */
function wallMs(ms: number): number {
  // Month, day, year, hour, minute, second is the American order.
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] =
    PARTS.format(ms).match(/\d+/g)?.map(Number) ?? [];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** ms ahead of UTC at that instant: one hour in winter, two in summer. */
const amsterdamOffset = (ms: number): number => wallMs(ms) - Math.floor(ms / 1000) * 1000;

/** 'YYYY-MM-DD HH:mm:ss' of an instant in ms. RangeError when it is no time that a Date can hold. */
export const wallClockOf = (ms: number): string =>
  new Date(wallMs(ms)).toISOString().slice(0, 19).replace('T', ' ');

/** 'YYYY-MM-DD' of an instant in ms. */
export const amsterdamDay = (ms: number): string => wallClockOf(ms).slice(0, 10);

const WALL_CLOCK = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?$/;

/**
 * The instant, in ms, at which the clock shows 'YYYY-MM-DD HH:mm' (seconds may follow); undefined when that is no
 * date. Of an hour that exists twice `which` one; in the hour that is skipped the clock is already an hour further.
 */
export function instantOf(wallClock: string, which: 'first' | 'last'): number | undefined {
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

/** From midnight to midnight, ms, of 'YYYY-MM-DD': 23, 24 or 25 hours. undefined when it is no date. */
export function dayOf(date: string): { readonly from: number; readonly to: number } | undefined {
  const from = instantOf(`${date} 00:00`, 'first');
  if (from === undefined) return undefined;
  const next = wallClockOf(from + 30 * HOUR_MS).slice(0, 10);
  return { from, to: instantOf(`${next} 00:00`, 'first') ?? from };
}

/**
 * From a time of a day, 'YYYY-MM-DD' and 'HH:mm', to the next time that the clock shows `to`, which may be the day after;
 * ms. undefined when they are no such, or that hour is skipped.
 */
export function hoursOn(
  day: string,
  from: string,
  to: string,
): { readonly from: number; readonly to: number } | undefined {
  const begin = instantOf(`${day} ${from}`, 'first');
  const endDay = to > from ? day : nextDay(day);
  const end = instantOf(`${endDay} ${to}`, 'last');
  return begin === undefined || end === undefined || end <= begin ? undefined : { from: begin, to: end };
}

/** Of 'YYYY-MM-DD' the day so many later. */
export const daysAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * 24 * HOUR_MS).toISOString().slice(0, 10);

export const nextDay = (day: string): string => daysAfter(day, 1);
