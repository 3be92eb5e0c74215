/**
 * Evaluates the rules of one machine, reading by reading in order of time (docs/alerts.md section 2): when a condition began, when its
 * pending period ended and when it resolved.
 */
import { batteriesOf } from '../battery.ts';
import type { ChargingEvent, ChargingState } from '../charging-events.ts';
import { distanceMetres } from '../distance.ts';
import { MAX_GAP_MS } from '../intervals.ts';
import { type LatestValue, MAX_SIGNAL_AGE_MS } from '../live-data.ts';
import { packNumberOf } from '../packs.ts';
import { type Position, positionOf } from '../position.ts';
import { type BucketBox, boxesWithPosition, positionScatterAt } from '../scatter.ts';
import type { Reading, Signals } from '../signal.ts';
import { detectChargingEpisodes } from './charging.ts';
import { EVALUATIONS } from './evaluations.ts';
import {
  type AlertFigures,
  type Evaluation,
  type FreshReading,
  MINUTE_MS,
  type RuleSettings,
} from './kinds/kind.ts';
import {
  ALERT_KIND_NAMES,
  type ConditionAlertKind,
  isConditionKind,
  isReadingKind,
  type ReadingAlertKind,
  showsPresentPosition,
} from './kinds.ts';

export type WatchedRule = {
  /** Key of the rule's state; a new version of the rule has another key. */
  readonly key: string;
  readonly kind: ReadingAlertKind;
  readonly settings: RuleSettings;
  /** Opens no alert outside working hours. */
  readonly inWorkOnly: boolean;
  /** Time in ms; the rule ignores earlier readings. */
  readonly from: number;
  /** Only for *charging*: the subscriber also sees events from before the organization owned the machine. */
  readonly seesBefore?: boolean;
};

export type WatchedMachine = {
  readonly rules: readonly WatchedRule[];
  readonly batteries: readonly { readonly capacity: number | null }[];
  readonly isWorkTime: (ms: number) => boolean;
  /** When the present owner acquired the machine, in ms; the rules ignore state from before that time. */
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
  /** The first reading without the condition; undefined: the condition still holds. */
  readonly until?: number;
  /** The figures of the alert's text, at `at`. */
  readonly figures: AlertFigures;
  /** The value at `at` that is compared with the rule's threshold, in its unit; absent if the kind has none. */
  readonly value?: number;
  /** Only for *charging*: the event between `since` and `until`. */
  readonly event?: ChargingEvent;
};

/**
 * The state of one rule; absent while its condition does not hold. Times in ms. Stored as JSON, so the field
 * names must not change.
 */
type RuleState = {
  /** Start of the condition while it is pending. */
  readonly bad?: number;
  readonly open?: Omit<Episode, 'key' | 'until'>;
  /** When the condition stopped, while `clearHold` has not passed. */
  readonly clear?: number;
};

/** State that the evaluation keeps from one reading to the next. Stored as JSON, so the field names must not change. */
export type WatchState = {
  /** Time of the last reading. */
  readonly time: number;
  readonly newest: Readonly<Record<string, LatestValue>>;
  /** The machine's last position in working hours; `at`: its time in ms. */
  readonly left?: Position & { readonly at: number };
  /** The boxes around the machine's positions since `left`, one per bucket; only if a rule needs them. */
  readonly boxes?: readonly BucketBox[];
  /** When each pack last sent a value, in ms. */
  readonly packs: Readonly<Record<string, number>>;
  /** The machine has sent MotorSpeed before. */
  readonly hasMotor?: true;
  /** The state of each rule, by the rule's key. */
  readonly rules: Readonly<Record<string, RuleState>>;
  /** State of the charging detection; set only if a rule needs it. */
  readonly charging?: ChargingState;
};

/** A pack that sent nothing for longer may have been removed. */
const PACK_KNOWN_MS = 24 * 3_600_000;
/**
 * Evaluates one reading.
 * @param before the state after the previous reading; undefined: there is none
 * @param reading a reading that is later than all evaluated ones
 * @returns the new state, and the episodes that ended at this reading; `ongoingEpisodes` returns those that still hold
 */
export function evaluateReading(
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
  const moment: FreshReading = {
    time,
    values,
    batteries: batteriesOf(values, batteries),
    isWork,
    position,
    left,
    scatter: positionScatterAt(boxes ?? [], time)?.metres ?? 0,
    hasMotor,
    packs,
  };

  const { charging, known } = detectChargingEpisodes(before?.charging, reading, machine);
  const ended: Episode[] = [...known];
  const after: Record<string, RuleState> = {};
  for (const rule of rules) {
    const { kind } = rule;
    const was = state?.rules[rule.key] ?? {};
    if (time < rule.from || !isConditionKind(kind)) continue;
    const evaluation = EVALUATIONS[kind].evaluate(moment, rule.settings);
    const next = advance(was, evaluation, time, isAfterGap, isWork, { ...rule, kind });
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
  evaluation: Evaluation,
  time: number,
  isAfterGap: boolean,
  isWork: boolean,
  {
    kind,
    settings: { hold = 0, clearHold = 0 },
    inWorkOnly,
  }: WatchedRule & { readonly kind: ConditionAlertKind },
): RuleState {
  if (open) {
    if (evaluation.status === 'firing') return { open: { ...open, seen: time } };
    if (evaluation.status === 'unknown') return { open };
    const since = isAfterGap ? time : (clear ?? time);
    return time - since >= clearHold * MINUTE_MS ? {} : { open, clear: since };
  }
  if (evaluation.status !== 'firing' || (inWorkOnly && !isWork)) return {};
  // The first reading after a start or a gap does not open an alert.
  const since = isAfterGap ? time : (bad ?? time);
  const least = Math.max(hold, EVALUATIONS[kind].leastHold ?? 0);
  if (time <= since || time - since < least * MINUTE_MS) return { bad: since };
  const { value, figures } = evaluation;
  return { open: { since, at: time, seen: time, figures, value } };
}

/** Returns the boxes around the machine's positions since its last position in working hours, one per bucket. */
function boxesAfter(
  before: Pick<WatchState, 'boxes'> | undefined,
  rules: readonly WatchedRule[],
  isWork: boolean,
  position: (Position & { readonly at: number }) | undefined,
): readonly BucketBox[] | undefined {
  if (!rules.some(({ kind }) => showsPresentPosition(kind))) return undefined;
  if (!position) return before?.boxes;
  return boxesWithPosition((isWork ? undefined : before?.boxes) ?? [], position, position.at);
}

/** Returns the episodes that still hold. */
export const ongoingEpisodes = ({ rules }: WatchState): Episode[] =>
  Object.entries(rules).flatMap(([key, { open }]) => (open ? [{ ...open, key }] : []));

/** Returns how far the machine is from its last position in working hours, m; undefined: it sent no position in the last 5 minutes. */
export function metresFromParkedPosition({ newest, left }: WatchState): number | undefined {
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
    if (time - latest.time <= MAX_SIGNAL_AGE_MS) newest[name] = latest;
  for (const [name, value] of Object.entries(signals))
    if (isAlertSignal(name)) newest[name] = { value, time };
  return newest;
}

const isSignalOf = (kind: ReadingAlertKind, name: string): boolean => {
  const { signals } = EVALUATIONS[kind];
  return typeof signals === 'function' ? signals(name) : signals.includes(name);
};
const alertSignals = new Map<string, boolean>();
const MAX_NAMES = 10_000;

/** Returns whether any kind of alert reads a signal with this name. Caches the result, because each value of each reading needs it. */
export function isAlertSignal(name: string): boolean {
  let is = alertSignals.get(name);
  if (is === undefined) {
    if (alertSignals.size > MAX_NAMES) alertSignals.clear();
    is = ALERT_KIND_NAMES.filter(isReadingKind).some((kind) => isSignalOf(kind, name));
    alertSignals.set(name, is);
  }
  return is;
}

function packsLastSeen(known: WatchState['packs'], signals: Signals, time: number): WatchState['packs'] {
  const lastSeen: Record<string, number> = {};
  for (const [pack, ms] of Object.entries(known)) if (time - ms <= PACK_KNOWN_MS) lastSeen[pack] = ms;
  for (const name of Object.keys(signals)) {
    const pack = packNumberOf(name);
    if (pack !== undefined) lastSeen[pack] = time;
  }
  return lastSeen;
}
