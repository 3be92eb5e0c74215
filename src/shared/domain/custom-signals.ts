/** Custom signals: signals of kept messages (Bewaren), and other signals that are not in the catalogue (docs/words.md). */
import { packNumberOf } from './packs.ts';
import { isChargingFlag, knownSignal } from './signal.ts';
import { isUnused } from './unused-names.ts';

/** Maximum number of custom signals in one graph. */
export const MAX_OWN_SIGNALS = 8;

/** Returns whether a signal is a custom signal: not in the catalogue, no charge level, no charging flag and no position. */
export const isCustomSignal = (name: string): boolean =>
  knownSignal(name) === undefined &&
  packNumberOf(name) === undefined &&
  !isChargingFlag(name) &&
  !isUnused(name);
