/**
 * Keeps the requested page, or the invitation that is being accepted, while the browser is at an identity
 * provider: the state of the history is lost on the way back. The value belongs to this tab and is removed when
 * it is read.
 */
const KEY = 'cameFor';

/**
 * Stores the state.
 * @param state the state of the sign-in page's history entry, or `{ invitation }`
 */
export function storeReturnState(state: unknown): void {
  try {
    if (state === null || state === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // A browser may refuse storage: then the user lands on the map.
  }
}

/** Returns the stored state and removes it; null if there is none. */
export function consumeReturnState(): unknown {
  try {
    const stored = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return stored === null ? null : JSON.parse(stored);
  } catch {
    return null;
  }
}

/** Returns the token of the stored invitation and removes it. */
export function consumeInvitationToken(): string | undefined {
  const way = consumeReturnState();
  const token = typeof way === 'object' && way !== null && 'invitation' in way ? way.invitation : undefined;
  return typeof token === 'string' ? token : undefined;
}
