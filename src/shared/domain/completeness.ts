/** How a figure from incomplete data is marked, the same on every screen (14.6; docs/figures.md section 13). */
import { MOSTLY_KNOWN } from './figures.ts';

/** Whether so little was heard that it is said beside the figure. `coverage`: 0..1; null: there was no activity. */
export const isIncomplete = (coverage: number | null): boolean =>
  coverage !== null && coverage < MOSTLY_KNOWN;

/** 'dekking 94%', never rounded up: 94,9 % is not the 95 % from which nothing is said. */
export const coverageText = (coverage: number): string => `dekking ${Math.floor(coverage * 100 + 1e-9)}%`;

/**
 * What stands beside the figures of a time: nothing, 'dekking 60%', 'energie 60% bekend', 'voorlopig', or more of these.
 * @param known of the time that was heard, how much of it with its energy (section 4)
 */
export const marksOf = (
  coverage: number | null,
  isProvisional: boolean,
  known: number | null = null,
): string[] => [
  ...(coverage !== null && isIncomplete(coverage) ? [coverageText(coverage)] : []),
  ...(known !== null && isIncomplete(known) ? [`energie ${Math.floor(known * 100 + 1e-9)}% bekend`] : []),
  ...(isProvisional ? ['voorlopig'] : []),
];
