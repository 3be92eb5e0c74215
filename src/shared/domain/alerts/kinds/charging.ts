import type { ChargingEvent, ChargingKind } from '#shared/domain/charging-events.ts';
import { formatPercent } from '#shared/domain/nl.ts';
import type { KindDeclaration, SubscriptionEvaluation } from './kind.ts';
import { isChargingSignal } from './signals.ts';

/** The figures of a charging event, without its times, which the alert has too. */
export type ChargingFigures = Pick<ChargingEvent, 'kind' | 'soc' | 'signals'>;

const TEXTS: Readonly<Record<ChargingKind, string>> = {
  started: 'begonnen met laden',
  ended: 'gestopt met laden',
  completed: 'klaar met laden',
};

/** Charging events for the subscribers of a machine (docs/alerts.md section 6). */
export const chargingKind = {
  word: 'Laadupdate',
  source: 'readings',
  explanation: 'Het laden begon, stopte, of was klaar.',
  whatToDo: 'Op de pagina van de machine staat hoe vol de accu is.',
  settings: {},
  isEvent: true,
  hasOwnHours: true,
  isSubscription: true,
  clauses: (of) => ({ when: `${of} begint met laden, ermee stopt of klaar is` }),
} satisfies KindDeclaration;

export const chargingEvaluation: SubscriptionEvaluation<ChargingFigures> = {
  signals: isChargingSignal,
  text: ({ kind, soc }) =>
    soc === undefined ? TEXTS[kind] : `${TEXTS[kind]}, accu op ${formatPercent(soc)}`,
  sample: [{ kind: 'started', soc: 40, signals: {} }, 'begonnen met laden, accu op 40%'],
};
