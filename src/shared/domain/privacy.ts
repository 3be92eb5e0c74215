/** Who of an organization sees where its machines were (docs/privacy.md): positions are personal data of who drives them. */
import { amsterdamDay, daysAfter, hoursOn, nextDay } from './amsterdam-time.ts';
import type { Range } from './intervals.ts';

/** When people work, by the clock in Amsterdam. */
export type WorkingHours = {
  /** 1 is Monday, 7 Sunday. */
  readonly days: readonly number[];
  /** 'HH:mm'; an end that is not later is one of the next day. */
  readonly from: string;
  readonly to: string;
};

export type Privacy = {
  /** The lowest role that sees routes of the past. */
  readonly routesFrom: 'beheerder' | 'gebruiker' | 'kijker';
  /** A kijker sees positions of these hours only; null: of all. */
  readonly viewerHours: WorkingHours | null;
  /** How long positions are kept, days; null: as long as readings. */
  readonly positionDays: number | null;
};

/** The roles that see routes of the past, in the words of the form. */
export const ROUTES_FROM_TEXTS: Readonly<Record<Privacy['routesFrom'], string>> = {
  kijker: 'Iedereen',
  gebruiker: 'Gebruikers en beheerders',
  beheerder: 'Alleen beheerders',
};

/** What an organization has that decided nothing. */
export const OPEN_PRIVACY: Privacy = { routesFrom: 'kijker', viewerHours: null, positionDays: null };

/** Raw deliveries and log files, which tell positions too, are kept this long in any case. */
export const FEWEST_POSITION_DAYS = 31;
export const MOST_POSITION_DAYS = 3_650;

/** Cache of ranges by hours and day: an answer needs those of a year or more, and Intl is slow. */
const known = new Map<string, Range | undefined>();
/** Some 15 MB: 220 pairs of hours, each of 450 days. */
const MOST_KNOWN = 100_000;

/** A day's working hours; undefined on a day off. `day`: 'YYYY-MM-DD'. */
function workedOn({ days, from, to }: WorkingHours, day: string): Range | undefined {
  if (!days.includes(new Date(day).getUTCDay() || 7)) return undefined;
  const key = `${day} ${from} ${to}`;
  if (!known.has(key)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, hoursOn(day, from, to));
  }
  return known.get(key);
}

/** The working hours in a range, in order, half-open, none overlapping. ms */
export function workingHoursIn(hours: WorkingHours, { from, to }: Range): Range[] {
  const found: Range[] = [];
  // A night shift begins the day before.
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

/** Returns the first working time from `ms` to `now`, both included: when a viewer could first know; undefined: not yet. */
export const firstWorkingTime = (hours: WorkingHours, ms: number, now: number): number | undefined =>
  workingHoursIn(hours, { from: ms, to: now + 1 })[0]?.from;
