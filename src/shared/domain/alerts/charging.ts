/** Charging events as alerts for the subscribers of a machine (docs/alerts.md section 6). */

import { type ChargingEvent, type ChargingState, detectChargingEvents } from '../charging-events.ts';
import type { Reading } from '../signal.ts';
import type { ChargingFigures } from './kinds/charging.ts';
import { isChargingSignal } from './kinds/signals.ts';
import { type AlertKind, isSubscriptionAlertKind } from './kinds.ts';

type Asked = {
  readonly rules: readonly {
    readonly key: string;
    readonly kind: AlertKind;
    readonly from: number;
    readonly seesBefore?: boolean;
  }[];
  readonly batteries: readonly unknown[];
  readonly ownedSince: number;
};

/**
 * Detects charging events at one reading.
 * @param before the state after the previous reading; absent if no rule asked for it
 * @returns the new state, absent if no rule asks for it, and an episode of each new event for each rule
 */
export function detectChargingEpisodes(
  before: ChargingState | undefined,
  { time, signals }: Reading,
  { rules, batteries, ownedSince }: Asked,
): { readonly charging?: ChargingState; readonly known: readonly ReturnType<typeof episodeOf>[] } {
  const asking = rules.filter(({ kind }) => isSubscriptionAlertKind(kind));
  if (asking.length === 0) return { known: [] };
  const counting = Object.fromEntries(Object.entries(signals).filter(([name]) => isChargingSignal(name)));
  const { state, events } = detectChargingEvents(before, { time, signals: counting }, batteries.length);
  const known = events.flatMap((event) =>
    asking
      .filter(({ from, seesBefore }) => event.knownAt > from && (seesBefore || event.from >= ownedSince))
      .map(({ key }) => episodeOf(key, event)),
  );
  return { charging: state, known };
}

const episodeOf = (key: string, event: ChargingEvent) => {
  const { kind, soc, signals, from, to = from, knownAt } = event;
  const figures: ChargingFigures = { kind, ...(soc !== undefined && { soc }), signals };
  return { key, since: from, at: knownAt, seen: knownAt, until: to, figures, event };
};
