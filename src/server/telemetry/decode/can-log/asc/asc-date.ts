const MONTHS: Readonly<Record<string, number>> = {
  jan: 0,
  feb: 1,
  mar: 2,
  mär: 2,
  mrz: 2,
  apr: 3,
  may: 4,
  mai: 4,
  jun: 5,
  jul: 6,
  aug: 7,
  sep: 8,
  oct: 9,
  okt: 9,
  nov: 10,
  dec: 11,
  dez: 11,
};

const DATE =
  /^\S+ ([a-zä]{3,9})\.? (\d{1,2})\.? (\d{1,2}):(\d{2}):(\d{2})(?:[.,:](\d{1,6}))?(?: (am|pm|vorm\.?|nachm\.?))? (\d{4})$/;

/**
 * Reads the date in the header of an ASC file: `Fri Nov 27 08:00:00.000 am 2026`, or in German `Sam Sep 30 15:06:13.191 2017`.
 * Returns the time on that clock in milliseconds, counted as if it were UTC; undefined for a text that is no date.
 */
export function readAscDate(written: string): number | undefined {
  const parts = DATE.exec(written.trim().toLowerCase().replace(/\s+/g, ' '));
  if (parts === null) return undefined;
  const [, name = '', day, hour, minute, second, fraction = '', half = '', year] = parts;
  const month = Object.hasOwn(MONTHS, name.slice(0, 3)) ? MONTHS[name.slice(0, 3)] : undefined;
  if (month === undefined) return undefined;
  const date = Date.UTC(Number(year), month, Number(day));
  if (new Date(date).getUTCDate() !== Number(day)) return undefined;
  const time = hourOf(Number(hour), half) * 3600 + Number(minute) * 60 + Number(second);
  return date + time * 1000 + Number(`0.${fraction}0`) * 1000;
}

/** Returns the hour of the day. Some writers put am or pm behind an hour of 24: `15:00:00 PM`. */
function hourOf(hour: number, half: string): number {
  if (half === '' || hour > 12) return hour;
  return (hour % 12) + (half === 'pm' || half.startsWith('nachm') ? 12 : 0);
}
