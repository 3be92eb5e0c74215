/** Converts wall-clock time in Europe/Amsterdam from and to instants. */

const wallClock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Amsterdam',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Returns how far Amsterdam is ahead of UTC at an instant. */
function offsetMs(timeMs: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of wallClock.formatToParts(timeMs)) part[type] = Number(value);
  const wall = Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute, part.second);
  return wall - Math.floor(timeMs / 1000) * 1000;
}

/** Returns the local calendar day of an instant, as a day number since 1970 (day 0 was a Thursday). */
export function amsterdamDay(timeMs: number): number {
  return Math.floor((timeMs + offsetMs(timeMs)) / 86_400_000);
}

/** Returns the weekday: 0 is Monday, 6 is Sunday. */
export function weekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/**
 * Returns the instant at which clocks in Amsterdam show `minutes` after midnight of a day; 1440 and more is on the next day. A
 * wall-clock time that summer time skips becomes an hour later; if a time occurs twice, returns the first occurrence.
 */
export function amsterdamInstant(day: number, minutes: number): number {
  const wall = day * 86_400_000 + minutes * 60_000;
  const early = wall - offsetMs(wall - 7_200_000); // the offset before a change of the clock, if one is near
  const late = wall - offsetMs(wall + 7_200_000);
  return early + offsetMs(early) === wall ? early : late + offsetMs(late) === wall ? late : early;
}
