import { useLocation } from 'react-router';

/**
 * Returns a function that says whether the address is still the address of this page. While the next page
 * loads, the address is already that of the next page, and this page must not change it.
 */
export function useIsOwnAddress(): () => boolean {
  const { pathname } = useLocation();
  return () => window.location.pathname === pathname;
}
