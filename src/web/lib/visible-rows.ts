/** Which rows of a long list of equally high rows are drawn, so that ten thousand cost no more than twenty. */
import { type RefObject, useEffect, useState } from 'react';

/** Rows kept ready above and below, so that Tab and a flick of the thumb find a row there. */
const SPARE_ROWS = 6;

/**
 * Row numbers to draw, ascending, for a list scrolled `scrollTop` px down in a box `height` px high; always within
 * `count`. The row `always` (-1: none) is among them wherever it is.
 */
export function rowsInSight(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
  always: number,
): number[] {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - SPARE_ROWS);
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + SPARE_ROWS);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  if (always < 0 || always >= count || rows.includes(always)) return rows;
  return always < first ? [always, ...rows] : [...rows, always];
}

/** The rows to draw in a scrolling `box`, and the height of one in px; rows are `rowRem` high. */
export function useVisibleRows(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowRem: number,
  always: number,
): { readonly rows: number[]; readonly rowHeight: number } {
  const [view, setView] = useState({ scrollTop: 0, height: window.innerHeight });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => setView({ scrollTop: element.scrollTop, height: element.clientHeight });
    const resize = new ResizeObserver(look);
    resize.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resize.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box]);
  const rowHeight = rowRem * remInPx();
  return { rows: rowsInSight(view.scrollTop, view.height, rowHeight, count, always), rowHeight };
}

/** People choose their own text size. */
const remInPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
