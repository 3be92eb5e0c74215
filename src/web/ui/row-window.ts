/** Which rows of a long list of equally high rows exist, so that ten thousand cost no more than twenty. */

/** Rows kept ready above and below, so that a flick of the thumb finds them there. */
const SPARE_ROWS = 6;

/**
 * Row numbers to draw, ascending, always within `count`: those in sight, some spare ones, and the one with the focus
 * (`focusedAt`, -1: none) between its neighbours, so that Tab and Shift+Tab find them wherever the list is scrolled to.
 *
 * @param topRow the row at the top of the view
 * @param rowsHigh how many rows high the view is, with a fraction
 */
export function rowsToDraw(topRow: number, rowsHigh: number, count: number, focusedAt: number): number[] {
  // The browser scrolls a list that became shorter back, but tells only after it was shown.
  const top = Math.max(0, Math.min(topRow, count - Math.floor(rowsHigh)));
  const from = Math.max(0, top - SPARE_ROWS);
  // One more: the row at the top may be half out of sight.
  const end = Math.min(count, Math.ceil(top + rowsHigh) + 1 + SPARE_ROWS);
  const inSight = Array.from({ length: end - from }, (_, index) => from + index);
  if (focusedAt < 0 || focusedAt >= count) return inSight;
  const focused = [focusedAt - 1, focusedAt, focusedAt + 1].filter((at) => at >= 0 && at < count);
  return [...new Set([...inSight, ...focused])].sort((a, b) => a - b);
}

/**
 * Where a key moves the focus from row `at`; undefined when it is no key of a list. PageUp and PageDown leave one row
 * of a view `rowsHigh` rows high in sight.
 */
export function rowAfterKey(key: string, at: number, count: number, rowsHigh: number): number | undefined {
  const page = Math.max(1, Math.floor(rowsHigh) - 1);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
  const to = steps[key];
  return to === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, to));
}
