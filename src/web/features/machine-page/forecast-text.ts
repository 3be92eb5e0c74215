import type { SessionForecast } from '#shared/contract/charging-sessions.ts';
import { clockTime, dateAndTime, isWithinADay } from '#shared/domain/nl.ts';

/** Returns for example 'Vol tussen 07:50 en 08:15'. @param now unix ms */
export function forecastText({ from, to }: NonNullable<SessionForecast['forecast']>, now: number): string {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const timeOf = isWithinADay(begin, now) && isWithinADay(end, now) ? clockTime : dateAndTime;
  const range = `tussen ${timeOf(begin)} en ${timeOf(end)}`;
  // A forecast whose time has passed is still shown, in the past tense.
  return end < now ? `Zou vol zijn ${range}` : `Vol ${range}`;
}

/** Returns how often earlier forecasts were right. */
export function forecastRecordText({ start, hourBefore }: SessionForecast['record']): string {
  if (start.of === 0) return 'Hoe vaak dat klopt, is nog niet bekend.';
  const charges = start.of === 1 ? 'de laatste laadbeurt' : `de laatste ${start.of} laadbeurten`;
  const earlier = `Klopte bij ${start.held} van ${charges}`;
  return hourBefore.of === 0
    ? `${earlier}.`
    : `${earlier}, een uur van tevoren bij ${hourBefore.held} van ${hourBefore.of}.`;
}
