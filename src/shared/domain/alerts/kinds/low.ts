import { isCharging } from '#shared/domain/machine-status.ts';
import { formatPercent } from '#shared/domain/nl.ts';
import {
  CLEAR_PERIOD_FIELD,
  type ConditionEvaluation,
  compareWithThreshold,
  type KindDeclaration,
  OK_EVALUATION,
  pendingPeriodField,
  UNKNOWN_EVALUATION,
} from './kind.ts';
import { isChargingSignal } from './signals.ts';

/** The packs whose charge level is too low; `number` is absent if the machine has one pack. */
type Figures = { readonly packs: readonly { readonly number?: number; readonly percent: number }[] };

export const lowBatteryKind = {
  word: 'Accu laag',
  source: 'readings',
  explanation: 'Een van de accu’s is onder de grens, terwijl er niet geladen wordt.',
  whatToDo: 'Zet de machine aan de lader, of regel een andere voor de rest van de dienst.',
  short: 'accu laag',
  settings: {
    threshold: { word: 'Onder', unit: '%', least: 1, most: 99, usual: 20 },
    clear: { word: 'Voorbij vanaf', unit: '%', least: 1, most: 100, usual: 25 },
    hold: pendingPeriodField(2),
    clearHold: CLEAR_PERIOD_FIELD,
  },
  fires: 'below',
  clauses: (of, { threshold, clear, hold, clearHold }) => ({
    when: `een accu van ${of}${hold} onder ${threshold}% is zonder dat er wordt geladen`,
    ends: `elke accu${clearHold} op ${clear}% of hoger is`,
  }),
} satisfies KindDeclaration;

export const lowBatteryEvaluation: ConditionEvaluation<Figures> = {
  signals: isChargingSignal,
  buckets: { figure: 'level', okIf: ['current', 'takes-current'] },
  evaluate({ values, batteries }, settings) {
    if (isCharging(values)) return OK_EVALUATION;
    const known = batteries.flatMap(({ number, percent: level }) =>
      level === undefined ? [] : [{ ...(batteries.length > 1 && { number }), percent: level }],
    );
    if (known.length === 0) return UNKNOWN_EVALUATION;
    const packs = known.filter((one) => one.percent < (settings.threshold ?? 0));
    return compareWithThreshold('below', Math.min(...known.map((one) => one.percent)), settings, { packs });
  },
  text: ({ packs }) =>
    packs
      .map(
        (pack) =>
          `accu ${pack.number === undefined ? '' : `${pack.number} `}op ${formatPercent(pack.percent)}`,
      )
      .join(', '),
  sample: [
    {
      packs: [
        { number: 1, percent: 5 },
        { number: 2, percent: 12 },
      ],
    },
    'accu 1 op 5%, accu 2 op 12%',
  ],
};
