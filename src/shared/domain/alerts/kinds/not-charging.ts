import { averagePercent } from '#shared/domain/battery.ts';
import { FULL_PERCENT } from '#shared/domain/figures.ts';
import { CHARGING_ABOVE_AMPS, isTakingCurrent, MIN_CHARGING_FLAG } from '#shared/domain/machine-status.ts';
import { formatPercent } from '#shared/domain/nl.ts';
import { isChargingFlag } from '#shared/domain/signal.ts';
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

export const notChargingKind = {
  word: 'Aan de lader maar laadt niet',
  source: 'readings',
  explanation: 'De machine zegt dat de kabel erin zit, maar er loopt geen stroom en de accu is niet vol.',
  whatToDo: 'Kijk of de stekker goed zit en of de lader aan staat.',
  short: 'laadt niet',
  settings: {
    threshold: { word: 'Accu onder', unit: '%', least: 1, most: 100, usual: FULL_PERCENT },
    hold: pendingPeriodField(10),
    clearHold: CLEAR_PERIOD_FIELD,
  },
  fires: 'below',
  clauses: (of, { threshold, hold, clearHold }) => ({
    when: `${of}${hold} aan de lader staat zonder te laden, met de accu onder ${threshold}%`,
    ends: `dat${clearHold} voorbij is`,
  }),
} satisfies KindDeclaration;

export const notChargingEvaluation: ConditionEvaluation<{ readonly percent: number }> = {
  signals: isChargingSignal,
  buckets: {
    figure: 'level',
    firesIf: ['plugged', 'no-current'],
    okIf: ['unplugged', 'current', 'takes-current'],
  },
  evaluate({ values, batteries }, settings) {
    const flags = Object.keys(values).filter(isChargingFlag);
    const isPlugged = flags.some((flag) => (values[flag] ?? 0) >= MIN_CHARGING_FLAG);
    const amps = values.ChargingCurrent;
    const isUnplugged = flags.length > 0 && !isPlugged;
    // Current into the battery also shows that it charges: it may come from a second charger whose signals are not mapped.
    if (isUnplugged || (amps ?? 0) > CHARGING_ABOVE_AMPS || isTakingCurrent(values)) return OK_EVALUATION;
    const mean = averagePercent(batteries);
    if (mean === undefined) return UNKNOWN_EVALUATION;
    const found = compareWithThreshold('below', mean, settings, { percent: mean });
    return found.status === 'firing' && (!isPlugged || amps === undefined) ? UNKNOWN_EVALUATION : found;
  },
  text: (figures) => `aan de kabel op ${formatPercent(figures.percent)}, zonder stroom`,
  sample: [{ percent: 40 }, 'aan de kabel op 40%, zonder stroom'],
};
