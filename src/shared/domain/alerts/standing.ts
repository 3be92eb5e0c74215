/** What the portal's clock tells of a machine, that no reading does (docs/alerts.md section 3). */
import { averagePercent, batteriesOf } from '../battery.ts';
import {
  type FaultEpisode,
  faultKey,
  faultSourceText,
  faultText,
  LAMP_TEXTS,
  mostSevereFirst,
} from '../fault-codes.ts';
import type { Range } from '../intervals.ts';
import { isCharging, type SignalValues } from '../machine-status.ts';
import type { MaintenanceDue } from '../maintenance.ts';
import { ageText, clockTime, decimals, dutchDate, percent } from '../nl.ts';
import { levelAhead, type UsualDay } from '../usual-day.ts';
import type { ClockKind, RuleSettings } from './kinds.ts';
import { nextShift, shiftOf, type WorkWeek } from './work-week.ts';

/** What is known of a machine now; ms. */
export type Standing = {
  /** When something came in last, or it became its present owner's; undefined: nothing ever did. */
  readonly heardAt: number | undefined;
  readonly week: WorkWeek;
  /** undefined: its charge is not known, or only of long ago. */
  readonly charge: Charge | undefined;
  /** What is due first, first. */
  readonly plans: readonly (MaintenanceDue & { readonly planName: string })[];
  /** Fault codes that are active, or were so in the last day. */
  readonly faults: readonly FaultEpisode[];
};

export type Charge = {
  /** The mean of its packs. */
  readonly percent: number;
  /** When that was. */
  readonly at: number;
  readonly isCharging: boolean;
  /** The usual days of now and of the shift's end; empty: too little history. */
  readonly usual: readonly UsualDay[];
  /** When it will be full, if that was told. */
  readonly full: Range | undefined;
  /** How long it takes from there at most, as far as earlier charges tell. */
  readonly takesMs: number | undefined;
};

/** What live data say of it; undefined: of no pack anything. @param at ms, of the newest of them */
export function chargeOf(values: SignalValues, at: number): Charge | undefined {
  const mean = averagePercent(batteriesOf(values, []));
  if (mean === undefined) return undefined;
  return {
    percent: mean,
    at,
    isCharging: isCharging(values),
    usual: [],
    full: undefined,
    takesMs: undefined,
  };
}

/** That something is so. Times in ms. */
export type Found = {
  readonly since: number;
  /** From when on it is told; who asked for it later is told nothing. */
  readonly at: number;
  readonly words: string;
  /** The figure that the rule's threshold is compared with, in its unit. */
  readonly value?: number;
  /** Which of several things that may be so at once; else ''. Each is an alert of its own. */
  readonly subject: string;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type Judge = (
  standing: Standing,
  settings: RuleSettings,
  now: number,
  openAt: number | undefined,
  open: ReadonlySet<string>,
) => readonly Found[];

const NONE: readonly Found[] = [];

const JUDGES: Readonly<Record<ClockKind, Judge>> = {
  silent({ heardAt = Infinity }, { threshold = 0 }, now) {
    return silentFrom(heardAt, heardAt + threshold * HOUR_MS, now, (now - heardAt) / HOUR_MS);
  },

  unseen({ heardAt = Infinity, week }, { threshold = 0 }, now) {
    // Of ten thousand machines most were heard just now.
    if (heardAt + threshold * MINUTE_MS > now) return NONE;
    const shift = nextShift(week, heardAt);
    return shift
      ? silentFrom(heardAt, shift.from + threshold * MINUTE_MS, now, (now - shift.from) / MINUTE_MS)
      : NONE;
  },

  'not-full'({ week, charge }, { threshold = 0, ahead = 0 }, now) {
    const shift = nextShift(week, now);
    if (!shift || !charge || charge.percent >= threshold) return NONE;
    // Shifts without a rest between leave no time to charge before one.
    if (shiftOf(week, shift.from - 1)) return NONE;
    const at = shift.from - ahead * MINUTE_MS;
    const words = at <= now ? chargeInWords(charge, shift.from, now) : undefined;
    return words === undefined ? NONE : [{ since: at, at, words, value: charge.percent, subject: '' }];
  },

  'runs-short'({ week, charge }, { threshold = 0, clear = 0 }, now, openAt) {
    const shift = shiftOf(week, now);
    if (!shift || (openAt !== undefined && openAt < shift.from)) return NONE;
    const stays = openAt === undefined ? NONE : [{ since: openAt, at: openAt, words: '', subject: '' }];
    if (!charge || now - charge.at > OLD_MS) return stays;
    if (charge.isCharging) return NONE;
    const ahead = levelAhead(charge, charge.usual, shift.to, threshold);
    if (!ahead) return stays;
    const { lowAt, lowest } = ahead;
    if (lowAt === undefined) return lowest < clear ? stays : NONE;
    const when = lowAt <= charge.at ? 'nu al' : `om ca. ${clockTime(Math.floor(lowAt / STEP_MS) * STEP_MS)}`;
    const words = `accu op ${percent(charge.percent)}, als gewoonlijk ${when} onder ${percent(threshold)}; dienst tot ${clockTime(shift.to)}`;
    return [{ since: charge.at, at: charge.at, words, value: lowest, subject: '' }];
  },

  maintenance({ plans }, _, now) {
    return plans
      .filter(({ state }) => state !== 'ok')
      .map((plan) => {
        // Without the hours that are left: the words stay the same while the alert is open. The next time is another alert.
        const due = whenDue(plan);
        return {
          since: now,
          at: now,
          words: `${plan.planName} nodig ${due}`,
          subject: `${plan.planName} ${due}`,
        };
      });
  },

  fault({ faults }, { hold = 0, clearHold = 0 }, now, _, open) {
    const found = [...newestOfEach(faults)].flatMap(([subject, fault]) => {
      const isOpen = open.has(subject);
      const stays = isOpen && (fault.over === null || now - fault.over < clearHold * MINUTE_MS);
      const begins = fault.over === null && fault.lastSeen - fault.since >= hold * MINUTE_MS;
      if (!stays && !(begins && now - fault.lastSeen <= HISTORY_MS)) return [];
      const at = fault.since + hold * MINUTE_MS;
      return [{ since: fault.since, at, words: faultAlertInWords(fault), subject, isOpen, lamp: fault.lamp }];
    });
    return found
      .sort((one, other) => Number(other.isOpen) - Number(one.isOpen) || mostSevereFirst(one, other))
      .slice(0, MOST_FAULTS)
      .map(({ isOpen: _, lamp: __, ...what }) => what);
  },
};

/** ms; a clock time of a forecast is rounded down to 5 minutes. */
const STEP_MS = 5 * MINUTE_MS;
/** ms; readings that are older when they come in are history: a fault in them opens no alert, and the machine does not count as heard. */
export const HISTORY_MS = 48 * HOUR_MS;
/** Alerts of one machine: an ECU that lost its power may report hundreds of codes. */
const MOST_FAULTS = 20;

/** Returns the newest episode of each code. */
function newestOfEach(faults: readonly FaultEpisode[]): ReadonlyMap<string, FaultEpisode> {
  const newest = new Map<string, FaultEpisode>();
  for (const fault of faults) {
    const key = faultKey(fault);
    if ((newest.get(key)?.since ?? Number.NEGATIVE_INFINITY) < fault.since) newest.set(key, fault);
  }
  return newest;
}

/** 'SPN 100, FMI 1: waarde veel te laag (ernstig); Stoplamp (rood); ECU 0x21 op can0'. */
export const faultAlertInWords = (fault: FaultEpisode): string =>
  [faultText(fault), ...(fault.lamp === null ? [] : [LAMP_TEXTS[fault.lamp]]), faultSourceText(fault)].join(
    '; ',
  );

/**
 * Returns what is so of a machine now, by the numbers of a rule.
 * @param openAt begin of the open alert by the same rule, ms @param open subjects of the open alerts by the same rule
 */
export const judgeStanding = (
  kind: ClockKind,
  standing: Standing,
  settings: RuleSettings,
  now: number,
  openAt?: number,
  open: ReadonlySet<string> = new Set(),
): readonly Found[] => JUDGES[kind](standing, settings, now, openAt, open);

const silentFrom = (heardAt: number, at: number, now: number, value: number): readonly Found[] =>
  at <= now
    ? [{ since: heardAt, at, words: `al ${ageText(now - heardAt)} niets gehoord`, value, subject: '' }]
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
