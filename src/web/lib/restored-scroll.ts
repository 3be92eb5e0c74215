import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Scroll positions in pixels, by the key of the history entry. */
const kept = new Map<string, number>();

/**
 * Restores the scroll position when the user goes back to a page.
 * @param isLong whether the page has its full length; before that, the position may not exist
 */
export function useRestoredScroll(isLong = true): void {
  const { key } = useLocation();
  const current = useRef(key);
  useLayoutEffect(() => {
    current.current = key;
  }, [key]);
  useEffect(() => {
    if (!isLong) return undefined;
    const top = kept.get(current.current);
    // Scrolls in the next frame, because the layout first scrolls every new page to its top.
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
