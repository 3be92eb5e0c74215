/** Formats times, numbers and states in Dutch, the same on every page, in e-mails and in messages (APP-12). */
import { AMSTERDAM, amsterdamDay } from './amsterdam-time.ts';
import type { MachineStatus } from './machine-status.ts';
import { decimalsOf } from './signal.ts';
import type { Freshness } from './staleness.ts';

/** Cache by time zone: creating a formatter costs a hundred times its use. */
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('nl-NL', {
      timeZone: zone,
      year: '2-digit',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** Parts of a local time, each of two digits. */
type WallClock = Readonly<Record<'day' | 'month' | 'year' | 'hour' | 'minute' | 'second', string>>;

function wallClock(ms: number, zone: string): WallClock {
  // The Dutch order is day, month, year, hour, minute, second; the signs between them differ by ICU version. Matching the digits
  // takes a third of the time of formatToParts.
  const [day = '', month = '', year = '', hour = '', minute = '', second = ''] =
    formatterOf(zone).format(ms).match(/\d+/g) ?? [];
  return { day, month, year, hour, minute, second };
}

const shortDate = ({ day, month, year }: WallClock): string => `${day}-${month}-${year}`;
const hoursAndMinutes = ({ hour, minute }: WallClock): string => `${hour}:${minute}`;

/** Returns 'HH:MM' of an instant in ms. @throws RangeError when no Date can hold it */
export const clockTime = (ms: number, zone = AMSTERDAM): string => hoursAndMinutes(wallClock(ms, zone));

/** Returns 'DD-MM-YY, HH:MM' of an instant in ms. @throws RangeError when no Date can hold it */
export function dateAndTime(ms: number, zone = AMSTERDAM): string {
  const clock = wallClock(ms, zone);
  return `${shortDate(clock)}, ${hoursAndMinutes(clock)}`;
}

/** Returns 'DD-MM-YY, HH:MM:SS', for moments that are seconds apart, such as on a route. */
export function dateAndSecond(ms: number, zone = AMSTERDAM): string {
  const clock = wallClock(ms, zone);
  return `${shortDate(clock)}, ${hoursAndMinutes(clock)}:${clock.second}`;
}

/** An instant less than this time from now is shown as a time of day without a date. */
const NEAR_MS = 12 * 3_600_000;

export const isWithinADay = (ms: number, nowMs: number): boolean => Math.abs(ms - nowMs) < NEAR_MS;

/** Returns 'HH:MM' for an instant less than NEAR_MS from now, else 'DD-MM-YY, HH:MM'. */
export const timeOrDateText = (ms: number, nowMs: number): string =>
  isWithinADay(ms, nowMs) ? clockTime(ms) : dateAndTime(ms);

/** Returns 'DD-MM-YYYY' for a day 'YYYY-MM-DD'. */
export const dutchDate = (day: string): string => day.split('-').reverse().join('-');

const MONTH = new Intl.DateTimeFormat('nl-NL', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('nl-NL', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

/** Returns 'november 2026' for a month 'YYYY-MM'. */
export const monthText = (month: string): string => MONTH.format(Date.parse(`${month}-01`));

/** Dutch names of the days of the week, Monday first. */
export const WEEKDAYS = ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag', 'zaterdag', 'zondag'];

/** Returns 'maandag' for an instant in ms, in Amsterdam. */
export const weekdayText = (ms: number): string => dayText(amsterdamDay(ms)).split(' ')[0] ?? '';

/** Returns 'maandag 2 november' for a day 'YYYY-MM-DD'. */
export const dayText = (day: string): string => DAY.format(Date.parse(day));

const DAY_AND_MONTH = new Intl.DateTimeFormat('nl-NL', { timeZone: 'UTC', day: 'numeric', month: 'long' });

/** Returns '2 november' for a day 'YYYY-MM-DD'. */
export const dayAndMonth = (day: string): string => DAY_AND_MONTH.format(Date.parse(day));

/** Instants that are further apart are never on the same day: the longest day has 25 hours. */
const MAX_DAY_MS = 25 * 3_600_000;

function isSameDay(clock: WallClock, ms: number, nowMs: number, zone: string): boolean {
  return Math.abs(nowMs - ms) <= MAX_DAY_MS && clock.day === wallClock(nowMs, zone).day;
}

/** The last ms that a Date can hold (ECMA-262, "Time Values and Time Range"). */
const LAST_INSTANT_MS = 8.64e15;
const wasSeen = (unixSeconds: number): boolean => unixSeconds > 0 && unixSeconds * 1000 <= LAST_INSTANT_MS;

/** Returns when a machine was last seen, for a popup: 'vandaag, HH:MM', else 'DD-MM-YY, HH:MM'; 'nooit' for GMT_UNIX 0 (MAP-06). */
export function formatLastSeen(unixSeconds: number, nowMs: number, zone = AMSTERDAM): string {
  if (!wasSeen(unixSeconds)) return 'nooit';
  const clock = wallClock(unixSeconds * 1000, zone);
  const today = isSameDay(clock, unixSeconds * 1000, nowMs, zone);
  return `${today ? 'vandaag' : shortDate(clock)}, ${hoursAndMinutes(clock)}`;
}

/** Returns when a machine was last seen, for its page: 'HH:MM' if today, else 'dd/mm/yy, HH:MM'; 'nooit' for GMT_UNIX 0 (MDET-03). */
export function lastSeenDetail(unixSeconds: number, nowMs: number, zone = AMSTERDAM): string {
  if (!wasSeen(unixSeconds)) return 'nooit';
  const clock = wallClock(unixSeconds * 1000, zone);
  if (isSameDay(clock, unixSeconds * 1000, nowMs, zone)) return hoursAndMinutes(clock);
  return `${clock.day}/${clock.month}/${clock.year}, ${hoursAndMinutes(clock)}`;
}

const PLAIN = new Intl.NumberFormat('nl-NL', {
  maximumFractionDigits: 3,
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
});

/** Returns '10.000' or '0,5': at most three decimals; a number near 0, such as 0,000123, keeps three significant digits. */
export const formatNumber = (value: number): string => PLAIN.format(value);

/** Returns '-0,001' or '1000': a number with all its digits. */
export const formatExactNumber = (value: number): string => String(value).replace('.', ',');

/** Returns a size in bytes as '20,0 MB' or '640 kB'. */
export const formatFileSize = (bytes: number): string =>
  bytes < 2 ** 20
    ? `${Math.max(1, Math.round(bytes / 2 ** 10))} kB`
    : `${formatDecimals(bytes / 2 ** 20, 1)} MB`;

/** Returns a bit rate as '250 kbit/s'. */
export const formatBitRate = (bitsPerSecond: number): string =>
  `${formatExactNumber(bitsPerSecond / 1000)} kbit/s`;

/** Cache of formatters by fewest and most decimals. */
const decimalFormatters = new Map<string, Intl.NumberFormat>();

/** Returns 1201 as '1.201,0' if `most` is 1; as '1.201' if `fewest` is 0, which leaves out zeros at the end. */
export function formatDecimals(value: number, most: number, fewest = most): string {
  const key = `${fewest}-${most}`;
  let formatter = decimalFormatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat('nl-NL', {
      minimumFractionDigits: fewest,
      maximumFractionDigits: most,
    });
    decimalFormatters.set(key, formatter);
  }
  return formatter.format(value);
}

/** Number of decimals of these signals on the screen, from the signal catalogue. */
const DECIMALS = { LATITUDE: decimalsOf('LATITUDE'), Speed: decimalsOf('Speed') };

/** Returns a latitude or longitude as '52.028001', exact to a tenth of a metre (MDET-11); with a dot, so that maps accept it. */
export const formatCoordinate = (degrees: number): string => degrees.toFixed(DECIMALS.LATITUDE);

/** Returns '12,3 km/u' or '12 km/u'; '--' when unknown. */
export const formatSpeed = (kmPerHour: number | undefined): string =>
  kmPerHour === undefined ? '--' : `${formatDecimals(kmPerHour, DECIMALS.Speed, 0)} km/u`;

/** Returns 12.3 as '12,30 kWh' if `most` is 2; as '12,3 kWh' if `fewest` is 0, which leaves out zeros at the end. */
export const formatKilowattHours = (kWh: number, most: number, fewest = most): string =>
  `${formatDecimals(kWh, most, fewest)} kWh`;

/** Returns '10,5 kW'. */
export const formatKilowatts = (kW: number): string => `${formatDecimals(kW, 1)} kW`;

/** Returns '640 m', from 1 km on (also after rounding) '1,2 km'; '--' when unknown (MAP-08). */
export function formatDistance(metres: number | undefined): string {
  if (metres === undefined || !Number.isFinite(metres)) return '--';
  const whole = Math.round(metres);
  return whole < 1000 ? `${whole} m` : `${formatDecimals(metres / 1000, 1)} km`;
}

/** Returns 'HH:MM', rounded to whole minutes, with more digits from 100 hours on; '--:--' when unknown or negative. */
export function hoursAsClock(hours: number | undefined): string {
  if (hours === undefined || !Number.isFinite(hours) || hours < 0) return '--:--';
  const minutes = Math.round(hours * 60);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** Returns '6 u 16 min' or '16 min', rounded to whole minutes; '--' when unknown or negative. */
export function hoursText(hours: number | undefined): string {
  if (hours === undefined || !Number.isFinite(hours) || hours < 0) return '--';
  const minutes = Math.round(hours * 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} u ${minutes % 60} min`;
}

/** Returns 'N%', rounded and clamped to 0-100; '--' when unknown. */
export function formatPercent(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '--';
  return `${Math.round(Math.min(100, Math.max(0, value)))}%`;
}

/** The status of a machine in one word, for every screen. */
const STATUS_LABELS: Readonly<Record<MachineStatus, string>> = {
  charging: 'Laden',
  running: 'Draait',
  off: 'Uit',
};
export const statusLabel = (status: MachineStatus): string => STATUS_LABELS[status];

/** The status of a silent machine, whatever its last status was (LIVE-07; fleet-state.ts). */
export const SILENT_LABEL = 'Stil';

/** Returns 'laatst Draait': the status at the newest reading. */
export const lastStatusText = (status: MachineStatus): string => `laatst ${statusLabel(status)}`;

/** The status of a machine that has never reported, which is not silent and has no last status. */
export const NEVER_SEEN_LABEL = 'Nog nooit gezien';

/** Returns the status for screen readers: 'Draait'; 'Stil, laatst Draait' for an old reading (LIVE-07); 'Nog nooit gezien'. */
export function statusText(status: MachineStatus, sighting: Freshness): string {
  if (sighting === 'never') return NEVER_SEEN_LABEL;
  return sighting === 'stale' ? `${SILENT_LABEL}, ${lastStatusText(status)}` : statusLabel(status);
}

/** Returns the status in one word; 'Nog nooit gezien' for a machine that has never reported. */
export function shortStatus(status: MachineStatus, sighting: Freshness): string {
  if (sighting === 'never') return NEVER_SEEN_LABEL;
  return sighting === 'stale' ? SILENT_LABEL : statusLabel(status);
}

/** Returns an age in its largest whole unit, for 'Gegevens van … geleden': '12 s', '5 min', '3 uur', '2 dagen'. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} uur`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? '1 dag' : `${days} dagen`;
}
