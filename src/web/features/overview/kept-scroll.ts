import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** How far each page of the browser's history was scrolled, by its key. */
const kept = new Map<string, number>();

/** Back finds the page scrolled as it was left; it must be as long as then when it is first drawn. */
export function useKeptScroll(): void {
  const { key } = useLocation();
  const current = useRef(key);
  useLayoutEffect(() => {
    current.current = key;
  }, [key]);
  useEffect(() => {
    const top = kept.get(current.current);
    // After the page's beginning was shown, as of every new page.
    const frame = top === undefined ? 0 : requestAnimationFrame(() => window.scrollTo(0, top));
    return () => cancelAnimationFrame(frame);
  }, []);
  useLayoutEffect(() => () => void kept.set(current.current, window.scrollY), []);
}
