/** How times, numbers and states are written, the same on every page, in mails and in messages (APP-12). */
import { AMSTERDAM, amsterdamDay } from './amsterdam-time.ts';
import type { MachineStatus } from './machine-status.ts';
import { decimalsOf } from './signal.ts';
import type { Sighting } from './staleness.ts';

/** Making a formatter costs a hundred times its use, so one is kept per zone. */
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

/** Each as two digits. */
type WallClock = Readonly<Record<'day' | 'month' | 'year' | 'hour' | 'minute' | 'second', string>>;

function wallClock(ms: number, zone: string): WallClock {
  // Day, month, year, hour, minute, second is the Dutch order; signs between them differ by ICU version. A third
  // of the time of formatToParts.
  const [day = '', month = '', year = '', hour = '', minute = '', second = ''] =
    formatterOf(zone).format(ms).match(/\d+/g) ?? [];
  return { day, month, year, hour, minute, second };
}

const shortDate = ({ day, month, year }: WallClock): string => `${day}-${month}-${year}`;
const hoursAndMinutes = ({ hour, minute }: WallClock): string => `${hour}:${minute}`;

/** 'HH:MM' of an instant in ms; RangeError when it is no time that a Date can hold. */
export const clockTime = (ms: number, zone = AMSTERDAM): string => hoursAndMinutes(wallClock(ms, zone));

/** 'DD-MM-YY, HH:MM' of an instant in ms; RangeError when it is no time that a Date can hold. */
export function dateAndTime(ms: number, zone = AMSTERDAM): string {
  const clock = wallClock(ms, zone);
  return `${shortDate(clock)}, ${hoursAndMinutes(clock)}`;
}

/** 'DD-MM-YY, HH:MM:SS', where moments lie seconds apart: on a route, on a working day of a logger. */
export function dateAndSecond(ms: number, zone = AMSTERDAM): string {
  const clock = wallClock(ms, zone);
  return `${shortDate(clock)}, ${hoursAndMinutes(clock)}:${clock.second}`;
}

/** ms; further away a time of day alone may be of another day. */
const NEAR_MS = 12 * 3_600_000;

export const isNear = (ms: number, nowMs: number): boolean => Math.abs(ms - nowMs) < NEAR_MS;

/** 'HH:MM' of a moment near now, else 'DD-MM-YY, HH:MM'; both in ms. */
export const momentNear = (ms: number, nowMs: number): string =>
  isNear(ms, nowMs) ? clockTime(ms) : dateAndTime(ms);

/** 'DD-MM-YYYY' of a day 'YYYY-MM-DD'. */
export const dutchDate = (day: string): string => day.split('-').reverse().join('-');

const MONTH = new Intl.DateTimeFormat('nl-NL', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('nl-NL', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

/** 'november 2026' of a month 'YYYY-MM'. */
export const monthText = (month: string): string => MONTH.format(Date.parse(`${month}-01`));

/** From Monday. */
export const WEEKDAYS = ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag', 'zaterdag', 'zondag'];

/** 'maandag' of an instant in ms, in Amsterdam. */
export const weekdayText = (ms: number): string => dayText(amsterdamDay(ms)).split(' ')[0] ?? '';

/** 'maandag 2 november' of a day 'YYYY-MM-DD'. */
export const dayText = (day: string): string => DAY.format(Date.parse(day));

const DAY_AND_MONTH = new Intl.DateTimeFormat('nl-NL', { timeZone: 'UTC', day: 'numeric', month: 'long' });

/** '2 november' of a day 'YYYY-MM-DD'. */
export const dayAndMonth = (day: string): string => DAY_AND_MONTH.format(Date.parse(day));

/** The longest day has 25 hours: further apart is never the same day. */
const LONGEST_DAY_MS = 25 * 3_600_000;

function isSameDay(clock: WallClock, ms: number, nowMs: number, zone: string): boolean {
  return Math.abs(nowMs - ms) <= LONGEST_DAY_MS && clock.day === wallClock(nowMs, zone).day;
}

/** The last ms that a Date can hold (ECMA-262, "Time Values and Time Range"). */
const LAST_INSTANT_MS = 8.64e15;
const wasSeen = (unixSeconds: number): boolean => unixSeconds > 0 && unixSeconds * 1000 <= LAST_INSTANT_MS;

/** In a popup: 'vandaag, HH:MM', else 'DD-MM-YY, HH:MM'; 'nooit' for GMT_UNIX 0 (MAP-06). */
export function lastSeen(unixSeconds: number, nowMs: number, zone = AMSTERDAM): string {
  if (!wasSeen(unixSeconds)) return 'nooit';
  const clock = wallClock(unixSeconds * 1000, zone);
  const today = isSameDay(clock, unixSeconds * 1000, nowMs, zone);
  return `${today ? 'vandaag' : shortDate(clock)}, ${hoursAndMinutes(clock)}`;
}

/** On the machine page: 'HH:MM' if today, else 'dd/mm/yy, HH:MM'; 'nooit' for GMT_UNIX 0 (MDET-03). */
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

/** '10.000', '0,5': a count, or a number with at most three decimals; of what is smaller three digits. */
export const plainNumber = (value: number): string => PLAIN.format(value);

/** '-0,001', '1000': a number as it is, none of its digits rounded away. */
export const exactNumber = (value: number): string => String(value).replace('.', ',');

/** '20,0 MB', '640 kB': a size in bytes. */
export const fileSize = (bytes: number): string =>
  bytes < 2 ** 20 ? `${Math.max(1, Math.round(bytes / 2 ** 10))} kB` : `${decimals(bytes / 2 ** 20, 1)} MB`;

/** '250 kbit/s', of bit/s. */
export const bitRate = (bitsPerSecond: number): string => `${exactNumber(bitsPerSecond / 1000)} kbit/s`;

/** Fewest and most decimals to the formatter that writes them. */
const decimalFormatters = new Map<string, Intl.NumberFormat>();

/** '1.201,0' with 1 decimal; '12' and '12,3' where `fewest` is 0. */
export function decimals(value: number, most: number, fewest = most): string {
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

/** How fine the catalogue says that signals are shown. */
const DECIMALS = { LATITUDE: decimalsOf('LATITUDE'), Speed: decimalsOf('Speed') };

/** '52.028001': a latitude or longitude, to a tenth of a metre (MDET-11). With a dot, as maps and receivers take it. */
export const coordinate = (degrees: number): string => degrees.toFixed(DECIMALS.LATITUDE);

/** '12,3 km/u', '12 km/u'; '--' when unknown. */
export const speed = (kmPerHour: number | undefined): string =>
  kmPerHour === undefined ? '--' : `${decimals(kmPerHour, DECIMALS.Speed, 0)} km/u`;

/** '12,30 kWh' with 2 decimals, '12 kWh' where `fewest` is 0: energy, and what a battery holds. */
export const kilowattHours = (kWh: number, most: number, fewest = most): string =>
  `${decimals(kWh, most, fewest)} kWh`;

/** '10,5 kW'. */
export const kilowatts = (kW: number): string => `${decimals(kW, 1)} kW`;

/** '640 m', from 1 km on '1,2 km'. What rounds to 1000 m is '1,0 km'; '--' when unknown (MAP-08). */
export function distance(metres: number | undefined): string {
  if (metres === undefined || !Number.isFinite(metres)) return '--';
  const whole = Math.round(metres);
  return whole < 1000 ? `${whole} m` : `${decimals(metres / 1000, 1)} km`;
}

/** 'HH:MM', rounded to whole minutes; beyond 99 hours it keeps counting. '--:--' when unknown or negative. */
export function hoursAsClock(hours: number | undefined): string {
  if (hours === undefined || !Number.isFinite(hours) || hours < 0) return '--:--';
  const minutes = Math.round(hours * 60);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** '6 u 16 min', '16 min': hours as a person says them, rounded to whole minutes. '--' when unknown or negative. */
export function hoursText(hours: number | undefined): string {
  if (hours === undefined || !Number.isFinite(hours) || hours < 0) return '--';
  const minutes = Math.round(hours * 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} u ${minutes % 60} min`;
}

/** 'N%', whole and within 0-100; '--' when unknown. */
export function percent(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '--';
  return `${Math.round(Math.min(100, Math.max(0, value)))}%`;
}

/** What a machine does, in one word: every screen has it from here. */
const STATUS_LABELS: Readonly<Record<MachineStatus, string>> = {
  charging: 'Laden',
  running: 'Draait',
  off: 'Uit',
};
export const statusLabel = (status: MachineStatus): string => STATUS_LABELS[status];

/** Of a machine that nothing was heard of lately, whatever it did then (LIVE-07; fleet-state.ts). */
export const SILENT_LABEL = 'Stil';

/** 'laatst Draait': what a machine did when it was heard last. */
export const lastStatus = (status: MachineStatus): string => `laatst ${statusLabel(status)}`;

/** The status of a machine that has never reported: it is not silent, and it has no last status. */
export const NEVER_SEEN_LABEL = 'Nog nooit gezien';

/** The status for screen readers: 'Draait'; 'Stil, laatst Draait' for an old reading (LIVE-07); 'Nog nooit gezien'. */
export function statusText(status: MachineStatus, sighting: Sighting): string {
  if (sighting === 'never') return NEVER_SEEN_LABEL;
  return sighting === 'stale' ? `${SILENT_LABEL}, ${lastStatus(status)}` : statusLabel(status);
}

/** The status in one word; 'Nog nooit gezien' for a machine that has never reported. */
export function shortStatus(status: MachineStatus, sighting: Sighting): string {
  if (sighting === 'never') return NEVER_SEEN_LABEL;
  return sighting === 'stale' ? SILENT_LABEL : statusLabel(status);
}

/** An age in ms in its largest whole unit, for 'Gegevens van … geleden': '12 s', '5 min', '3 uur', '2 dagen'. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} uur`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? '1 dag' : `${days} dagen`;
}
