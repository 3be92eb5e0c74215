import { useEffect } from 'react';

const PORTAL = 'Werkstroom';

/** Names the tab while the page is there: 'Machines – Werkstroom'; a page that does not is just 'Werkstroom'. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – ${PORTAL}`;
    return () => {
      document.title = PORTAL;
    };
  }, [title]);
}
