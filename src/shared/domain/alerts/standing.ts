/** What the portal's clock tells of a machine, that no reading does (docs/alerts.md section 3). */
import type { Range } from '../intervals.ts';
import type { MaintenanceDue } from '../maintenance.ts';
import { ageInWords, clockTime, decimals, dutchDate, percent } from '../nl.ts';
import type { ClockKind, RuleSettings } from './kinds.ts';
import { nextShift, type WorkWeek } from './work-week.ts';

/** What is known of a machine now; ms. */
export type Standing = {
  /** When something came in last, or it became its present owner's; undefined: nothing ever did. */
  readonly heardAt: number | undefined;
  readonly week: WorkWeek;
  /** undefined: its charge is not known, or only of long ago. */
  readonly charge: Charge | undefined;
  /** What is due first, first. */
  readonly plans: readonly (MaintenanceDue & { readonly planName: string })[];
};

export type Charge = {
  /** The mean of its packs. */
  readonly percent: number;
  /** When that was. */
  readonly at: number;
  readonly isCharging: boolean;
  /** When it will be full, if that was told. */
  readonly full: Range | undefined;
  /** How long it takes from there at most, as far as earlier charges tell. */
  readonly takesMs: number | undefined;
};

/** That something is so. Times in ms. */
export type Found = {
  readonly since: number;
  /** From when on it is told; who asked for it later is told nothing. */
  readonly at: number;
  readonly words: string;
  /** Which of several things that may be so at once; else ''. Each is an alert of its own. */
  readonly subject: string;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type Judge = (standing: Standing, settings: RuleSettings, now: number) => readonly Found[];

const NONE: readonly Found[] = [];

const JUDGES: Readonly<Record<ClockKind, Judge>> = {
  silent({ heardAt = Infinity }, { threshold = 0 }, now) {
    return silentFrom(heardAt, heardAt + threshold * HOUR_MS, now);
  },

  unseen({ heardAt = Infinity, week }, { threshold = 0 }, now) {
    // Of ten thousand machines most were heard just now.
    if (heardAt + threshold * MINUTE_MS > now) return NONE;
    const shift = nextShift(week, heardAt);
    return shift ? silentFrom(heardAt, shift.from + threshold * MINUTE_MS, now) : NONE;
  },

  'not-full'({ week, charge }, { threshold = 0, ahead = 0 }, now) {
    const shift = nextShift(week, now);
    if (!shift || !charge || charge.percent >= threshold) return NONE;
    const at = shift.from - ahead * MINUTE_MS;
    const words = at <= now ? chargeInWords(charge, shift.from, now) : undefined;
    return words === undefined ? NONE : [{ since: at, at, words, subject: '' }];
  },

  maintenance({ plans }, _, now) {
    return plans
      .filter(({ state }) => state !== 'ok')
      .map((plan) => {
        // Not how long that is yet: what is said has to stay so, however long it is open. Once it is done, the next one is another.
        const words = `${plan.planName} ${whenDue(plan)}`;
        return { since: now, at: now, words, subject: words };
      });
  },
};

/** What is so of a machine now, by the numbers of a rule. */
export const judgeStanding = (
  kind: ClockKind,
  standing: Standing,
  settings: RuleSettings,
  now: number,
): readonly Found[] => JUDGES[kind](standing, settings, now);

const silentFrom = (heardAt: number, at: number, now: number): readonly Found[] =>
  at <= now
    ? [{ since: heardAt, at, words: `al ${ageInWords(now - heardAt)} niets gehoord`, subject: '' }]
    : NONE;

/** undefined: it will be full in time. */
function chargeInWords(
  { percent: level, at, isCharging, full, takesMs }: Charge,
  begin: number,
  now: number,
): string | undefined {
  const isOld = now - at > OLD_MS;
  const known = `accu ${isOld ? `om ${clockTime(at)} ` : ''}op ${percent(level)}`;
  if (isCharging && !isOld) {
    if (!full) return `${known}, laadt; wanneer hij vol is, is niet bekend`;
    if (full.to <= begin) return undefined;
    return `${known}, laadt; vol tussen ${clockTime(full.from)} en ${clockTime(full.to)}`;
  }
  if (takesMs === undefined) return `${known}, laadt niet`;
  const last = begin - takesMs;
  if (last <= now) return `${known}, laadt niet; vol om ${clockTime(begin)} lukt niet meer`;
  return `${known}, laadt niet; vol lukt nog met de lader eraan voor ${clockTime(last)}`;
}

/** ms; what was heard so long ago is told with its time. */
const OLD_MS = 10 * MINUTE_MS;

const whenDue = ({ by, dueHours, dueDay }: MaintenanceDue): string =>
  by === 'hours' ? `bij ${decimals(dueHours ?? 0, 1, 0)} uur` : `op ${dutchDate(dueDay ?? '')}`;

/** ms; those that become silent within it may be so for one reason. */
export const SILENT_TOGETHER_MS = 10 * 60_000;
const FEWEST = 5;
const SHARE = 0.3;

/** @param all machines of the organization */
export const isManyAtOnce = (silent: number, all: number): boolean =>
  silent >= FEWEST && silent >= SHARE * all;
