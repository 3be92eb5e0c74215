import { useLocation } from 'react-router';

/**
 * Whether the address is this page's: it is the next one's already while that is being fetched, and what a page writes
 * into the address a moment later would then be written into another's.
 */
export function useOwnAddress(): () => boolean {
  const { pathname } = useLocation();
  return () => window.location.pathname === pathname;
}
