/** The link that leads from a page back to the previous page. */
import { type MouseEvent, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The pages of this visit by their index in the browser's history. */
const visited = new Map<number, string>();

/** Returns the router's index of the present history entry, which survives a reload. */
const placeInHistory = (): number => (window.history.state as { idx?: number } | null)?.idx ?? 0;

/** Remembers each shown page. Use it once, around all pages. */
export function useVisitTracking(): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    const at = placeInHistory();
    visited.set(at, pathname + search);
    // Deletes later pages too, because a new navigation removes the entries ahead of it from the browser's history.
    for (const place of visited.keys()) if (place > at + 1) visited.delete(place);
  }, [pathname, search]);
}

/** Addresses of forms. A back link does not lead to a form, because its input has been saved. */
const FORMS = /^\/machine\/(edit\/|nieuw)/i;

/**
 * Returns the props of a link back to the previous page of this visit. A click goes back in the history, so that the page is
 * as the user left it.
 * @param otherwise path if the user came from another site or from a form
 */
export function useBackLink(otherwise: string) {
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
