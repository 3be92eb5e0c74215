import { packNumberOf } from '#shared/domain/packs.ts';
import { isChargingFlag, isSocSignal, knownSignal } from '#shared/domain/signal.ts';

/** Signals that several kinds of alert read. */

/** Signals that distinguish a machine that drives from one that is carried. */
export const DRIVING_SIGNALS = ['MotorSpeed', 'Speed'];
export const isPackSignal = (name: string): boolean => packNumberOf(name) !== undefined;

/** Returns whether charging is detected by a signal with this name. */
export const isChargingSignal = (name: string): boolean =>
  knownSignal(name)?.charging ||
  isSocSignal(name) ||
  isChargingFlag(name) ||
  name === 'BatteryCurrent' ||
  DRIVING_SIGNALS.includes(name);
