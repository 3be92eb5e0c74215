/**
 * What the readings of one machine say by its rules, in order of time (docs/alerts.md section 2): when something began,
 * when it had held, and when it was over.
 */
import { averagePercent, batteriesOf } from '../battery.ts';
import type { ChargingEvent, ChargingState } from '../charging-events.ts';
import { distanceMetres } from '../distance.ts';
import { drivesBy } from '../figures.ts';
import { MAX_GAP_MS } from '../intervals.ts';
import { type LatestValue, SIGNAL_DROPS_AFTER_MS } from '../live-data.ts';
import { CHARGING_ABOVE_AMPS, CHARGING_FLAG_FROM, isCharging, takesCurrent } from '../machine-status.ts';
import { distance, percent } from '../nl.ts';
import { packOf } from '../packs.ts';
import { type Position, positionOf } from '../position.ts';
import { type BucketBox, scatterAt, withPosition } from '../scatter.ts';
import { isChargingFlag, type Reading, type Signals } from '../signal.ts';
import { isOfCharging, watchCharging } from './charging.ts';
import type { JudgedKind, ReadingKind, RuleSettings } from './kinds.ts';

export type WatchedRule = {
  /** By which its state is known: another one for another version. */
  readonly key: string;
  readonly kind: ReadingKind;
  readonly settings: RuleSettings;
  /** It begins nothing outside working hours. */
  readonly inWorkOnly: boolean;
  /** ms; readings before it are not its own. */
  readonly from: number;
  /** Of charging: its person sees what was before the organization had the machine too. */
  readonly seesBefore?: boolean;
};

export type WatchedMachine = {
  readonly rules: readonly WatchedRule[];
  readonly batteries: readonly { readonly capacity: number | null }[];
  readonly isWorkTime: (ms: number) => boolean;
  /** ms; what was before says nothing of it. */
  readonly ownedSince: number;
  /** Time of the stream's first MotorSpeed, ms, for who does not watch all readings. */
  readonly motorSince?: number | undefined;
};

/** Once that something was so. Times in ms. */
export type Episode = {
  readonly key: string;
  /** The first reading of it. */
  readonly since: number;
  /** The reading by which it had held. */
  readonly at: number;
  /** The last reading that said so. */
  readonly seen: number;
  /** The first reading by which it was over; undefined: it is not. */
  readonly until?: number;
  /** With the figures of `at`. */
  readonly words: string;
  /** The figure of `at` that the rule's threshold is compared with, in its unit; absent in states of an older version. */
  readonly value?: number;
  /** Of charging: what happened between `since` and `until`. */
  readonly event?: ChargingEvent;
};

/** Of one rule; none: nothing is the matter. ms */
type RuleState = {
  /** It is so, but has not held yet. */
  readonly bad?: number;
  readonly open?: Omit<Episode, 'key' | 'until'>;
  /** It is over, but that has not held yet. */
  readonly clear?: number;
};

/** What has to be remembered between two readings; plain JSON. */
export type WatchState = {
  /** Of the last reading. */
  readonly time: number;
  readonly newest: Readonly<Record<string, LatestValue>>;
  /** The machine's last position in working hours; `at`: its time, ms (absent in states that an older version wrote). */
  readonly left?: Position & { readonly at?: number };
  /** The machine's positions since it was left, by bucket; where a rule needs these. */
  readonly boxes?: readonly BucketBox[];
  /** When each pack was heard last. */
  readonly packs: Readonly<Record<string, number>>;
  /** The machine has sent MotorSpeed before. */
  readonly hasMotor?: true;
  /** By key. */
  readonly rules: Readonly<Record<string, RuleState>>;
  /** Where a rule asks for it. */
  readonly charging?: ChargingState;
};

/** ms; a pack that was not heard for longer may be gone for good. */
const PACK_KNOWN_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
/** Part of the scatter by which a receiver lies outside of where it was left, at most, as measured (decision 68). */
const WANDER_SHARE = 0.75;
/** m; within minutes a receiver beside a hall wanders by that, and more comes from a machine that moves. */
const LEAST_WANDER_METRES = 30;
const MOST_WANDER_METRES = 150;
/** Minutes for which a condition lasts at least before its alert opens, whatever the rule says. */
const LEAST_HOLD: Partial<Record<ReadingKind, number>> = { moved: 2 };

/** 'bad': it is so; 'clear': it surely is not; 'between': neither, or there is no telling. */
type Level = 'bad' | 'clear' | 'between';
type Judged = { readonly level: Level; readonly words?: string; readonly value?: number };
const BETWEEN: Judged = { level: 'between' };
const CLEAR: Judged = { level: 'clear' };

/** What a reading says together with those shortly before. */
type Moment = {
  readonly time: number;
  readonly values: Signals;
  readonly batteries: ReturnType<typeof batteriesOf>;
  readonly isWork: boolean;
  readonly position: Position | undefined;
  readonly left: Position | undefined;
  /** m; how far the positions of an hour lie apart since the machine was left. */
  readonly scatter: number;
  readonly hasMotor: boolean;
  readonly packs: WatchState['packs'];
};

const JUDGES: Readonly<Record<JudgedKind, (moment: Moment, settings: RuleSettings) => Judged>> = {
  low({ values, batteries }, { threshold = 0, clear = 0 }) {
    if (isCharging(values)) return CLEAR;
    const known = batteries.flatMap(({ number, percent: level }) =>
      level === undefined ? [] : [{ number, level }],
    );
    const low = known.filter(({ level }) => level < threshold);
    if (low.length > 0)
      return {
        level: 'bad',
        value: Math.min(...low.map(({ level }) => level)),
        words: low
          .map(
            ({ number, level }) => `${batteries.length > 1 ? `accu ${number}` : 'accu'} op ${percent(level)}`,
          )
          .join(', '),
      };
    return known.length > 0 && known.every(({ level }) => level >= clear) ? CLEAR : BETWEEN;
  },

  'not-charging'({ values, batteries }, { threshold = 0 }) {
    const flags = Object.keys(values).filter(isChargingFlag);
    const isPlugged = flags.some((flag) => (values[flag] ?? 0) >= CHARGING_FLAG_FROM);
    if (flags.length > 0 && !isPlugged) return CLEAR;
    const amps = values.ChargingCurrent;
    if (amps !== undefined && amps > CHARGING_ABOVE_AMPS) return CLEAR;
    // By a second charger, of which no signal is mapped.
    if (takesCurrent(values)) return CLEAR;
    const mean = averagePercent(batteries);
    if (mean !== undefined && mean >= threshold) return CLEAR;
    if (!isPlugged || amps === undefined || mean === undefined) return BETWEEN;
    return { level: 'bad', value: mean, words: `aan de kabel op ${percent(mean)}, zonder stroom` };
  },

  moved({ isWork, position, left, scatter, values, hasMotor }, { threshold = 0 }) {
    if (isWork) return CLEAR;
    const metres = position && left ? distanceMetres(left, position) : 0;
    const wander = Math.min(Math.max(WANDER_SHARE * scatter, LEAST_WANDER_METRES), MOST_WANDER_METRES);
    if (metres <= threshold + wander) return BETWEEN;
    const how = drivesBy(values.MotorSpeed, hasMotor, values.Speed) ? 'zelf gereden' : 'vervoerd';
    return { level: 'bad', value: metres, words: `${distance(metres)} verplaatst, ${how}` };
  },

  'packs-apart'({ batteries }, { threshold = 0, clear = 0 }) {
    const known = batteries.flatMap(({ percent: level }) => (level === undefined ? [] : [level]));
    if (known.length < 2) return BETWEEN;
    const apart = Math.max(...known) - Math.min(...known);
    if (apart > threshold)
      return { level: 'bad', value: apart, words: `accu’s verschillen ${Math.round(apart)} punten` };
    return apart < clear ? CLEAR : BETWEEN;
  },

  'pack-silent'({ time, packs }, { threshold = 0 }) {
    const heard = Object.entries(packs);
    const isFresh = ([, ms]: readonly [string, number]) => time - ms <= SIGNAL_DROPS_AFTER_MS;
    if (heard.every(isFresh)) return heard.length > 0 ? CLEAR : BETWEEN;
    // Nothing of any pack: then the machine is off, and no pack is gone.
    if (!heard.some(isFresh)) return BETWEEN;
    const gone = heard.filter(([, ms]) => time - ms >= threshold * MINUTE_MS);
    if (gone.length === 0) return BETWEEN;
    const value = Math.max(...gone.map(([, ms]) => (time - ms) / MINUTE_MS));
    return {
      level: 'bad',
      value,
      words: `niets meer van accu ${gone.map(([number]) => number).join(' en ')}`,
    };
  },

  speeding({ values: { Speed, MotorSpeed }, hasMotor }, { threshold = 0, clear = 0 }) {
    if (Speed === undefined) return BETWEEN;
    // A machine on a trailer or a train does not drive.
    if (!drivesBy(MotorSpeed, hasMotor, Speed)) return CLEAR;
    if (Speed > threshold) return { level: 'bad', value: Speed, words: `reed ${Math.round(Speed)} km/u` };
    return Speed < clear ? CLEAR : BETWEEN;
  },
};

/**
 * @param before the state after the reading before; undefined: there is none
 * @param reading later than those before
 * @returns the state after it, and what is over by it; what is not, `openEpisodes` tells of the state
 */
export function watch(
  before: WatchState | undefined,
  reading: Reading,
  machine: WatchedMachine,
): { readonly state: WatchState; readonly ended: readonly Episode[] } {
  const { time, signals } = reading;
  const { rules, batteries, isWorkTime, ownedSince } = machine;
  const state = before && before.time < ownedSince && time >= ownedSince ? undefined : before;
  const isAfterGap = state === undefined || time - state.time > MAX_GAP_MS;
  const newest = freshOf(state?.newest ?? {}, signals, time);
  const values = Object.fromEntries(Object.entries(newest).map(([name, { value }]) => [name, value]));
  const packs = packsHeard(state?.packs ?? {}, signals, time);
  const isWork = isWorkTime(time);
  const found = positionOf(signals);
  const position = found && { ...found, at: time };
  const left = isWork ? (position ?? state?.left) : (state?.left ?? position);
  const hasMotor =
    state?.hasMotor ||
    signals.MotorSpeed !== undefined ||
    (machine.motorSince ?? Number.POSITIVE_INFINITY) <= time;
  const boxes = boxesAfter(state, rules, isWork, position);
  const moment: Moment = {
    time,
    values,
    batteries: batteriesOf(values, batteries),
    isWork,
    position,
    left,
    scatter: scatterAt(boxes ?? [], time)?.metres ?? 0,
    hasMotor,
    packs,
  };

  const { charging, known } = watchCharging(before?.charging, reading, machine);
  const ended: Episode[] = [...known];
  const after: Record<string, RuleState> = {};
  for (const rule of rules) {
    const { kind } = rule;
    const was = state?.rules[rule.key] ?? {};
    if (time < rule.from || kind === 'charging') continue;
    const judged = JUDGES[kind](moment, rule.settings);
    const next = advance(was, judged, time, isAfterGap, isWork, rule);
    if (was.open && !next.open)
      ended.push({ ...was.open, key: rule.key, until: isAfterGap ? time : (was.clear ?? time) });
    if (next.open || next.bad !== undefined) after[rule.key] = next;
  }
  return {
    state: {
      ...{ time, newest, packs, rules: after },
      ...(left && { left }),
      ...(boxes && { boxes }),
      ...(hasMotor && { hasMotor }),
      ...(charging && { charging }),
    },
    ended,
  };
}

function advance(
  { bad, open, clear }: RuleState,
  { level, words = '', value }: Judged,
  time: number,
  isAfterGap: boolean,
  isWork: boolean,
  { kind, settings: { hold = 0, clearHold = 0 }, inWorkOnly }: WatchedRule,
): RuleState {
  if (open) {
    if (level === 'bad') return { open: { ...open, seen: time } };
    if (level === 'between') return { open };
    const since = isAfterGap ? time : (clear ?? time);
    return time - since >= clearHold * MINUTE_MS ? {} : { open, clear: since };
  }
  if (level !== 'bad' || (inWorkOnly && !isWork)) return {};
  // The first reading after a start or a gap opens nothing.
  const since = isAfterGap ? time : (bad ?? time);
  const least = Math.max(hold, LEAST_HOLD[kind] ?? 0);
  if (time > since && time - since >= least * MINUTE_MS)
    return { open: { since, at: time, seen: time, words, ...(value !== undefined && { value }) } };
  return { bad: since };
}

/** The machine's positions from where it was left on. */
function boxesAfter(
  before: Pick<WatchState, 'boxes'> | undefined,
  rules: readonly WatchedRule[],
  isWork: boolean,
  position: (Position & { readonly at: number }) | undefined,
): readonly BucketBox[] | undefined {
  if (!rules.some(({ kind }) => kind === 'moved')) return undefined;
  if (!position) return before?.boxes;
  return withPosition((isWork ? undefined : before?.boxes) ?? [], position, position.at);
}

/** What is so, by a state. */
export const openEpisodes = ({ rules }: WatchState): Episode[] =>
  Object.entries(rules).flatMap(([key, { open }]) => (open ? [{ ...open, key }] : []));

/** Returns how far the machine is from where it was left, m; undefined: it sent no position in the last 5 minutes. */
export function awayMetres({ newest, left }: WatchState): number | undefined {
  const { LATITUDE, LONGITUDE } = newest;
  const position =
    LATITUDE && LONGITUDE && positionOf({ LATITUDE: LATITUDE.value, LONGITUDE: LONGITUDE.value });
  return position && left ? distanceMetres(left, position) : undefined;
}

/** Whether the next readings should be looked at soon: something has begun. */
export const isAwake = ({ rules }: WatchState): boolean => Object.keys(rules).length > 0;

/** Whether what is open has begun to be over. */
export const isEnding = ({ rules }: WatchState): boolean =>
  Object.values(rules).some(({ clear }) => clear !== undefined);

function freshOf(known: WatchState['newest'], signals: Signals, time: number): WatchState['newest'] {
  const newest: Record<string, LatestValue> = {};
  for (const [name, latest] of Object.entries(known))
    if (time - latest.time <= SIGNAL_DROPS_AFTER_MS) newest[name] = latest;
  for (const [name, value] of Object.entries(signals)) if (isOfAlerts(name)) newest[name] = { value, time };
  return newest;
}

const isOfPlace = (name: string): boolean => name === 'LATITUDE' || name === 'LONGITUDE';
/** Signals that tell a machine that drives from one that is carried. */
const isOfDriving = (name: string): boolean => name === 'MotorSpeed' || isSpeed(name);
const isSpeed = (name: string): boolean => name === 'Speed';
const isOfPacks = (name: string): boolean => packOf(name) !== undefined;

/** What each kind is judged by, by name of a signal. */
export const IS_JUDGED_BY: Readonly<Record<ReadingKind, (name: string) => boolean>> = {
  low: isOfCharging,
  charging: isOfCharging,
  'not-charging': isOfCharging,
  moved: (name) => isOfPlace(name) || isOfDriving(name),
  'packs-apart': isOfPacks,
  'pack-silent': isOfPacks,
  speeding: isOfDriving,
};

/** What any of them is judged by. */
export const isOfAlerts = (name: string): boolean =>
  isOfCharging(name) || isOfPlace(name) || isOfDriving(name);

function packsHeard(known: WatchState['packs'], signals: Signals, time: number): WatchState['packs'] {
  const heard: Record<string, number> = {};
  for (const [pack, ms] of Object.entries(known)) if (time - ms <= PACK_KNOWN_MS) heard[pack] = ms;
  for (const name of Object.keys(signals)) {
    const pack = packOf(name);
    if (pack !== undefined) heard[pack] = time;
  }
  return heard;
}
