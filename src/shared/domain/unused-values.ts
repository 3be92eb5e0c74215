/** Finds the positions and charge levels in readings that do not count (docs/figures.md section 1). */
import { falseZeros, type LastValues } from './false-zeros.ts';
import type { Reading } from './signal.ts';
import { POSITION_SIGNALS, withUnusedNames } from './unused-names.ts';
import {
  type JudgedPositions,
  judgePositions,
  type PositionState,
  positionStateIfAllCount,
} from './usable-positions.ts';

const NONE: readonly string[] = [];

/** State after the earlier readings. */
type Before = { readonly spot?: PositionState | undefined; readonly last: LastValues };

export type UnusedValues = Pick<JudgedPositions, 'last' | 'looksBack'> & {
  /** Names of the unused values of each reading. */
  readonly unused: readonly (readonly string[])[];
  /** Whether a value contradicts those around it: other values within 20 minutes may then begin or cease to count. */
  readonly hasContradiction: boolean;
};

/**
 * Finds the values of readings that no figure uses: wrong positions and false zeros.
 * @param readings as they were sent, in order of time
 * @param before the state that the preceding readings left
 */
export function findUnusedValues(readings: readonly Reading[], before: Before = { last: {} }): UnusedValues {
  const { counts, last, looksBack, hasJump } = judgePositions(readings, before.spot);
  const zeros = falseZeros(readings, before.last);
  return {
    unused: counts.map((counted, n) => {
      const names = zeros.names.get(n) ?? NONE;
      return counted ? names : [...POSITION_SIGNALS, ...names];
    }),
    last,
    looksBack: looksBack || zeros.looksBack,
    hasContradiction: hasJump || zeros.names.size > 0,
  };
}

export type MarkedReadings = Pick<JudgedPositions, 'last' | 'looksBack'> & {
  /** The readings with every unused value under a name that no figure reads. */
  readonly readings: readonly Reading[];
};

/** Renames the unused values that `findUnusedValues` finds in readings as they were sent. */
export function markUnused(readings: readonly Reading[], before: Before = { last: {} }): MarkedReadings {
  const calm = positionStateIfAllCount(readings, before.spot);
  const zeros = falseZeros(readings, before.last);
  if (calm && zeros.names.size === 0) return { readings, last: calm, looksBack: zeros.looksBack };
  const { unused, last, looksBack } = findUnusedValues(readings, before);
  return { last, looksBack, readings: withUnusedMarked(readings, unused) };
}

/** Returns the readings as they are stored. @param unused names of the unused values of each reading */
export const withUnusedMarked = <Of extends Reading>(
  readings: readonly Of[],
  unused: readonly (readonly string[])[],
): readonly Of[] =>
  unused.every((names) => names.length === 0)
    ? readings
    : readings.map((one, n) => ({ ...one, signals: withUnusedNames(one.signals, unused[n] ?? NONE) }));
