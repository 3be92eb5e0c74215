import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** How far each page of the browser's history was scrolled, by its key. */
const kept = new Map<string, number>();

/**
 * Back finds the page scrolled as it was left.
 * @param isLong whether the page is as long as it will be: before, there is nothing to scroll to
 */
export function useKeptScroll(isLong = true): void {
  const { key } = useLocation();
  const current = useRef(key);
  useLayoutEffect(() => {
    current.current = key;
  }, [key]);
  useEffect(() => {
    if (!isLong) return undefined;
    const top = kept.get(current.current);
    // After the page's beginning was shown, as of every new page.
    const frame = top === undefined ? 0 : requestAnimationFrame(() => window.scrollTo(0, top));
    return () => cancelAnimationFrame(frame);
  }, [isLong]);
  const wasLong = useRef(isLong);
  useLayoutEffect(() => {
    wasLong.current = isLong;
  }, [isLong]);
  useLayoutEffect(
    () => () => {
      if (wasLong.current) kept.set(current.current, window.scrollY);
    },
    [],
  );
}
