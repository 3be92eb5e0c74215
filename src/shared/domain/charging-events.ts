/**
 * When charging started, ended or completed, from a stream's readings in order of time (MAIL-01;
 * docs/design.md section 8).
 *
 * - The state of a reading is the live screen's: each signal's newest value, unless it is 5 minutes old.
 * - An event is a change of state that held for HOLD_MS; a shorter one never happened.
 * - What a stream begins with is no event.
 * - A change across a gap (readings more than MAX_GAP_MS apart) happened somewhere between the two: `from` and `to`.
 * - A charge ends once: `completed` when the mean SoC of all packs held COMPLETE_PERCENT, or had it when the charging stopped; else
 *   `ended`. After `completed` its end is no event.
 */
import { averagePercent, batteriesOf } from './battery.ts';
import { MAX_GAP_MS } from './intervals.ts';
import { type LatestValue, SIGNAL_DROPS_AFTER_MS } from './live-data.ts';
import { isCharging } from './machine-status.ts';
import { isChargingFlag, type Reading, type Signals } from './signal.ts';

/** ms */
export const HOLD_MS = 2 * 60_000;
const COMPLETE_PERCENT = 99;
/** Points of SoC. Less below COMPLETE_PERCENT than this, and a charge that completed is still the same charge. */
const REFILL_POINTS = 5;

export type ChargingKind = 'started' | 'ended' | 'completed';

export type ChargingEvent = {
  readonly kind: ChargingKind;
  /** ms. When it happened; with `to`, the last instant at which it had not. */
  readonly from: number;
  /** ms. Only for a change across a gap: the first instant at which it had happened. */
  readonly to?: number;
  /** ms; of the reading by which the state had held. */
  readonly knownAt: number;
  /** Mean over the batteries, %. */
  readonly soc?: number;
  /** The values then, for what a mail tells. */
  readonly signals: Signals;
};

/** A change that has not held yet. */
type Turn = { readonly from: number; readonly to?: number };
const seenAt = ({ from, to }: Turn): number => to ?? from;

/** What has to be remembered between two readings; plain JSON. */
export type ChargingState = {
  /** Of the last reading. */
  readonly time: number;
  readonly newest: Readonly<Record<string, LatestValue>>;
  /** The state that holds. */
  readonly charging: boolean;
  /** Since when nothing has been said about charging, from the stream's first reading on. */
  readonly unsureSince?: number;
  /** To the other state than `charging`. */
  readonly turn?: Turn;
  /** To COMPLETE_PERCENT, while a reading says that it charges. */
  readonly full?: Turn;
  /** Mean SoC of all packs at the last reading that charged. */
  readonly chargedTo?: number;
  /** This charge has completed. */
  readonly completed: boolean;
};

export type Advance = { readonly state: ChargingState; readonly events: readonly ChargingEvent[] };

/**
 * @param reading the stream's next one, later than those before; any signals, of which only a few count
 * @param listed how many packs the machine's record lists: it is full only when all of them are known
 */
export function advance(before: ChargingState | undefined, { time, signals }: Reading, listed = 0): Advance {
  const newest = freshOf(before?.newest ?? {}, signals, time);
  const values: Signals = Object.fromEntries(
    Object.entries(newest).map(([name, { value }]) => [name, value]),
  );
  const now: Moment = { time, newest, values, charging: isCharging(values), ...meanSoc(values, listed) };
  if (!before || before.unsureSince !== undefined) {
    return { state: beginning(before?.unsureSince ?? time, now), events: [] };
  }
  const turnNow: Turn = time - before.time > MAX_GAP_MS ? { from: before.time, to: time } : { from: time };
  const events: ChargingEvent[] = [];
  const tell = (kind: ChargingKind, turn: Turn) =>
    events.push({
      kind,
      ...turn,
      knownAt: time,
      ...(now.soc !== undefined && { soc: now.soc }),
      signals: values,
    });

  let { charging, completed } = before;
  const full = now.charging && isFull(now.socOfAll) ? (before.full ?? turnNow) : undefined;
  let turn = now.charging === charging ? undefined : (before.turn ?? turnNow);
  if (turn && time - seenAt(turn) >= HOLD_MS) {
    // Across a gap the charge may have become full before it stopped.
    const wasFull = isFull(before.chargedTo) || (turn.to !== undefined && isFull(now.socOfAll));
    if (now.charging) tell('started', turn);
    else if (!completed) tell(wasFull ? 'completed' : 'ended', turn);
    charging = now.charging;
    completed = false;
    turn = undefined;
  }
  if (charging && now.charging) {
    if (completed && (now.socOfAll ?? COMPLETE_PERCENT) < COMPLETE_PERCENT - REFILL_POINTS) completed = false;
    if (!completed && full && time - seenAt(full) >= HOLD_MS) {
      tell('completed', full);
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
  /** The same where every listed pack is known. */
  readonly socOfAll: number | undefined;
};

const isFull = (soc: number | undefined): boolean => (soc ?? 0) >= COMPLETE_PERCENT;
function meanSoc(values: Signals, listed: number): Pick<Moment, 'soc' | 'socOfAll'> {
  const batteries = batteriesOf(values, new Array<{ capacity: null }>(listed).fill({ capacity: null }));
  const soc = averagePercent(batteries);
  return { soc, socOfAll: batteries.every(({ percent }) => percent !== undefined) ? soc : undefined };
}

/**
 * A stream's first reading may be of the GPS alone: what is said about charging a moment later is then still what the
 * stream begins with. After HOLD_MS of silence about it, the stream begins as not charging.
 */
function beginning(since: number, { time, newest, values, charging, socOfAll }: Moment): ChargingState {
  const said = 'ChargingCurrent' in values && Object.keys(values).some(isChargingFlag);
  return {
    time,
    newest,
    charging,
    completed: charging && isFull(socOfAll),
    ...(!said && time - since < HOLD_MS && { unsureSince: since }),
    ...(charging && socOfAll !== undefined && { chargedTo: socOfAll }),
  };
}

function freshOf(known: ChargingState['newest'], signals: Signals, time: number): ChargingState['newest'] {
  const newest: Record<string, LatestValue> = {};
  for (const [name, latest] of Object.entries(known))
    if (time - latest.time <= SIGNAL_DROPS_AFTER_MS) newest[name] = latest;
  for (const [name, value] of Object.entries(signals)) newest[name] = { value, time };
  return newest;
}
