import { useNavigate } from 'react-router';

/** The last change of the query string that the router has not applied yet, with the path that it belongs to. */
let pending: { readonly pathname: string; readonly search: string } | undefined;

/**
 * Returns a function that changes the query string and replaces the history entry, so that Back returns to the previous page and
 * not to the previous letter of a search. Changes add up: each one starts from the previous one, even if that is not in the
 * address or on the screen yet.
 */
export function useChangeSearchParams(): (change: (now: URLSearchParams) => URLSearchParams) => void {
  const navigate = useNavigate();
  return (change) => {
    const { pathname, search } = window.location;
    const before = pending?.pathname === pathname ? pending.search : search;
    const mine = { pathname, search: change(new URLSearchParams(before)).toString() };
    pending = mine;
    const applied = navigate({ search: mine.search }, { replace: true });
    void Promise.resolve(applied).finally(() => {
      if (pending === mine) pending = undefined;
    });
  };
}
