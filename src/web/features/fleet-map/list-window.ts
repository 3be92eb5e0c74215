/** Rows that exist beyond the edges, so that a quick scroll or a Tab finds them there. */
const MARGIN_ROWS = 6;

/** Rows from (included) to (excluded). */
export type RowRange = { readonly from: number; readonly to: number };

/** Which rows of a list with rows of one height must exist; sizes in px. Always within 0 and `count`. */
export function rowsToDraw(
  scrollTop: number,
  viewHeight: number,
  rowHeight: number,
  count: number,
): RowRange {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const last = Math.ceil((Math.max(0, scrollTop) + viewHeight) / rowHeight);
  const from = Math.min(count, Math.max(0, first - MARGIN_ROWS));
  return { from, to: Math.min(count, Math.max(from, last + MARGIN_ROWS)) };
}

/** Where a key moves the focus from row `at`; undefined when it is no key of a list. PageUp and PageDown move `page` rows. */
export function rowAfterKey(key: string, at: number, count: number, page: number): number | undefined {
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
