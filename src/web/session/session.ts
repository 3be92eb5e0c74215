/** Who is signed in, for the whole page; and the ways in and out (AUTH-10). */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api } from '#shared/contract/api.ts';
import type { SessionUser } from '#shared/contract/auth.ts';
import type { CallOutput } from '#shared/contract/endpoint.ts';
import { call, isOutage, noAnswer } from '#web/lib/api.ts';
import { ASKS_AGAIN } from '#web/lib/query-client.ts';
import { noteFailure } from '#web/live/live-poll.ts';
import { liveStorage } from '#web/live/live-storage.ts';
import { showPasskey } from './passkey.ts';
import { endPush, forgetOwner, holdOwner } from './push-device.ts';
import { type User, userOf } from './user.ts';

export type Session =
  | { readonly state: 'loading' }
  | { readonly state: 'authenticated'; readonly user: User }
  /** `signedOut`: on purpose, so the page that was open is not to be returned to. */
  | {
      readonly state: 'anonymous';
      readonly signedOut: boolean;
      /** Why the server ended it, where it says so. */
      readonly why?: string;
    }
  /** The portal does not answer, but this tab had a session: it may well still be there. */
  | { readonly state: 'unreachable'; readonly error: unknown; readonly retry: () => void };

const SESSION_KEY = ['session'] as const;
type Known = {
  readonly user?: User;
  /** The portal could not be asked; it is whose data this browser keeps. */
  readonly isRemembered?: true;
  readonly signedOut?: boolean;
  readonly why?: string;
};

const ENDED = 'Je sessie is afgelopen. Log opnieuw in.';

/** An open page asks again when it is returned to after this long, and while the portal is out of reach. */
const VALID_FOR_MS = 60_000;
const RETRY_EVERY_MS = 5_000;
/** A portal that takes longer to say who this is, is out of reach: the page may not stay empty in silence. */
const VALIDATE_TIMEOUT_MS = 10_000;

const sessionQuery = (client: QueryClient) =>
  queryOptions({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => validate(client, signal),
    staleTime: VALID_FOR_MS,
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.status === 'error' || state.data?.isRemembered ? RETRY_EVERY_MS : false,
    meta: ASKS_AGAIN,
  });

/** Who is signed in; where the portal cannot say, whose data this browser keeps (liveStorage.keptFor). */
async function validate(client: QueryClient, signal: AbortSignal): Promise<Known> {
  const before = client.getQueryData<Known>(SESSION_KEY)?.user;
  let answer: Validated;
  try {
    answer = await askWho(signal);
  } catch (error) {
    const remembered = before ? undefined : liveStorage.keptFor(Date.now());
    if (!remembered || !isOutage(error)) throw error;
    liveStorage.keepFor(remembered);
    noteFailure(client, error);
    return { user: remembered, isRemembered: true };
  }
  const { isAuthenticated, user, message } = answer;
  if (!isAuthenticated || !user) {
    const wasHere = before !== undefined || wasValidated() || liveStorage.keptFor(Date.now()) !== undefined;
    forget(client);
    void endPush().catch(() => undefined);
    const why = message ?? (wasHere ? ENDED : undefined);
    return why === undefined ? {} : { why };
  }
  if (before && before.email !== user.email) forget(client);
  const known = userOf(user);
  remember(known);
  return { user: known };
}

type Validated = CallOutput<Api['GET /api/auth/validate-token']>;

async function askWho(signal: AbortSignal): Promise<Validated> {
  const timeout = AbortSignal.timeout(VALIDATE_TIMEOUT_MS);
  try {
    return await call('GET /api/auth/validate-token', { signal: AbortSignal.any([signal, timeout]) });
  } catch (error) {
    throw timeout.aborted && !signal.aborted ? noAnswer(error) : error;
  }
}

function remember(user: User): void {
  liveStorage.keepFor(user);
  rememberValidated();
}

/** The session; any failure of its validation is 'not authenticated', except for an outage (AUTH-09). */
export function useSession(): Session {
  const { data, error, refetch } = useQuery(sessionQuery(useQueryClient()));
  if (data?.user) return { state: 'authenticated', user: data.user };
  if (data)
    return {
      state: 'anonymous',
      signedOut: data.signedOut ?? false,
      ...(data.why !== undefined && { why: data.why }),
    };
  if (!error) return { state: 'loading' };
  if (isOutage(error) && wasValidated()) return { state: 'unreachable', error, retry: () => void refetch() };
  return { state: 'anonymous', signedOut: false };
}

/** Asks at the start of the page, while its code is still loading. */
export const prefetchSession = (client: QueryClient): void => void client.prefetchQuery(sessionQuery(client));

/** Rejects with ApiError; its `factors` say what is asked besides. Nothing of an earlier user is left afterwards. */
export async function signIn(client: QueryClient, email: string, password: string): Promise<void> {
  const { user } = await call('POST /api/auth/login', { body: { email, password } });
  enterAs(client, user);
}

/** The second step: a code of an authenticator app, or a recovery code. Rejects with ApiError. */
export async function signInWithCode(client: QueryClient, code: string): Promise<void> {
  const { user } = await call('POST /api/auth/login/code', { body: { code } });
  enterAs(client, user);
}

/** The second step, or all of it. Rejects with ApiError or SpokenError. */
export async function signInWithPasskey(client: QueryClient): Promise<void> {
  const passkey = await showPasskey();
  const { user } = await call('POST /api/auth/passkey/login', { body: { passkey } });
  enterAs(client, user);
}

function enterAs(client: QueryClient, user: SessionUser): void {
  const known = userOf(user);
  become(client, { user: known });
  remember(known);
  announce('signed-in');
}

/** Asks the server again who is signed in, after something changed what the session may do. */
export const revalidate = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: SESSION_KEY });

/** Of who came back from their organization's provider: the password of their account links it. As `signIn`. */
export async function linkAndSignIn(client: QueryClient, password: string): Promise<void> {
  await call('POST /api/auth/oidc/confirm', { body: { password } });
  follow(client, 'signed-in');
  announce('signed-in');
}

/** Rejects with ApiError, and then the session is still there. @param comesBack to this page, after signing in again */
export async function signOut(client: QueryClient, comesBack = false): Promise<void> {
  const putBack = holdOwner();
  await call('POST /api/auth/logout');
  putBack();
  leave(client, { signedOut: !comesBack });
  announce('signed-out');
}

/** The person is called otherwise now. */
export const rename = (client: QueryClient, name: string | undefined): void =>
  void client.setQueryData<Known>(SESSION_KEY, (known) =>
    known?.user ? { ...known, user: { ...known.user, name } } : known,
  );

/** Somebody has just ended the session themselves, with their account. */
export function expire(client: QueryClient): void {
  forgetOwner();
  leave(client, {});
}

/**
 * A call was refused for want of a session: the server no longer knows it, and may say why. One that got a new token
 * meanwhile goes on; what was under way had the old one.
 */
export async function checkSession(client: QueryClient): Promise<void> {
  const before = client.getQueryData<Known>(SESSION_KEY)?.user;
  const told = await call('GET /api/auth/validate-token').catch(() => undefined);
  const now = client.getQueryData<Known>(SESSION_KEY)?.user;
  // Somebody signed in or out while it was asked.
  if (!before || now !== before || told?.user?.email === before.email) return;
  const why = told && (told.message ?? (told.isAuthenticated ? undefined : ENDED));
  leave(client, why === undefined ? {} : { why });
}

/** What another tab announced: follow it, without a word of our own. */
export function follow(client: QueryClient, change: SessionChange): void {
  if (change === 'signed-out') {
    become(client, { signedOut: true });
  } else {
    forget(client);
    void client.resetQueries({ queryKey: SESSION_KEY });
  }
}

/** Nobody is signed in any more, and this tab is the first to know: where others follow, this one has ended it. */
function leave(client: QueryClient, known: Known): void {
  become(client, known);
  void endPush().catch(() => undefined);
}

function become(client: QueryClient, known: Known): void {
  // An older question that is still out must not answer after this.
  void client.cancelQueries({ queryKey: SESSION_KEY });
  forget(client);
  client.setQueryData<Known>(SESSION_KEY, known);
}

/** Removes all that belongs to a user from this browser, the session itself excepted (APP-07). */
function forget(client: QueryClient): void {
  const others = {
    predicate: (query: { queryKey: readonly unknown[] }) => query.queryKey[0] !== SESSION_KEY[0],
  };
  void client.cancelQueries(others);
  client.removeQueries(others);
  liveStorage.wipe();
  forgetValidated();
}

/** What tabs tell each other about sessions, and what one tab remembers of its own; never who it is. */
const CHANGE_KEY = 'sessionChanged';
const VALIDATED_KEY = 'sessionValidated';

export type SessionChange = 'signed-in' | 'signed-out';

/** Tells the other tabs. The mark is removed at once: the event is the message. */
function announce(change: SessionChange): void {
  attempt(() => {
    localStorage.setItem(CHANGE_KEY, change);
    localStorage.removeItem(CHANGE_KEY);
  });
}

/** Calls `onChange` for what another tab announces. */
export function hearOtherTabs(onChange: (change: SessionChange) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === CHANGE_KEY && (newValue === 'signed-in' || newValue === 'signed-out')) onChange(newValue);
  });
}

/** This tab had a valid session; survives a reload, ends with the tab or the session. */
const rememberValidated = (): void => attempt(() => sessionStorage.setItem(VALIDATED_KEY, '1'));
const forgetValidated = (): void => attempt(() => sessionStorage.removeItem(VALIDATED_KEY));
const wasValidated = (): boolean => attempt(() => sessionStorage.getItem(VALIDATED_KEY)) === '1';

/** A browser may refuse to keep data for us; then tabs find out by their next poll. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
