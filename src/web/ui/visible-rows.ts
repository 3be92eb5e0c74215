import { type RefObject, useEffect, useState } from 'react';
import { remPx } from '#web/lib/rem.ts';
import { rowsToDraw } from './row-list.tsx';

/**
 * Returns the numbers of the rows to render of a virtual list that scrolls with the page, ascending: the
 * visible rows, some spare ones, and the focused row with its neighbours.
 * @param box element whose top is the top of the first row
 * @param rowRem height of every row, in rem
 * @param focusedAt the focused row; -1: none
 */
export function useVisibleRows(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowRem: number,
  focusedAt: number,
): readonly number[] {
  const [view, setView] = useState(() => ({
    top: 0,
    high: Math.ceil(window.innerHeight / (rowRem * remPx())),
  }));
  useEffect(() => {
    const measure = (): void => {
      const rowPx = rowRem * remPx();
      const above = -(box.current?.getBoundingClientRect().top ?? 0);
      // Rounds to whole rows, so that scrolling by less than a row causes no render.
      const top = Math.max(0, Math.floor(above / rowPx));
      const high = Math.ceil(window.innerHeight / rowPx);
      setView((was) => (was.top === top && was.high === high ? was : { top, high }));
    };
    measure();
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [box, rowRem]);
  return rowsToDraw(view.top, view.high, count, focusedAt);
}
