/** The session of the whole page: the signed-in user, signing in and signing out (AUTH-10). */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api } from '#shared/contract/api.ts';
import type { SessionUser } from '#shared/contract/auth.ts';
import type { CallOutput } from '#shared/contract/endpoint.ts';
import { callApi, isOutage, noAnswerError } from '#web/lib/api.ts';
import { SELF_RETRYING_META } from '#web/lib/query-client.ts';
import { recordFailedPoll } from '#web/live/live-poll.ts';
import { liveStorage } from '#web/live/live-storage.ts';
import { assertPasskeyForSignIn } from './passkey.ts';
import { endPush, forgetPushOwner, preservePushOwner } from './push-device.ts';
import { type User, userOf } from './user.ts';

export type Session =
  | { readonly state: 'loading' }
  | { readonly state: 'authenticated'; readonly user: User }
  /** `signedOut`: the user chose to sign out; the next sign-in then does not return to the open page. */
  | {
      readonly state: 'anonymous';
      readonly signedOut: boolean;
      /** The server's reason for ending the session, if it gives one. */
      readonly why?: string;
    }
  /** The portal does not respond; this tab had a session, which may still be valid. */
  | { readonly state: 'unreachable'; readonly error: unknown; readonly retry: () => void };

const SESSION_KEY = ['session'] as const;
type Known = {
  readonly user?: User;
  /** True while the portal does not respond: `user` is then the owner of the data that this browser stores. */
  readonly isRemembered?: true;
  readonly signedOut?: boolean;
  readonly why?: string;
};

const ENDED = 'Je sessie is afgelopen. Log opnieuw in.';

/** The session is validated again when the user returns to the page after this time. */
const VALID_FOR_MS = 60_000;
const RETRY_EVERY_MS = 5_000;
/** A portal that takes longer to validate the session counts as unreachable, so that the page does not stay empty. */
const VALIDATE_TIMEOUT_MS = 10_000;

const sessionQuery = (client: QueryClient) =>
  queryOptions({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => validate(client, signal),
    staleTime: VALID_FOR_MS,
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.status === 'error' || state.data?.isRemembered ? RETRY_EVERY_MS : false,
    meta: SELF_RETRYING_META,
  });

/** Returns the signed-in user; during an outage, the user whose data this browser stores (liveStorage.freshOwner). */
async function validate(client: QueryClient, signal: AbortSignal): Promise<Known> {
  const before = client.getQueryData<Known>(SESSION_KEY)?.user;
  let answer: Validated;
  try {
    answer = await validateToken(signal);
  } catch (error) {
    const remembered = before ? undefined : liveStorage.freshOwner(Date.now());
    if (!remembered || !isOutage(error)) throw error;
    liveStorage.setOwner(remembered);
    recordFailedPoll(client, error);
    return { user: remembered, isRemembered: true };
  }
  const { isAuthenticated, user, message } = answer;
  if (!isAuthenticated || !user) {
    const wasHere =
      before !== undefined || wasValidated() || liveStorage.freshOwner(Date.now()) !== undefined;
    removeUserData(client);
    void endPush().catch(() => undefined);
    const why = message ?? (wasHere ? ENDED : undefined);
    return why === undefined ? {} : { why };
  }
  if (before && before.email !== user.email) removeUserData(client);
  const known = userOf(user);
  keepUser(known);
  return { user: known };
}

type Validated = CallOutput<Api['GET /api/auth/validate-token']>;

async function validateToken(signal: AbortSignal): Promise<Validated> {
  const timeout = AbortSignal.timeout(VALIDATE_TIMEOUT_MS);
  try {
    return await callApi('GET /api/auth/validate-token', { signal: AbortSignal.any([signal, timeout]) });
  } catch (error) {
    throw timeout.aborted && !signal.aborted ? noAnswerError(error) : error;
  }
}

function keepUser(user: User): void {
  liveStorage.setOwner(user);
  rememberValidated();
}

/** Returns the session. A validation that fails counts as 'not authenticated', except in an outage (AUTH-09). */
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

/** Starts validating the session while the page's code is still loading. */
export const prefetchSession = (client: QueryClient): void => void client.prefetchQuery(sessionQuery(client));

/**
 * Signs in, and removes the data of an earlier user. Rejects with ApiError, whose `factors` name the second factors to
 * choose from.
 */
export async function signIn(client: QueryClient, email: string, password: string): Promise<void> {
  const { user } = await callApi('POST /api/auth/login', { body: { email, password } });
  startSession(client, user);
}

/** Completes a sign-in with a code of an authenticator app or a recovery code. Rejects with ApiError. */
export async function signInWithCode(client: QueryClient, code: string): Promise<void> {
  const { user } = await callApi('POST /api/auth/login/code', { body: { code } });
  startSession(client, user);
}

/** Signs in with a passkey, alone or as the second factor. Rejects with ApiError or UserMessageError. */
export async function signInWithPasskey(client: QueryClient): Promise<void> {
  const passkey = await assertPasskeyForSignIn();
  const { user } = await callApi('POST /api/auth/passkey/login', { body: { passkey } });
  startSession(client, user);
}

function startSession(client: QueryClient, user: SessionUser): void {
  const known = userOf(user);
  replaceSession(client, { user: known });
  keepUser(known);
  announce('signed-in');
}

/** Validates the session again after a change of the session's permissions. */
export const revalidateSession = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: SESSION_KEY });

/** Links the account to the organization's provider by the account's password, and signs in. Rejects as `signIn` does. */
export async function linkAndSignIn(client: QueryClient, password: string): Promise<void> {
  await callApi('POST /api/auth/oidc/confirm', { body: { password } });
  applySessionChange(client, 'signed-in');
  announce('signed-in');
}

/**
 * Signs out. Rejects with ApiError, and then the session remains.
 * @param comesBack whether the next sign-in returns to this page
 */
export async function signOut(client: QueryClient, comesBack = false): Promise<void> {
  const putBack = preservePushOwner();
  await callApi('POST /api/auth/logout');
  putBack();
  endSession(client, { signedOut: !comesBack });
  announce('signed-out');
}

/** Shows the user's new name at once. */
export const setSessionUserName = (client: QueryClient, name: string | undefined): void =>
  void client.setQueryData<Known>(SESSION_KEY, (known) =>
    known?.user ? { ...known, user: { ...known.user, name } } : known,
  );

/** Ends the session after the user deleted their own account. */
export function forgetDeletedAccount(client: QueryClient): void {
  forgetPushOwner();
  endSession(client, {});
}

/**
 * Ends the session after a call was refused with 401, with the server's reason if it gives one. A session that is still
 * valid stays: the refused call had an older token.
 */
export async function checkSession(client: QueryClient): Promise<void> {
  const before = client.getQueryData<Known>(SESSION_KEY)?.user;
  const answer = await callApi('GET /api/auth/validate-token').catch(() => undefined);
  const now = client.getQueryData<Known>(SESSION_KEY)?.user;
  // A user may have signed in or out during the call.
  if (!before || now !== before || answer?.user?.email === before.email) return;
  const why = answer && (answer.message ?? (answer.isAuthenticated ? undefined : ENDED));
  endSession(client, why === undefined ? {} : { why });
}

/** Applies a change that another tab announced, without announcing it again. */
export function applySessionChange(client: QueryClient, change: SessionChange): void {
  if (change === 'signed-out') {
    replaceSession(client, { signedOut: true });
  } else {
    removeUserData(client);
    void client.resetQueries({ queryKey: SESSION_KEY });
  }
}

/** Ends the session, and web push in this browser. The other tabs end only their session. */
function endSession(client: QueryClient, known: Known): void {
  replaceSession(client, known);
  void endPush().catch(() => undefined);
}

function replaceSession(client: QueryClient, known: Known): void {
  // A validation that still runs must not overwrite the new session.
  void client.cancelQueries({ queryKey: SESSION_KEY });
  removeUserData(client);
  client.setQueryData<Known>(SESSION_KEY, known);
}

/** Removes all data of a user from this browser, except the session itself (APP-07). */
function removeUserData(client: QueryClient): void {
  const others = {
    predicate: (query: { queryKey: readonly unknown[] }) => query.queryKey[0] !== SESSION_KEY[0],
  };
  void client.cancelQueries(others);
  client.removeQueries(others);
  liveStorage.wipe();
  forgetValidated();
}

/** Key in localStorage, which all tabs share, and key in the sessionStorage of one tab. Neither stored value identifies the user. */
const CHANGE_KEY = 'sessionChanged';
const VALIDATED_KEY = 'sessionValidated';

export type SessionChange = 'signed-in' | 'signed-out';

/** Sends a storage event to the other tabs. The item is removed at once: the event is the message. */
function announce(change: SessionChange): void {
  attempt(() => {
    localStorage.setItem(CHANGE_KEY, change);
    localStorage.removeItem(CHANGE_KEY);
  });
}

/** Calls `onChange` when another tab announces a sign-in or sign-out. */
export function listenToOtherTabs(onChange: (change: SessionChange) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === CHANGE_KEY && (newValue === 'signed-in' || newValue === 'signed-out')) onChange(newValue);
  });
}

/**
 * These three functions store, delete and read whether this tab had a valid session. The value lasts until the session
 * ends or the tab is closed, also over a reload.
 */
const rememberValidated = (): void => attempt(() => sessionStorage.setItem(VALIDATED_KEY, '1'));
const forgetValidated = (): void => attempt(() => sessionStorage.removeItem(VALIDATED_KEY));
const wasValidated = (): boolean => attempt(() => sessionStorage.getItem(VALIDATED_KEY)) === '1';

/** Ignores an exception: a browser may refuse storage, and its tabs then notice a change by their next poll. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
