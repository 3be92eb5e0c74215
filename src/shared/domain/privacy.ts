/** Privacy settings: which users may see past positions of machines, which are personal data of the drivers (docs/privacy.md). */
import { amsterdamDay, amsterdamHoursRange, daysAfter, nextDay } from './amsterdam-time.ts';
import type { Range } from './intervals.ts';

/** Working hours, in local time in Amsterdam. */
export type WorkingHours = {
  /** 1 is Monday, 7 Sunday. */
  readonly days: readonly number[];
  /** 'HH:mm'; a `to` that is not later than `from` is on the next day. */
  readonly from: string;
  readonly to: string;
};

export type Privacy = {
  /** The lowest role that sees routes of the past. */
  readonly routesFrom: 'beheerder' | 'gebruiker' | 'kijker';
  /** A kijker only sees positions in these hours; null: all positions. */
  readonly viewerHours: WorkingHours | null;
  /** How long positions are kept, days; null: as long as readings. */
  readonly positionDays: number | null;
};

/** Dutch texts of the choices in the form. */
export const ROUTE_VISIBILITY_LABELS: Readonly<Record<Privacy['routesFrom'], string>> = {
  kijker: 'Iedereen',
  gebruiker: 'Gebruikers en beheerders',
  beheerder: 'Alleen beheerders',
};

/** The settings of an organization that has not chosen any. */
export const DEFAULT_PRIVACY: Privacy = { routesFrom: 'kijker', viewerHours: null, positionDays: null };

/** Minimum of `positionDays`: log files, which also contain positions, are kept for about this long whatever the setting is. */
export const MIN_POSITION_RETENTION_DAYS = 31;
export const MAX_POSITION_RETENTION_DAYS = 3_650;

/** Cache of ranges by hours and day, because a response needs a year or more of them and Intl is slow. */
const known = new Map<string, Range | undefined>();
/** Maximum number of cached ranges, about 15 MB: 450 days for 220 different settings of working hours. */
const MAX_KNOWN = 100_000;

/** Returns the working hours of a day ('YYYY-MM-DD'); undefined on a free day. */
function workedOn({ days, from, to }: WorkingHours, day: string): Range | undefined {
  if (!days.includes(new Date(day).getUTCDay() || 7)) return undefined;
  const key = `${day} ${from} ${to}`;
  if (!known.has(key)) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, amsterdamHoursRange(day, from, to));
  }
  return known.get(key);
}

/** Returns the working hours in a range as half-open intervals, ms, in order and not overlapping. */
export function workingHoursIn(hours: WorkingHours, { from, to }: Range): Range[] {
  const found: Range[] = [];
  // A night shift that began on the day before may end in the range.
  const last = amsterdamDay(to);
  for (let day = daysAfter(amsterdamDay(from), -1); day <= last; day = nextDay(day)) {
    const worked = workedOn(hours, day);
    const start = Math.max(worked?.from ?? to, from, found.at(-1)?.to ?? from);
    const end = Math.min(worked?.to ?? to, to);
    if (worked && start < end) found.push({ from: start, to: end });
  }
  return found;
}

export const isWorkingTime = (hours: WorkingHours, ms: number): boolean =>
  workingHoursIn(hours, { from: ms, to: ms + 1 }).length > 0;

/** Returns the first moment in working hours from `ms` to `now`, both included; undefined: there is none yet. */
export const firstMomentInWorkingHours = (hours: WorkingHours, ms: number, now: number): number | undefined =>
  workingHoursIn(hours, { from: ms, to: now + 1 })[0]?.from;
