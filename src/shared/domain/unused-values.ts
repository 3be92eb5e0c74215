/** Finds the positions and charge levels in readings that do not count (docs/figures.md section 1). */
import { falseZeros, type LastValues } from './false-zeros.ts';
import type { Reading } from './signal.ts';
import { asUnused, POSITION } from './unused-names.ts';
import { calmAfter, type Judged, judgePositions, type LastSpot } from './usable-positions.ts';

const NONE: readonly string[] = [];

/** State after the earlier readings. */
type Before = { readonly spot?: LastSpot | undefined; readonly last: LastValues };

export type Judgement = Pick<Judged, 'last' | 'looksBack'> & {
  /** Names of the unused values of each reading. */
  readonly unused: readonly (readonly string[])[];
  /** A value contradicts those around it, so that other values within 20 minutes may begin or cease to count. */
  readonly hasContradiction: boolean;
};

/**
 * Finds the unused values of readings.
 * @param readings as they were sent, in order of time
 * @param before state after the readings before
 */
export function judge(readings: readonly Reading[], before: Before = { last: {} }): Judgement {
  const { counts, last, looksBack, hasJump } = judgePositions(readings, before.spot);
  const zeros = falseZeros(readings, before.last);
  return {
    unused: counts.map((counted, n) => {
      const names = zeros.names.get(n) ?? NONE;
      return counted ? names : [...POSITION, ...names];
    }),
    last,
    looksBack: looksBack || zeros.looksBack,
    hasContradiction: hasJump || zeros.names.size > 0,
  };
}

export type Marked = Pick<Judged, 'last' | 'looksBack'> & {
  /** The readings with every unused value under a name that no figure reads. */
  readonly readings: readonly Reading[];
};

/** Renames the unused values that `judge` finds in readings as they were sent. */
export function markUnused(readings: readonly Reading[], before: Before = { last: {} }): Marked {
  const calm = calmAfter(readings, before.spot);
  const zeros = falseZeros(readings, before.last);
  if (calm && zeros.names.size === 0) return { readings, last: calm, looksBack: zeros.looksBack };
  const { unused, last, looksBack } = judge(readings, before);
  return { last, looksBack, readings: marked(readings, unused) };
}

/** Returns the readings as they are stored. @param unused names of the unused values of each reading */
export const marked = <Of extends Reading>(
  readings: readonly Of[],
  unused: readonly (readonly string[])[],
): readonly Of[] =>
  unused.every((names) => names.length === 0)
    ? readings
    : readings.map((one, n) => ({ ...one, signals: asUnused(one.signals, unused[n] ?? NONE) }));
