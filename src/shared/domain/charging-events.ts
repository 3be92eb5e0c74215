/**
 * Finds when charging started, ended or completed in a stream's readings in order of time (MAIL-01; docs/design.md section 8).
 *
 * - The state at a reading is that of the live screen: each signal's newest value, unless it is older than 5 minutes.
 * - An event is a change of state that lasted CHARGING_PENDING_PERIOD_MS; a shorter change is ignored.
 * - The first state of a stream is no event.
 * - A change across a gap (readings more than MAX_GAP_MS apart) happened between the two readings: `from` and `to`.
 * - A charge ends once. It is `completed` if the mean SoC of all packs was COMPLETE_PERCENT for CHARGING_PENDING_PERIOD_MS, or was
 *   COMPLETE_PERCENT when charging stopped; else `ended`. A `completed` charge has no `ended` event.
 */
import { averagePercent, batteriesOf } from './battery.ts';
import { MAX_GAP_MS } from './intervals.ts';
import { type LatestValue, MAX_SIGNAL_AGE_MS } from './live-data.ts';
import { isCharging } from './machine-status.ts';
import { isChargingFlag, type Reading, type Signals } from './signal.ts';

export const CHARGING_PENDING_PERIOD_MS = 2 * 60_000;
const COMPLETE_PERCENT = 99;
/** A completed charge can complete again after the SoC fell this many percentage points below COMPLETE_PERCENT. */
const REFILL_POINTS = 5;

export type ChargingKind = 'started' | 'ended' | 'completed';

export type ChargingEvent = {
  readonly kind: ChargingKind;
  /** Time of the event, ms; with `to`, the last instant at which the event had not happened yet. */
  readonly from: number;
  /** Only for a change across a gap: the first instant at which the event had happened, ms. */
  readonly to?: number;
  /** Time of the reading at which the change had lasted CHARGING_PENDING_PERIOD_MS, ms. */
  readonly knownAt: number;
  /** Mean SoC of the batteries, %. */
  readonly soc?: number;
  /** The signals at that time, for the text of an e-mail. */
  readonly signals: Signals;
};

/** A change of state that has not lasted CHARGING_PENDING_PERIOD_MS yet. */
type PendingChange = { readonly from: number; readonly to?: number };
const seenAt = ({ from, to }: PendingChange): number => to ?? from;

/** State that the detection keeps from one reading to the next; plain JSON, stored in the database. */
export type ChargingState = {
  /** Time of the last reading, ms. */
  readonly time: number;
  readonly newest: Readonly<Record<string, LatestValue>>;
  /** Whether the machine charges; a change counts only once it has lasted CHARGING_PENDING_PERIOD_MS. */
  readonly charging: boolean;
  /** Time of the stream's first reading, ms, until a reading shows whether the machine charges. */
  readonly unsureSince?: number;
  /** A pending change of `charging`. */
  readonly turn?: PendingChange;
  /** The pending rise of the mean SoC to COMPLETE_PERCENT while the machine charges. */
  readonly full?: PendingChange;
  /** Mean SoC of all packs at the last reading at which the machine charged, %. */
  readonly chargedTo?: number;
  /** Whether the present charge has completed. */
  readonly completed: boolean;
};

export type ChargingTransition = { readonly state: ChargingState; readonly events: readonly ChargingEvent[] };

/**
 * Returns the state after a reading, and the events that it confirmed.
 * @param reading the stream's next reading in order of time
 * @param listed number of packs in the machine's record: the machine counts as full only if the levels of all these packs are known
 */
export function detectChargingEvents(
  before: ChargingState | undefined,
  { time, signals }: Reading,
  listed = 0,
): ChargingTransition {
  const newest = freshOf(before?.newest ?? {}, signals, time);
  const values: Signals = Object.fromEntries(
    Object.entries(newest).map(([name, { value }]) => [name, value]),
  );
  const now: Moment = { time, newest, values, charging: isCharging(values), ...meanSoc(values, listed) };
  if (!before || before.unsureSince !== undefined) {
    return { state: beginning(before?.unsureSince ?? time, now), events: [] };
  }
  const changeNow: PendingChange =
    time - before.time > MAX_GAP_MS ? { from: before.time, to: time } : { from: time };
  const events: ChargingEvent[] = [];
  const emit = (kind: ChargingKind, change: PendingChange) =>
    events.push({
      kind,
      ...change,
      knownAt: time,
      ...(now.soc !== undefined && { soc: now.soc }),
      signals: values,
    });

  let { charging, completed } = before;
  const full = now.charging && isFull(now.socOfAll) ? (before.full ?? changeNow) : undefined;
  let turn = now.charging === charging ? undefined : (before.turn ?? changeNow);
  if (turn && time - seenAt(turn) >= CHARGING_PENDING_PERIOD_MS) {
    // The charge may have become full during a gap, before it stopped.
    const wasFull = isFull(before.chargedTo) || (turn.to !== undefined && isFull(now.socOfAll));
    if (now.charging) emit('started', turn);
    else if (!completed) emit(wasFull ? 'completed' : 'ended', turn);
    charging = now.charging;
    completed = false;
    turn = undefined;
  }
  if (charging && now.charging) {
    if (completed && (now.socOfAll ?? COMPLETE_PERCENT) < COMPLETE_PERCENT - REFILL_POINTS) completed = false;
    if (!completed && full && time - seenAt(full) >= CHARGING_PENDING_PERIOD_MS) {
      emit('completed', full);
      completed = true;
    }
  }
  const chargedTo = now.charging ? now.socOfAll : before.chargedTo;
  const state = {
    time,
    newest,
    charging,
    completed,
    ...(turn && { turn }),
    ...(full && { full }),
    ...(chargedTo !== undefined && { chargedTo }),
  };
  return { state, events };
}

type Moment = {
  readonly time: number;
  readonly newest: ChargingState['newest'];
  readonly values: Signals;
  readonly charging: boolean;
  /** Mean of the packs that are known, %. */
  readonly soc: number | undefined;
  /** Mean of all listed packs, %; undefined when one is not known. */
  readonly socOfAll: number | undefined;
};

const isFull = (soc: number | undefined): boolean => (soc ?? 0) >= COMPLETE_PERCENT;
function meanSoc(values: Signals, listed: number): Pick<Moment, 'soc' | 'socOfAll'> {
  const batteries = batteriesOf(values, new Array<{ capacity: null }>(listed).fill({ capacity: null }));
  const soc = averagePercent(batteries);
  return { soc, socOfAll: batteries.every(({ percent }) => percent !== undefined) ? soc : undefined };
}

/**
 * Returns the first state of a stream. Its first reading may contain only a position: signals about charging that follow within
 * CHARGING_PENDING_PERIOD_MS still decide the first state; without them the stream begins as not charging.
 */
function beginning(since: number, { time, newest, values, charging, socOfAll }: Moment): ChargingState {
  const isKnown = 'ChargingCurrent' in values && Object.keys(values).some(isChargingFlag);
  return {
    time,
    newest,
    charging,
    completed: charging && isFull(socOfAll),
    ...(!isKnown && time - since < CHARGING_PENDING_PERIOD_MS && { unsureSince: since }),
    ...(charging && socOfAll !== undefined && { chargedTo: socOfAll }),
  };
}

function freshOf(known: ChargingState['newest'], signals: Signals, time: number): ChargingState['newest'] {
  const newest: Record<string, LatestValue> = {};
  for (const [name, latest] of Object.entries(known))
    if (time - latest.time <= MAX_SIGNAL_AGE_MS) newest[name] = latest;
  for (const [name, value] of Object.entries(signals)) newest[name] = { value, time };
  return newest;
}
