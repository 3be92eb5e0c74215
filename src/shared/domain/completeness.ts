/** Marks on figures from incomplete data, the same on every screen (14.6; docs/figures.md section 13). */
import { MIN_UNMARKED_KNOWN_SHARE } from './figures.ts';

/** Returns whether so much data is missing that the figure is marked. @param coverage 0..1; null: there was no activity */
export const isIncomplete = (coverage: number | null): boolean =>
  coverage !== null && coverage < MIN_UNMARKED_KNOWN_SHARE;

/** Returns 'dekking 94%', rounded down: 94.9 % must not look like 95 %, from which a figure is not marked. */
export const coverageText = (coverage: number): string => `dekking ${Math.floor(coverage * 100 + 1e-9)}%`;

/**
 * Returns the marks of a figure: any of 'dekking 60%', 'energie 60% bekend' and 'voorlopig'.
 * @param known share of the time with readings in which the energy is known (figures.md section 4)
 */
export const completenessMarks = (
  coverage: number | null,
  isProvisional: boolean,
  known: number | null = null,
): string[] => [
  ...(coverage !== null && isIncomplete(coverage) ? [coverageText(coverage)] : []),
  ...(known !== null && isIncomplete(known) ? [`energie ${Math.floor(known * 100 + 1e-9)}% bekend`] : []),
  ...(isProvisional ? ['voorlopig'] : []),
];
