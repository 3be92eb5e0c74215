/** Signals under their own names: what is kept (Bewaren), and whatever else a logger sends (docs/words.md). */
import { packOf } from './packs.ts';
import { isChargingFlag, knownSignal } from './signal.ts';
import { isUnused } from './unused-names.ts';

/** How many can be looked at together. */
export const MOST_OWN_SIGNALS = 8;

/** Whether a signal has only its own name: it is none of the catalogue's, of no pack, no charging flag, and no position. */
export const isOwnSignal = (name: string): boolean =>
  knownSignal(name) === undefined && packOf(name) === undefined && !isChargingFlag(name) && !isUnused(name);
