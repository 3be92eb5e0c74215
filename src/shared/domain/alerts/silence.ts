/** When a machine has been silent for too long, and when so many are that it is something else (docs/alerts.md section 3). */
import type { RuleSettings } from './kinds.ts';

/** ms; those that become silent within it may be so for one reason. */
export const SILENT_TOGETHER_MS = 10 * 60_000;
const FEWEST = 5;
const SHARE = 0.3;

/** From when on it is: ms. @param heardAt when something came in last, ms */
export const silentSince = (heardAt: number, { threshold = 0 }: RuleSettings): number =>
  heardAt + threshold * 3_600_000;

/** @param all machines of the organization */
export const isManyAtOnce = (silent: number, all: number): boolean =>
  silent >= FEWEST && silent >= SHARE * all;
