/** Which charging events are worth a mail (MAIL-01; docs/design.md section 8). */
import { type ChargingEvent, HOLD_MS } from './charging-events.ts';

/** ms; what became known longer ago is history: an import of an old log mails nothing, a night's outage does. */
const RECENT_MS = 12 * 3_600_000;
/** ms; the same kind goes out at most once in this time, per machine. */
export const QUIET_MS = 3_600_000;
/** Points of SoC; so much more than at an end that was told, and completing is news after it. */
const NEWS_POINTS = 5;

type Known = Pick<ChargingEvent, 'kind' | 'from' | 'to' | 'knownAt' | 'soc'>;

/** An event as it was stored. `mailed`: subscribers were told. */
export type KnownEvent = Known & { readonly mailed: boolean };

/**
 * The same event, found again: late readings may move its times, or say exactly what was 'tussen … en …' before.
 */
export const isSameEvent = (a: Known, b: Known): boolean =>
  a.kind === b.kind && a.from <= (b.to ?? b.from) + HOLD_MS && b.from <= (a.to ?? a.from) + HOLD_MS;

/**
 * Whether subscribers get a mail. Ending after completing, or completing a little after ending, is one piece of news:
 * a current that flaps around its threshold for an hour gives at most two mails.
 * @param known the stream's other events
 * @param nowMs the portal's clock
 */
export function isNews(event: ChargingEvent, known: readonly KnownEvent[], nowMs: number): boolean {
  if (nowMs - event.knownAt > RECENT_MS) return false;
  const near = known.filter(({ mailed, knownAt }) => mailed && Math.abs(event.knownAt - knownAt) < QUIET_MS);
  return !near.some((told) => {
    if (told.kind === event.kind) return true;
    if (event.kind === 'ended') return told.kind === 'completed';
    if (event.kind !== 'completed' || told.kind !== 'ended') return false;
    return (event.soc ?? 0) - (told.soc ?? 0) < NEWS_POINTS;
  });
}
