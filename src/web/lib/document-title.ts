import { useEffect } from 'react';

const PORTAL = 'Werkstroom';

/** Sets the title of the tab while the page is shown: 'Machines – Werkstroom'; afterwards 'Werkstroom'. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – ${PORTAL}`;
    return () => {
      document.title = PORTAL;
    };
  }, [title]);
}
