import { isDriving } from '#shared/domain/figures.ts';
import {
  CLEAR_PERIOD_FIELD,
  type ConditionEvaluation,
  compareWithThreshold,
  type KindDeclaration,
  OK_EVALUATION,
  pendingPeriodField,
  UNKNOWN_EVALUATION,
} from './kind.ts';
import { DRIVING_SIGNALS } from './signals.ts';

export const speedingKind = {
  word: 'Snelheid boven',
  source: 'readings',
  explanation: 'De machine rijdt harder dan de grens, twee metingen achtereen of langer.',
  whatToDo: 'Spreek de machinist aan.',
  short: 'te snel',
  settings: {
    // The default is above 40 km/h, which a machine may drive on the road.
    threshold: { word: 'Harder dan', unit: 'km/u', least: 1, most: 200, usual: 45 },
    clear: { word: 'Voorbij onder', unit: 'km/u', least: 0, most: 200, usual: 42 },
    hold: pendingPeriodField(0),
    clearHold: CLEAR_PERIOD_FIELD,
  },
  fires: 'above',
  isEvent: true,
  clauses: (of, { threshold, clear, hold, clearHold }) => ({
    when: `${of}${hold} harder dan ${threshold} km/u rijdt`,
    ends: `de snelheid${clearHold} onder ${clear} km/u is`,
  }),
} satisfies KindDeclaration;

export const speedingEvaluation: ConditionEvaluation<{ readonly kmh: number }> = {
  signals: DRIVING_SIGNALS,
  buckets: { figure: 'speed', okIf: ['rests'] },
  evaluate({ values: { Speed, MotorSpeed }, hasMotor }, settings) {
    if (Speed === undefined) return UNKNOWN_EVALUATION;
    // The speed does not count if the machine is carried, on a trailer or a train.
    if (!isDriving(MotorSpeed, hasMotor, Speed)) return OK_EVALUATION;
    return compareWithThreshold('above', Speed, settings, { kmh: Speed });
  },
  text: ({ kmh }) => `reed ${Math.round(kmh)} km/u`,
  sample: [{ kmh: 45.6 }, 'reed 46 km/u'],
};
