/** Charging that started, ended or completed, as alerts of those who asked for it (docs/alerts.md section 6). */
import { advance, type ChargingEvent, type ChargingKind, type ChargingState } from '../charging-events.ts';
import { percent } from '../nl.ts';
import { isChargingFlag, isSocSignal, knownSignal, type Reading } from '../signal.ts';
import type { AlertKind } from './kinds.ts';

/** What tells of it. */
export const isOfCharging = (name: string): boolean =>
  knownSignal(name)?.charging ||
  isSocSignal(name) ||
  isChargingFlag(name) ||
  name === 'BatteryCurrent' ||
  name === 'MotorSpeed' ||
  name === 'Speed';

/** What is asked of a machine, by its rules. */
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
 * @param before the state after the reading before, none where nobody had asked
 * @returns the state after this one, none where nobody asks; and what is known by it, of each rule
 */
export function watchCharging(
  before: ChargingState | undefined,
  { time, signals }: Reading,
  { rules, batteries, ownedSince }: Asked,
): { readonly charging?: ChargingState; readonly known: readonly ReturnType<typeof episodeOf>[] } {
  const asking = rules.filter(({ kind }) => kind === 'charging');
  if (asking.length === 0) return { known: [] };
  const counting = Object.fromEntries(Object.entries(signals).filter(([name]) => isOfCharging(name)));
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
  words: wordsOf(event),
  event,
});

const WORDS: Readonly<Record<ChargingKind, string>> = {
  started: 'begonnen met laden',
  ended: 'gestopt met laden',
  completed: 'klaar met laden',
};

const wordsOf = ({ kind, soc }: ChargingEvent): string =>
  soc === undefined ? WORDS[kind] : `${WORDS[kind]}, accu op ${percent(soc)}`;
