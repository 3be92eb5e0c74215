import { type RefObject, useEffect, useState } from 'react';
import { remPx } from '#web/lib/rem.ts';
import { rowsToDraw } from './row-list.tsx';

/**
 * Which rows of a long list that scrolls with the page have to be there, ascending: those in sight, some spare ones, and the one
 * with the focus between its neighbours.
 * @param box where the rows begin, @param rowRem every row is this high, @param focusedAt -1: none
 */
export function useRowsInSight(
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
    const look = (): void => {
      const rowPx = rowRem * remPx();
      const above = -(box.current?.getBoundingClientRect().top ?? 0);
      // Whole rows: a smaller movement changes nothing.
      const top = Math.max(0, Math.floor(above / rowPx));
      const high = Math.ceil(window.innerHeight / rowPx);
      setView((was) => (was.top === top && was.high === high ? was : { top, high }));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [box, rowRem]);
  return rowsToDraw(view.top, view.high, count, focusedAt);
}
