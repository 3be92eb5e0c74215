/** Judges which values of readings do not count: positions and charge levels (docs/figures.md section 1). */
import { falseZeros, type LastValues } from './false-zeros.ts';
import type { Reading } from './signal.ts';
import { asUnused, POSITION } from './unused-names.ts';
import { calmAfter, type Judged, judgePositions, type LastSpot } from './usable-positions.ts';

const NONE: readonly string[] = [];

/** State that the readings before left. */
type Before = { readonly spot?: LastSpot | undefined; readonly last: LastValues };

export type Judgement = Pick<Judged, 'last' | 'looksBack'> & {
  /** Names of the values that do not count, by reading. */
  readonly unused: readonly (readonly string[])[];
  /** A value here contradicts those around it, so values within 20 minutes may count now, or no more. */
  readonly hasContradiction: boolean;
};

/**
 * Judges readings as they were sent, in order of time.
 * @param before what the readings before them left
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
  /** With every value that does not count under a name that no figure reads. */
  readonly readings: readonly Reading[];
};

/** Judges readings as they were sent, as `judge` does, and names what does not count. */
export function markUnused(readings: readonly Reading[], before: Before = { last: {} }): Marked {
  const calm = calmAfter(readings, before.spot);
  const zeros = falseZeros(readings, before.last);
  if (calm && zeros.names.size === 0) return { readings, last: calm, looksBack: zeros.looksBack };
  const { unused, last, looksBack } = judge(readings, before);
  return { last, looksBack, readings: marked(readings, unused) };
}

/** Returns the readings as they are stored. @param unused of each the names of its values that do not count */
export const marked = <Of extends Reading>(
  readings: readonly Of[],
  unused: readonly (readonly string[])[],
): readonly Of[] =>
  unused.every((names) => names.length === 0)
    ? readings
    : readings.map((one, n) => ({ ...one, signals: asUnused(one.signals, unused[n] ?? NONE) }));
