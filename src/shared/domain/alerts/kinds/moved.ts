import { distanceMetres } from '#shared/domain/distance.ts';
import { isDriving } from '#shared/domain/figures.ts';
import { formatDistance } from '#shared/domain/nl.ts';
import {
  type ConditionEvaluation,
  isBeyondLimit,
  type KindDeclaration,
  OK_EVALUATION,
  UNKNOWN_EVALUATION,
} from './kind.ts';

/** The figures of an alert; empty after the portal deleted the organization's positions of that time. */
type Figures = { readonly metres?: number; readonly isDriven?: boolean };

/** Maximum distance of a parked machine's positions from the place where it was left, as a share of their scatter (decision 68). */
const WANDER_SHARE = 0.75;
/** A receiver beside a building drifts this far within minutes; a larger distance means that the machine moves. */
const MIN_WANDER_METRES = 30;
const MAX_WANDER_METRES = 150;

export const movedOutsideHoursKind = {
  word: 'Bewoog buiten werktijd',
  source: 'readings',
  explanation: 'De machine is buiten werktijd verder gekomen dan de grens. Eén keer per nacht.',
  whatToDo: 'Kijk op de kaart waar zij is, en bel wie er toezicht heeft.',
  short: 'verplaatst',
  settings: { threshold: { word: 'Verder dan', unit: 'm', least: 50, most: 100_000, usual: 100 } },
  fires: 'above',
  severity: 'urgent',
  isEvent: true,
  hasOwnHours: true,
  isMovement: true,
  isFollowed: true,
  clauses: (of, { threshold }) => ({
    when: `${of} buiten werktijd meer dan ${threshold} m wordt verplaatst`,
  }),
} satisfies KindDeclaration;

export const movedOutsideHoursEvaluation: ConditionEvaluation<Figures> = {
  leastHold: 2,
  signals: ['LATITUDE', 'LONGITUDE', 'MotorSpeed', 'Speed'],
  buckets: { figure: 'distance' },
  evaluate({ isWork, position, left, scatter, values, hasMotor }, { threshold }) {
    if (isWork) return OK_EVALUATION;
    const metres = position && left ? distanceMetres(left, position) : 0;
    const wander = Math.min(Math.max(WANDER_SHARE * scatter, MIN_WANDER_METRES), MAX_WANDER_METRES);
    if (!isBeyondLimit('above', metres - wander, threshold)) return UNKNOWN_EVALUATION;
    const isDriven = isDriving(values.MotorSpeed, hasMotor, values.Speed);
    return { status: 'firing', value: metres, figures: { metres, isDriven } };
  },
  text: ({ metres, isDriven }) =>
    metres === undefined
      ? 'verplaatst'
      : `${formatDistance(metres)} verplaatst, ${isDriven ? 'zelf gereden' : 'vervoerd'}`,
  sample: [{ metres: 901, isDriven: true }, '901 m verplaatst, zelf gereden'],
};
