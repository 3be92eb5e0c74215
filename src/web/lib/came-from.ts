/** Where a page was come from, for its way back. */
import { type MouseEvent, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The pages of this visit by their place in the browser's history, as the router counts it. */
const visited = new Map<number, string>();

/** The router's own number of the entry of the history that is shown; it survives a reload. */
const placeInHistory = (): number => (window.history.state as { idx?: number } | null)?.idx ?? 0;

/** Remembers each page that is shown; once, around all pages. */
export function useVisits(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    const at = placeInHistory();
    visited.set(at, pathname + search);
    // What lay ahead is gone after another step.
    for (const place of visited.keys()) if (place > at + 1) visited.delete(place);
  }, [pathname, search]);
}

/** Where nobody wants to be back: what was filled in there is stored. */
const FORMS = /^\/machine\/(edit\/|nieuw)/i;

/**
 * The page before this one in this visit, and how to go back to it: by the history, so that it is as it was left.
 *
 * @param otherwise the path for who came from elsewhere, or from a form
 */
export function useWayBack(otherwise: string) {
  const navigate = useNavigate();
  const before = visited.get(placeInHistory() - 1);
  const isPlace = before !== undefined && !FORMS.test(before);
  return {
    to: isPlace ? before : otherwise,
    onClick(event: MouseEvent): void {
      const isPlain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!isPlace || !isPlain) return;
      event.preventDefault();
      void navigate(-1);
    },
  };
}
