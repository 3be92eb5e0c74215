import {
  CLEAR_PERIOD_FIELD,
  type ConditionEvaluation,
  compareWithThreshold,
  type KindDeclaration,
  pendingPeriodField,
  UNKNOWN_EVALUATION,
} from './kind.ts';
import { isPackSignal } from './signals.ts';

export const packImbalanceKind = {
  word: 'Accu’s lopen uiteen',
  source: 'readings',
  explanation: 'De accu’s van de machine verschillen meer dan de grens.',
  whatToDo: 'Laat de accu’s en hun verbinding nakijken.',
  short: 'accu scheef',
  settings: {
    threshold: { word: 'Meer dan', unit: 'punten', least: 1, most: 100, usual: 10 },
    clear: { word: 'Voorbij onder', unit: 'punten', least: 0, most: 100, usual: 8 },
    hold: pendingPeriodField(15),
    clearHold: CLEAR_PERIOD_FIELD,
  },
  fires: 'above',
  severity: 'daily',
  clauses: (of, { threshold, clear, hold, clearHold }) => ({
    when: `de accu’s van ${of}${hold} meer dan ${threshold} procentpunten verschillen`,
    ends: `het verschil${clearHold} onder ${clear} procentpunten is`,
  }),
} satisfies KindDeclaration;

export const packImbalanceEvaluation: ConditionEvaluation<{ readonly points: number }> = {
  signals: isPackSignal,
  buckets: { figure: 'spread' },
  evaluate({ batteries }, settings) {
    const known = batteries.flatMap(({ percent }) => percent ?? []);
    if (known.length < 2) return UNKNOWN_EVALUATION;
    const points = Math.max(...known) - Math.min(...known);
    return compareWithThreshold('above', points, settings, { points });
  },
  text: ({ points }) => `accu’s verschillen ${Math.round(points)} punten`,
  sample: [{ points: 20 }, 'accu’s verschillen 20 punten'],
};
