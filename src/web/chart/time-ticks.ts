/** The ticks of a time axis and their labels, in Amsterdam time whatever the browser's time zone (APP-12). */
import { amsterdamDayRange, amsterdamInstant, wallClockOf } from '#shared/domain/amsterdam-time.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Allowed distances between two ticks, each list in its own unit. */
const SECONDS = [1, 2, 5, 10, 15, 30];
const MINUTES = [1, 2, 5, 10, 15, 30];
const HOURS = [1, 2, 3, 6, 12];
const DAYS = [1, 2, 7, 14, 30, 61, 122, 365];

/** Returns at most about `count` ticks between two times (Unix seconds), at round wall-clock times, in ascending order. */
export function timeTicks(from: number, to: number, count: number): number[] {
  const wanted = (to - from) / Math.max(1, count);
  const seconds = SECONDS.find((step) => step >= wanted);
  if (seconds) return multiples(from, to, seconds);
  const minutes = MINUTES.find((step) => step * MINUTE_S >= wanted);
  if (minutes) return multiples(from, to, minutes * MINUTE_S);
  const hours = HOURS.find((step) => step * HOUR_S >= wanted);
  // Checks the wall-clock hour of each tick: adding a fixed number of hours would be wrong after a change to or from summer time.
  if (hours) return multiples(from, to, HOUR_S).filter((time) => hourOf(time) % hours === 0);
  return midnights(from, to, DAYS.find((step) => step * DAY_S >= wanted) ?? Math.ceil(wanted / DAY_S));
}

function multiples(from: number, to: number, step: number): number[] {
  const ticks: number[] = [];
  for (let time = Math.ceil(from / step) * step; time <= to; time += step) ticks.push(time);
  return ticks;
}

const hourOf = (time: number): number => Number(wallClockOf(time * 1000).slice(11, 13));

function midnights(from: number, to: number, days: number): number[] {
  const ticks: number[] = [];
  const firstDay = wallClockOf(from * 1000).slice(0, 10);
  for (let n = 0; ; n += days) {
    const date = new Date(Date.parse(firstDay) + n * DAY_S * 1000).toISOString().slice(0, 10);
    const time = (amsterdamDayRange(date)?.from ?? to * 1000 + 1) / 1000;
    if (time > to) return ticks;
    if (time >= from) ticks.push(time);
  }
}

/** Returns 'HH:MM', 'HH:MM:SS' if `step` is below a minute, 'DD-MM' at midnight, and 'DD-MM-YY' if `step` is two months or more. */
export function tickLabel(time: number, step: number): string {
  const [date = '', clock = ''] = wallClockOf(time * 1000).split(' ');
  const [year = '', month, day] = date.split('-');
  if (step >= 60 * DAY_S) return `${day}-${month}-${year.slice(2)}`;
  const isMidnight = amsterdamInstant(`${date} 00:00`, 'first') === time * 1000;
  if (isMidnight) return `${day}-${month}`;
  return step > 0 && step < MINUTE_S ? clock : clock.slice(0, 5);
}
