/**
 * The page first asked for, or the invitation that is being accepted, while the browser is at an identity provider: the
 * history's state does not come back from there. Of this tab, and gone once it was read.
 */
const KEY = 'cameFor';

/** @param state of the sign-in page's entry in the history, or `{ invitation }` */
export function rememberWay(state: unknown): void {
  try {
    if (state === null || state === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // A browser may refuse to keep data for us: then it is the map.
  }
}

/** The same state, once. */
export function recallWay(): unknown {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept === null ? null : JSON.parse(kept);
  } catch {
    return null;
  }
}

/** The token of the invitation, once. */
export function recallInvitation(): string | undefined {
  const way = recallWay();
  const token = typeof way === 'object' && way !== null && 'invitation' in way ? way.invitation : undefined;
  return typeof token === 'string' ? token : undefined;
}
