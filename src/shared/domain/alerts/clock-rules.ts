/**
 * Rules that a timer evaluates, because no reading can trigger them: silence, shifts, maintenance and faults (docs/alerts.md section 3).
 */
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

/** State of a machine for timer rules. Times in ms. */
export type MachineState = {
  /** When the portal last received something from the machine, or when its present owner got it; undefined: never. */
  readonly lastSeenAt: number | undefined;
  readonly week: WorkWeek;
  /** undefined: the charge is unknown or too old. */
  readonly charge: Charge | undefined;
  /** In order of when they are due. */
  readonly plans: readonly (MaintenanceDue & { readonly planName: string })[];
  /** Fault codes that are active, or were active in the last day. */
  readonly faults: readonly FaultEpisode[];
};

export type Charge = {
  /** Mean of the packs. */
  readonly percent: number;
  /** Time of the newest value, in ms. */
  readonly at: number;
  readonly isCharging: boolean;
  /** The usual days of the current time and of the shift's end; empty: too little history. */
  readonly usual: readonly UsualDay[];
  /** When the battery is expected to be full; undefined: no forecast. */
  readonly full: Range | undefined;
  /** Longest time that charging to full takes, by earlier charges; undefined: unknown. */
  readonly takesMs: number | undefined;
};

/**
 * Returns the charge by live data; undefined: no pack has a level.
 * @param at time of the newest value, in ms
 */
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

/** An alert condition that holds. Times in ms. */
export type Finding = {
  readonly since: number;
  /** When the condition became an alert. A rule that was made later still notifies once. */
  readonly at: number;
  readonly words: string;
  /** The value that is compared with the rule's threshold, in its unit. */
  readonly value?: number;
  /** Distinguishes alerts that can be open at the same time by one rule and machine, for example a fault code; else ''. */
  readonly subject: string;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type Evaluator = (
  machineState: MachineState,
  settings: RuleSettings,
  now: number,
  openAt: number | undefined,
  open: ReadonlySet<string>,
) => readonly Finding[];

const NONE: readonly Finding[] = [];

const EVALUATORS: Readonly<Record<ClockKind, Evaluator>> = {
  silent({ lastSeenAt = Infinity }, { threshold = 0 }, now) {
    return silentFrom(lastSeenAt, lastSeenAt + threshold * HOUR_MS, now, (now - lastSeenAt) / HOUR_MS);
  },

  unseen({ lastSeenAt = Infinity, week }, { threshold = 0 }, now) {
    // An early exit: most machines have just reported, and finding a shift costs more.
    if (lastSeenAt + threshold * MINUTE_MS > now) return NONE;
    const shift = nextShift(week, lastSeenAt);
    return shift
      ? silentFrom(lastSeenAt, shift.from + threshold * MINUTE_MS, now, (now - shift.from) / MINUTE_MS)
      : NONE;
  },

  'not-full'({ week, charge }, { threshold = 0, ahead = 0 }, now) {
    const shift = nextShift(week, now);
    if (!shift || !charge || charge.percent >= threshold) return NONE;
    // Consecutive shifts leave no time to charge in between.
    if (shiftOf(week, shift.from - 1)) return NONE;
    const at = shift.from - ahead * MINUTE_MS;
    const words = at <= now ? chargeText(charge, shift.from, now) : undefined;
    return words === undefined ? NONE : [{ since: at, at, words, value: charge.percent, subject: '' }];
  },

  'runs-short'(machineState, settings, now, openAt) {
    const shortage = shortageOf(machineState, settings, now, openAt);
    if (shortage === undefined) return NONE;
    if (shortage === 'stays') return [{ since: openAt ?? now, at: openAt ?? now, words: '', subject: '' }];
    const { charge, shift, lowAt, lowest } = shortage;
    const { threshold = 0 } = settings;
    const when = lowAt <= charge.at ? 'nu al' : `om ca. ${clockTime(Math.floor(lowAt / STEP_MS) * STEP_MS)}`;
    const words = `accu op ${percent(charge.percent)}, als gewoonlijk ${when} onder ${percent(threshold)}; dienst tot ${clockTime(shift.to)}`;
    return [{ since: charge.at, at: charge.at, words, value: lowest, subject: '' }];
  },

  maintenance({ plans }, _, now) {
    return plans
      .filter(({ state }) => state !== 'ok')
      .map((plan) => {
        // The text omits the remaining hours, so that it stays the same while the alert is open. The next due time is another alert.
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
      return [{ since: fault.since, at, words: faultAlertText(fault), subject, isOpen, lamp: fault.lamp }];
    });
    return found
      .sort((one, other) => Number(other.isOpen) - Number(one.isOpen) || mostSevereFirst(one, other))
      .slice(0, MOST_FAULTS)
      .map(({ isOpen: _, lamp: __, ...what }) => what);
  },
};

/** Clock times of a forecast are rounded down to 5 minutes. */
const STEP_MS = 5 * MINUTE_MS;
/** Readings that arrive later than this are history: a fault in them opens no alert, and they do not end a silence. */
export const HISTORY_MS = 48 * HOUR_MS;
/** Maximum fault alerts per machine: an ECU that lost its power may report hundreds of codes. */
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
export const faultAlertText = (fault: FaultEpisode): string =>
  [faultText(fault), ...(fault.lamp === null ? [] : [LAMP_TEXTS[fault.lamp]]), faultSourceText(fault)].join(
    '; ',
  );

/**
 * Returns the conditions of a rule that hold for a machine now.
 * @param openAt when the open alert of the same rule began, in ms
 * @param open subjects of the open alerts of the same rule
 */
export const evaluateClockRule = (
  kind: ClockKind,
  machineState: MachineState,
  settings: RuleSettings,
  now: number,
  openAt?: number,
  open: ReadonlySet<string> = new Set(),
): readonly Finding[] => EVALUATORS[kind](machineState, settings, now, openAt, open);

/**
 * Returns when a machine's charge will be too low before its shift ends; 'stays': an open alert stays open, though no such time is known;
 * undefined: the charge lasts until the end of the shift. Much faster than `evaluateClockRule`, because it makes no text.
 */
export function shortageOf(
  { week, charge }: Pick<MachineState, 'week' | 'charge'>,
  { threshold = 0, clear = 0 }: RuleSettings,
  now: number,
  openAt: number | undefined,
): { charge: Charge; shift: Range; lowAt: number; lowest: number } | 'stays' | undefined {
  const shift = shiftOf(week, now);
  if (!shift || (openAt !== undefined && openAt < shift.from)) return undefined;
  const stays = openAt === undefined ? undefined : 'stays';
  if (!charge || now - charge.at > OLD_MS) return stays;
  if (charge.isCharging) return undefined;
  const ahead = levelAhead(charge, charge.usual, shift.to, threshold);
  if (!ahead) return stays;
  const { lowAt, lowest } = ahead;
  if (lowAt === undefined) return lowest < clear ? stays : undefined;
  return { charge, shift, lowAt, lowest };
}

const silentFrom = (lastSeenAt: number, at: number, now: number, value: number): readonly Finding[] =>
  at <= now
    ? [
        {
          since: lastSeenAt,
          at,
          words: `al ${ageText(now - lastSeenAt)} niets gehoord`,
          value,
          subject: '',
        },
      ]
    : NONE;

/** Returns the text of the alert; undefined: the battery will be full in time. */
function chargeText(
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

/** A value older than this is shown with its time. */
const OLD_MS = 10 * MINUTE_MS;

const whenDue = ({ by, dueHours, dueDay }: MaintenanceDue): string =>
  by === 'hours' ? `bij ${decimals(dueHours ?? 0, 1, 0)} uur` : `op ${dutchDate(dueDay ?? '')}`;

/** Machines that become silent within this time may share one cause. */
export const SILENT_TOGETHER_MS = 10 * 60_000;
const FEWEST = 5;
const SHARE = 0.3;

/**
 * Returns whether so many machines are silent that one alert replaces those of the machines.
 * @param all machines of the organization
 */
export const isManyAtOnce = (silent: number, all: number): boolean =>
  silent >= FEWEST && silent >= SHARE * all;
