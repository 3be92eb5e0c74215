/** Decides which charging events are mailed (MAIL-01; docs/design.md section 8). */
import { CHARGING_PENDING_PERIOD_MS, type ChargingEvent } from './charging-events.ts';

/** Events that are older than this are not mailed: the import of an old log file sends no mails, but an outage of one night loses none. */
const RECENT_MS = 12 * 3_600_000;
/** Each kind of event of a machine is mailed at most once in this time. */
export const MAIL_INTERVAL_MS = 3_600_000;
/** A completion within MAIL_INTERVAL_MS of a mailed end is mailed only if the SoC is this many percentage points higher than at the end. */
const NOTABLE_POINTS = 5;

type Known = Pick<ChargingEvent, 'kind' | 'from' | 'to' | 'knownAt' | 'soc'>;

/** A stored event. `mailed`: subscribers were notified. */
export type StoredChargingEvent = Known & { readonly mailed: boolean };

/**
 * Returns whether two events are the same one: late readings may move the times of an event, or narrow its range
 * ('tussen … en …') to an instant.
 */
export const isSameEvent = (a: Known, b: Known): boolean =>
  a.kind === b.kind &&
  a.from <= (b.to ?? b.from) + CHARGING_PENDING_PERIOD_MS &&
  b.from <= (a.to ?? a.from) + CHARGING_PENDING_PERIOD_MS;

/**
 * Returns whether subscribers get an e-mail about an event. An end after a completion, or a completion shortly after an end, is not mailed
 * again: a current that flaps around its threshold for an hour gives at most two e-mails.
 * @param known the stream's other events
 * @param nowMs the portal's clock
 */
export function shouldMailChargingEvent(
  event: ChargingEvent,
  known: readonly StoredChargingEvent[],
  nowMs: number,
): boolean {
  if (nowMs - event.knownAt > RECENT_MS) return false;
  const near = known.filter(
    ({ mailed, knownAt }) => mailed && Math.abs(event.knownAt - knownAt) < MAIL_INTERVAL_MS,
  );
  return !near.some((mailed) => {
    if (mailed.kind === event.kind) return true;
    if (event.kind === 'ended') return mailed.kind === 'completed';
    if (event.kind !== 'completed' || mailed.kind !== 'ended') return false;
    return (event.soc ?? 0) - (mailed.soc ?? 0) < NOTABLE_POINTS;
  });
}
