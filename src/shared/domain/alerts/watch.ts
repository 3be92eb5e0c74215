/**
 * Evaluates the rules of one machine, reading by reading in order of time (docs/alerts.md section 2): when a condition began, when its
 * pending period ended and when it resolved.
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
import { isChargingSignal, watchCharging } from './charging.ts';
import type { ConditionKind, ReadingKind, RuleSettings } from './kinds.ts';

export type WatchedRule = {
  /** Key of its state; a new version of the rule has another key. */
  readonly key: string;
  readonly kind: ReadingKind;
  readonly settings: RuleSettings;
  /** Opens no alert outside working hours. */
  readonly inWorkOnly: boolean;
  /** Time in ms; the rule ignores earlier readings. */
  readonly from: number;
  /** Only of *charging*: the subscriber also sees events from before the organization owned the machine. */
  readonly seesBefore?: boolean;
};

export type WatchedMachine = {
  readonly rules: readonly WatchedRule[];
  readonly batteries: readonly { readonly capacity: number | null }[];
  readonly isWorkTime: (ms: number) => boolean;
  /** Time in ms; the rules ignore the state from before. */
  readonly ownedSince: number;
  /** Time of the stream's first MotorSpeed, in ms; for callers that do not pass all readings. */
  readonly motorSince?: number | undefined;
};

/** A period in which a condition held. Times in ms. */
export type Episode = {
  readonly key: string;
  /** The first reading with the condition. */
  readonly since: number;
  /** The reading at which the pending period had passed. */
  readonly at: number;
  /** The last reading with the condition. */
  readonly seen: number;
  /** The first reading without the condition; undefined: it still holds. */
  readonly until?: number;
  /** Text of the alert, with the values at `at`. */
  readonly words: string;
  /** The value at `at` that is compared with the rule's threshold, in its unit; absent in states of an older version. */
  readonly value?: number;
  /** Only of *charging*: the event between `since` and `until`. */
  readonly event?: ChargingEvent;
};

/** The state of one rule; absent while its condition does not hold. Times in ms. Stored as JSON: its names stay. */
type RuleState = {
  /** Start of the condition while it is pending. */
  readonly bad?: number;
  readonly open?: Omit<Episode, 'key' | 'until'>;
  /** When the condition stopped, while `clearHold` has not passed. */
  readonly clear?: number;
};

/** State between two readings. Stored as JSON: its names stay. */
export type WatchState = {
  /** Time of the last reading. */
  readonly time: number;
  readonly newest: Readonly<Record<string, LatestValue>>;
  /** The machine's last position in working hours; `at`: its time in ms (absent in states that an older version wrote). */
  readonly left?: Position & { readonly at?: number };
  /** The machine's positions since it was left, by bucket; only if a rule needs them. */
  readonly boxes?: readonly BucketBox[];
  /** When each pack last sent a value, in ms. */
  readonly packs: Readonly<Record<string, number>>;
  /** The machine has sent MotorSpeed before. */
  readonly hasMotor?: true;
  /** By the rule's key. */
  readonly rules: Readonly<Record<string, RuleState>>;
  /** Only if a rule needs it. */
  readonly charging?: ChargingState;
};

/** A pack that sent nothing for longer may have been removed. */
const PACK_KNOWN_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
/** A parked receiver drifts at most this part of its scatter away from where it was left, as measured (decision 68). */
const WANDER_SHARE = 0.75;
/** A receiver beside a hall drifts this far within minutes; a larger distance means that the machine moves. */
const LEAST_WANDER_METRES = 30;
const MOST_WANDER_METRES = 150;
/** Shortest pending period in minutes, whatever the rule says. */
const LEAST_HOLD: Partial<Record<ReadingKind, number>> = { moved: 2 };

/** 'firing': the condition holds. 'ok': it does not. 'unknown': neither is certain. */
type Status = 'firing' | 'ok' | 'unknown';
type Evaluation = { readonly status: Status; readonly words?: string; readonly value?: number };
const UNKNOWN: Evaluation = { status: 'unknown' };
const OK: Evaluation = { status: 'ok' };

/** A reading with the values that are still fresh. */
type Moment = {
  readonly time: number;
  readonly values: Signals;
  readonly batteries: ReturnType<typeof batteriesOf>;
  readonly isWork: boolean;
  readonly position: Position | undefined;
  readonly left: Position | undefined;
  /** Spread of the positions of the last hour since the machine was left, in metres. */
  readonly scatter: number;
  readonly hasMotor: boolean;
  readonly packs: WatchState['packs'];
};

const EVALUATORS: Readonly<Record<ConditionKind, (moment: Moment, settings: RuleSettings) => Evaluation>> = {
  low({ values, batteries }, { threshold = 0, clear = 0 }) {
    if (isCharging(values)) return OK;
    const known = batteries.flatMap(({ number, percent: level }) =>
      level === undefined ? [] : [{ number, level }],
    );
    const low = known.filter(({ level }) => level < threshold);
    if (low.length > 0)
      return {
        status: 'firing',
        value: Math.min(...low.map(({ level }) => level)),
        words: low
          .map(
            ({ number, level }) => `${batteries.length > 1 ? `accu ${number}` : 'accu'} op ${percent(level)}`,
          )
          .join(', '),
      };
    return known.length > 0 && known.every(({ level }) => level >= clear) ? OK : UNKNOWN;
  },

  'not-charging'({ values, batteries }, { threshold = 0 }) {
    const flags = Object.keys(values).filter(isChargingFlag);
    const isPlugged = flags.some((flag) => (values[flag] ?? 0) >= CHARGING_FLAG_FROM);
    if (flags.length > 0 && !isPlugged) return OK;
    const amps = values.ChargingCurrent;
    if (amps !== undefined && amps > CHARGING_ABOVE_AMPS) return OK;
    // A second charger without mapped signals.
    if (takesCurrent(values)) return OK;
    const mean = averagePercent(batteries);
    if (mean !== undefined && mean >= threshold) return OK;
    if (!isPlugged || amps === undefined || mean === undefined) return UNKNOWN;
    return { status: 'firing', value: mean, words: `aan de kabel op ${percent(mean)}, zonder stroom` };
  },

  moved({ isWork, position, left, scatter, values, hasMotor }, { threshold = 0 }) {
    if (isWork) return OK;
    const metres = position && left ? distanceMetres(left, position) : 0;
    const wander = Math.min(Math.max(WANDER_SHARE * scatter, LEAST_WANDER_METRES), MOST_WANDER_METRES);
    if (metres <= threshold + wander) return UNKNOWN;
    const how = drivesBy(values.MotorSpeed, hasMotor, values.Speed) ? 'zelf gereden' : 'vervoerd';
    return { status: 'firing', value: metres, words: `${distance(metres)} verplaatst, ${how}` };
  },

  'packs-apart'({ batteries }, { threshold = 0, clear = 0 }) {
    const known = batteries.flatMap(({ percent: level }) => (level === undefined ? [] : [level]));
    if (known.length < 2) return UNKNOWN;
    const apart = Math.max(...known) - Math.min(...known);
    if (apart > threshold)
      return { status: 'firing', value: apart, words: `accu’s verschillen ${Math.round(apart)} punten` };
    return apart < clear ? OK : UNKNOWN;
  },

  'pack-silent'({ time, packs }, { threshold = 0 }) {
    const lastSeen = Object.entries(packs);
    const isFresh = ([, ms]: readonly [string, number]) => time - ms <= SIGNAL_DROPS_AFTER_MS;
    if (lastSeen.every(isFresh)) return lastSeen.length > 0 ? OK : UNKNOWN;
    // All packs are silent: the machine is off.
    if (!lastSeen.some(isFresh)) return UNKNOWN;
    const gone = lastSeen.filter(([, ms]) => time - ms >= threshold * MINUTE_MS);
    if (gone.length === 0) return UNKNOWN;
    const value = Math.max(...gone.map(([, ms]) => (time - ms) / MINUTE_MS));
    return {
      status: 'firing',
      value,
      words: `niets meer van accu ${gone.map(([number]) => number).join(' en ')}`,
    };
  },

  speeding({ values: { Speed, MotorSpeed }, hasMotor }, { threshold = 0, clear = 0 }) {
    if (Speed === undefined) return UNKNOWN;
    // A machine on a trailer or a train does not drive.
    if (!drivesBy(MotorSpeed, hasMotor, Speed)) return OK;
    if (Speed > threshold) return { status: 'firing', value: Speed, words: `reed ${Math.round(Speed)} km/u` };
    return Speed < clear ? OK : UNKNOWN;
  },
};

/**
 * Evaluates one reading.
 * @param before the state after the previous reading; undefined: there is none
 * @param reading later than all earlier ones
 * @returns the new state, and the episodes that ended at this reading; `openEpisodes` returns those that still hold
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
  const packs = packsLastSeen(state?.packs ?? {}, signals, time);
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
    const evaluation = EVALUATORS[kind](moment, rule.settings);
    const next = advance(was, evaluation, time, isAfterGap, isWork, rule);
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
  { status, words = '', value }: Evaluation,
  time: number,
  isAfterGap: boolean,
  isWork: boolean,
  { kind, settings: { hold = 0, clearHold = 0 }, inWorkOnly }: WatchedRule,
): RuleState {
  if (open) {
    if (status === 'firing') return { open: { ...open, seen: time } };
    if (status === 'unknown') return { open };
    const since = isAfterGap ? time : (clear ?? time);
    return time - since >= clearHold * MINUTE_MS ? {} : { open, clear: since };
  }
  if (status !== 'firing' || (inWorkOnly && !isWork)) return {};
  // The first reading after a start or a gap opens nothing.
  const since = isAfterGap ? time : (bad ?? time);
  const least = Math.max(hold, LEAST_HOLD[kind] ?? 0);
  if (time > since && time - since >= least * MINUTE_MS)
    return { open: { since, at: time, seen: time, words, ...(value !== undefined && { value }) } };
  return { bad: since };
}

/** Returns the machine's positions since it was left, by bucket. */
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

/** Returns the episodes that still hold. */
export const openEpisodes = ({ rules }: WatchState): Episode[] =>
  Object.entries(rules).flatMap(([key, { open }]) => (open ? [{ ...open, key }] : []));

/** Returns how far the machine is from where it was left, m; undefined: it sent no position in the last 5 minutes. */
export function awayMetres({ newest, left }: WatchState): number | undefined {
  const { LATITUDE, LONGITUDE } = newest;
  const position =
    LATITUDE && LONGITUDE && positionOf({ LATITUDE: LATITUDE.value, LONGITUDE: LONGITUDE.value });
  return position && left ? distanceMetres(left, position) : undefined;
}

/** Returns whether a condition is pending or firing, so that the next readings matter. */
export const isPendingOrFiring = ({ rules }: WatchState): boolean => Object.keys(rules).length > 0;

/** Returns whether a firing condition has stopped but `clearHold` has not passed. */
export const isResolving = ({ rules }: WatchState): boolean =>
  Object.values(rules).some(({ clear }) => clear !== undefined);

function freshOf(known: WatchState['newest'], signals: Signals, time: number): WatchState['newest'] {
  const newest: Record<string, LatestValue> = {};
  for (const [name, latest] of Object.entries(known))
    if (time - latest.time <= SIGNAL_DROPS_AFTER_MS) newest[name] = latest;
  for (const [name, value] of Object.entries(signals))
    if (isAlertSignal(name)) newest[name] = { value, time };
  return newest;
}

const POSITION_SIGNALS = ['LATITUDE', 'LONGITUDE'];
/** Signals that distinguish a machine that drives from one that is carried. */
const DRIVING_SIGNALS = ['MotorSpeed', 'Speed'];
const isPackSignal = (name: string): boolean => packOf(name) !== undefined;

/** Signals by which each kind is evaluated: their names, or a condition on the name. */
export const EVALUATED_SIGNALS: Readonly<
  Record<ReadingKind, readonly string[] | ((name: string) => boolean)>
> = {
  low: isChargingSignal,
  charging: isChargingSignal,
  'not-charging': isChargingSignal,
  moved: [...POSITION_SIGNALS, ...DRIVING_SIGNALS],
  'packs-apart': isPackSignal,
  'pack-silent': isPackSignal,
  speeding: DRIVING_SIGNALS,
};

/** Returns whether any kind is evaluated by a signal with this name. */
export const isAlertSignal = (name: string): boolean =>
  isChargingSignal(name) || POSITION_SIGNALS.includes(name) || DRIVING_SIGNALS.includes(name);

function packsLastSeen(known: WatchState['packs'], signals: Signals, time: number): WatchState['packs'] {
  const lastSeen: Record<string, number> = {};
  for (const [pack, ms] of Object.entries(known)) if (time - ms <= PACK_KNOWN_MS) lastSeen[pack] = ms;
  for (const name of Object.keys(signals)) {
    const pack = packOf(name);
    if (pack !== undefined) lastSeen[pack] = time;
  }
  return lastSeen;
}
