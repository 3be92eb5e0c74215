import { MAX_SIGNAL_AGE_MS } from '#shared/domain/live-data.ts';
import {
  CLEAR_PERIOD_FIELD,
  type ConditionEvaluation,
  type KindDeclaration,
  MINUTE_MS,
  minutesField,
  OK_EVALUATION,
  UNKNOWN_EVALUATION,
} from './kind.ts';
import { isPackSignal } from './signals.ts';

export const packSilentKind = {
  word: 'Signaal weg',
  source: 'readings',
  explanation: 'Van een van de accu’s komt niets meer, terwijl de machine verder gewoon meldt.',
  whatToDo: 'Laat de verbinding met die accu nakijken.',
  short: 'accu stil',
  settings: { threshold: minutesField('Zo lang niets', 15, 6), clearHold: CLEAR_PERIOD_FIELD },
  clauses: (of, { threshold, clearHold }) => ({
    when: `een accu van ${of} ${threshold} niets meldt en de machine wel`,
    ends: `de accu weer${clearHold} meldt`,
  }),
} satisfies KindDeclaration;

export const packSilentEvaluation: ConditionEvaluation<{ readonly packs: readonly number[] }> = {
  signals: isPackSignal,
  buckets: { figure: 'pack-times' },
  evaluate({ time, packs }, { threshold = 0 }) {
    const silences = Object.entries(packs).map(([pack, ms]) => ({ pack: Number(pack), silentMs: time - ms }));
    const silent = silences.filter(({ silentMs }) => silentMs > MAX_SIGNAL_AGE_MS);
    if (silent.length === 0) return silences.length > 0 ? OK_EVALUATION : UNKNOWN_EVALUATION;
    const gone = silent.filter(({ silentMs }) => silentMs >= threshold * MINUTE_MS);
    // If all packs are silent, the machine is off.
    if (gone.length === 0 || silent.length === silences.length) return UNKNOWN_EVALUATION;
    return {
      status: 'firing',
      value: Math.max(...gone.map(({ silentMs }) => silentMs / MINUTE_MS)),
      figures: { packs: gone.map(({ pack }) => pack) },
    };
  },
  text: ({ packs }) => `niets meer van accu ${packs.join(' en ')}`,
  sample: [{ packs: [1, 2] }, 'niets meer van accu 1 en 2'],
};
