/**
 * The page /signin, which returns the user to the requested page (AUTH-02). The requested page is stored in the state
 * of the history entry, not in the address.
 */
import { Navigate, useLocation } from 'react-router';
import { consumeReturnState } from '#web/session/return-state.ts';
import { useSession } from '#web/session/session.ts';
import { chunkPage } from './chunk.ts';
import { PublicPage } from './public-page.tsx';

export const SIGN_IN_PATH = '/signin';

const signIn = chunkPage(
  'sign-in',
  async () => (await import('#web/features/sign-in/sign-in-page.tsx')).SignInPage,
);

/**
 * Redirects a signed-in user to the requested page. Moves the token of a mailed link from the address to the state of the
 * history entry: onlookers cannot read the token there, and it is still available after a reload or Back.
 */
export function SignInRoute() {
  const { state, hash } = useLocation();
  const { state: session } = useSession();
  const mailed = RESET_HASH.exec(hash)?.[1];
  if (mailed !== undefined) return <Navigate to={SIGN_IN_PATH} replace state={{ reset: mailed }} />;
  const reset = textIn(state, 'reset');
  if (session === 'authenticated' && reset === undefined)
    return <Navigate to={pathAfterSignIn(state ?? consumeReturnState())} replace />;
  return <PublicPage page={signIn} />;
}

/** Matches the hash of a mailed link for a new password. The server rejects a truncated token. */
const RESET_HASH = /^#reset=(.*)$/s;

/** Base address for parsing a path as a browser does, to check that it stays in the portal; `.invalid` has no hosts (RFC 2606). */
const HERE = 'http://portal.invalid';

/** Returns the history state for /signin that holds the requested page. */
export const requestedPageState = (location: {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}) => ({
  next: location.pathname + location.search + location.hash,
});

/** Returns the path to open after a login: the requested page if `state` has one in this portal, else '/'. */
export function pathAfterSignIn(state: unknown): string {
  const next = textIn(state, 'next');
  return next !== undefined && isOwnPage(next) ? next : '/';
}

function textIn(state: unknown, name: 'next' | 'reset'): string | undefined {
  const value = typeof state === 'object' && state !== null && (state as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

function isOwnPage(path: string): boolean {
  // Browsers read '//host', '/\host' and '/<tab>/host' as addresses of another host.
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return false;
  const url = URL.parse(path, HERE);
  return url !== null && url.origin === HERE && !/^\/signin\/?$/i.test(url.pathname);
}
