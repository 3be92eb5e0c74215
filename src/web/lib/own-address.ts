import { useLocation } from 'react-router';

/**
 * Returns a function that returns whether the browser's URL is still the URL of this page. While the next page loads,
 * the browser already has the URL of that page, and this page must not change it.
 */
export function useIsPageCurrent(): () => boolean {
  const { pathname } = useLocation();
  return () => window.location.pathname === pathname;
}
