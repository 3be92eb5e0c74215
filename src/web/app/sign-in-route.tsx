/** /signin, and the way to it and back (AUTH-02). That way travels in the history's state, so the address stays clean. */
import { Navigate, useLocation } from 'react-router';
import { recallWay } from '#web/session/came-for.ts';
import { useSession } from '#web/session/session.ts';
import { chunkPage } from './chunk.ts';
import { OpenPage } from './open-page.tsx';

export const SIGN_IN_PATH = '/signin';

const signIn = chunkPage(
  'sign-in',
  async () => (await import('#web/features/sign-in/sign-in-page.tsx')).SignInPage,
);

/**
 * Who is signed in, or just did, goes on to the page first asked for. The token of a mailed link leaves the address at
 * once, for the state of the history's entry: there a reload and Back find it, and nobody who looks.
 */
export function SignInRoute() {
  const { state, hash } = useLocation();
  const { state: session } = useSession();
  const mailed = RESET_HASH.exec(hash)?.[1];
  if (mailed !== undefined) return <Navigate to={SIGN_IN_PATH} replace state={{ reset: mailed }} />;
  const reset = textIn(state, 'reset');
  if (session === 'authenticated' && reset === undefined)
    return <Navigate to={nextPath(state ?? recallWay())} replace />;
  return <OpenPage page={signIn} />;
}

/** Of the link in a mail for a new password. What is cut short is the server's to judge. */
const RESET_HASH = /^#reset=(.*)$/s;

/** Base for reading a path as a browser reads it; `.invalid` never exists (RFC 2606). */
const HERE = 'http://portal.invalid';

/** The state for /signin that remembers the page first asked for. */
export const askedFor = (location: {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}) => ({
  next: location.pathname + location.search + location.hash,
});

/** Where a successful login goes: the page first asked for when `state` has one in this portal, else '/'. */
export function nextPath(state: unknown): string {
  const next = textIn(state, 'next');
  return next !== undefined && isOwnPage(next) ? next : '/';
}

function textIn(state: unknown, name: 'next' | 'reset'): string | undefined {
  const value = typeof state === 'object' && state !== null && (state as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

function isOwnPage(path: string): boolean {
  // '//host', '/\host' and '/<tab>/host' are other hosts to a browser.
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return false;
  const url = URL.parse(path, HERE);
  return url !== null && url.origin === HERE && !/^\/signin\/?$/i.test(url.pathname);
}
