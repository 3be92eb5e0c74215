/** Charging events as alerts for the subscribers of a machine (docs/alerts.md section 6). */
import { advance, type ChargingEvent, type ChargingKind, type ChargingState } from '../charging-events.ts';
import { percent } from '../nl.ts';
import { isChargingFlag, isSocSignal, knownSignal, type Reading } from '../signal.ts';
import type { AlertKind } from './kinds.ts';

/** Returns whether charging is detected by a signal with this name. */
export const isChargingSignal = (name: string): boolean =>
  knownSignal(name)?.charging ||
  isSocSignal(name) ||
  isChargingFlag(name) ||
  name === 'BatteryCurrent' ||
  name === 'MotorSpeed' ||
  name === 'Speed';

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
export function watchCharging(
  before: ChargingState | undefined,
  { time, signals }: Reading,
  { rules, batteries, ownedSince }: Asked,
): { readonly charging?: ChargingState; readonly known: readonly ReturnType<typeof episodeOf>[] } {
  const asking = rules.filter(({ kind }) => kind === 'charging');
  if (asking.length === 0) return { known: [] };
  const counting = Object.fromEntries(Object.entries(signals).filter(([name]) => isChargingSignal(name)));
  const { state, events } = advance(before, { time, signals: counting }, batteries.length);
  const known = events.flatMap((event) =>
    asking
      .filter(({ from, seesBefore }) => event.knownAt > from && (seesBefore || event.from >= ownedSince))
      .map(({ key }) => episodeOf(key, event)),
  );
  return { charging: state, known };
}

const episodeOf = (key: string, event: ChargingEvent) => ({
  key,
  since: event.from,
  at: event.knownAt,
  seen: event.knownAt,
  until: event.to ?? event.from,
  words: textOf(event),
  event,
});

const TEXTS: Readonly<Record<ChargingKind, string>> = {
  started: 'begonnen met laden',
  ended: 'gestopt met laden',
  completed: 'klaar met laden',
};

const textOf = ({ kind, soc }: ChargingEvent): string =>
  soc === undefined ? TEXTS[kind] : `${TEXTS[kind]}, accu op ${percent(soc)}`;
