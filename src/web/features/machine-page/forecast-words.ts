/** What is said of when a machine will be full. */
import type { Forecast } from '#shared/contract/charging-sessions.ts';
import { clockTime, dateAndTime, isNear } from '#shared/domain/nl.ts';

/** @param now ms */
export function forecastInWords({ from, to }: NonNullable<Forecast['forecast']>, now: number): string {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const timeOf = isNear(begin, now) && isNear(end, now) ? clockTime : dateAndTime;
  const range = `tussen ${timeOf(begin)} en ${timeOf(end)}`;
  // What was told is not told anew because it did not come true.
  return end < now ? `Zou vol zijn ${range}` : `Vol ${range}`;
}

export function recordInWords({ start, hourBefore }: Forecast['record']): string {
  if (start.of === 0) return 'Hoe vaak dat klopt, is nog niet bekend.';
  const charges = start.of === 1 ? 'de laatste laadbeurt' : `de laatste ${start.of} laadbeurten`;
  const earlier = `Klopte bij ${start.held} van ${charges}`;
  return hourBefore.of === 0
    ? `${earlier}.`
    : `${earlier}, een uur van tevoren bij ${hourBefore.held} van ${hourBefore.of}.`;
}
