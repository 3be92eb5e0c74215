/** The slider's 1001 steps over the range that is shown (LOG-03). */
import type { TimeRange } from '#shared/domain/time-range.ts';

/** LOG-03. */
export const SLIDER_END = 1000;

/** ms; the moment at which the slider stands. */
export const instantAt = ({ from, to }: TimeRange, position: number): number =>
  Math.round(from + ((to - from) * position) / SLIDER_END);

/** The slider's step that is nearest to an instant; at an end when it lies outside. */
export function positionAt({ from, to }: TimeRange, instant: number): number {
  if (to <= from) return 0;
  return Math.min(SLIDER_END, Math.max(0, Math.round(((instant - from) / (to - from)) * SLIDER_END)));
}
