/**
 * The only query of live data (LIVE-02). `useLivePolling`, used once for all pages behind the sign-in, polls every 5 s and
 * checks the session half-way between polls; all screens select from its data, so that no screen has its own timer.
 *
 * Polling pauses while the page is hidden, and resumes at once when the page becomes visible or the network returns.
 */
import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SELF_RETRYING_META } from '#web/lib/query-client.ts';
import { checkSession, revalidateSession } from '#web/session/session.ts';
import {
  checkSessionBetweenPolls,
  INITIAL_POLL_STATE,
  LIVE_KEY,
  type LivePollState,
  POLL_EVERY_MS,
  POLL_STATE_KEY,
  pollLive,
  untilNextSessionCheck,
} from './live-poll.ts';
import { entryOf, type FleetEntry, type LiveSnapshot, parseLiveSnapshot } from './live-snapshot.ts';
import { liveStorage } from './live-storage.ts';

const SESSION_CHECK_KEY = ['live-session-check'] as const;
const NO_ENTRIES: readonly FleetEntry[] = [];

/** Without structural sharing: parseLiveSnapshot keeps the identity of unchanged objects, far cheaper than TanStack's deep comparison. */
const liveQuery = (client: QueryClient) =>
  queryOptions({
    queryKey: LIVE_KEY,
    queryFn: ({ signal }) =>
      pollLive(
        client,
        signal,
        () => void checkSession(client),
        () => void revalidateSession(client),
      ),
    structuralSharing: false,
    gcTime: Number.POSITIVE_INFINITY,
    meta: SELF_RETRYING_META,
  });

/** Polls the live data while mounted. Use it once in a page. Returns true as soon as there is data, stored data included. */
export function useLivePolling(): boolean {
  const client = useQueryClient();
  const { data } = useQuery({
    ...liveQuery(client),
    initialData: storedImage,
    initialDataUpdatedAt: () => Math.min(liveStorage.read()?.atMs ?? 0, Date.now()),
    refetchInterval: POLL_EVERY_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });
  useQuery({
    queryKey: SESSION_CHECK_KEY,
    queryFn: async ({ signal }) => {
      await checkSessionBetweenPolls(client, signal, () => void checkSession(client));
      return null;
    },
    enabled: data !== undefined,
    meta: SELF_RETRYING_META,
    refetchInterval: () => untilNextSessionCheck(client),
    notifyOnChangeProps: [],
  });
  useEffect(writeBeforeLeaving, []);
  return data !== undefined;
}

/**
 * Returns the machines and LMB loggers of the user, in the server's order. An unchanged entry is the same
 * object as before.
 */
export function useFleet(): readonly FleetEntry[] {
  return useImage((image) => image.entries) ?? NO_ENTRIES;
}

/** Returns a machine by serial number, or an LMB logger by loggerid; undefined if it does not exist or is not loaded yet. */
export function useLiveEntry(key: string): FleetEntry | undefined {
  return useImage((image) => entryOf(image, key));
}

export type LiveState = LivePollState & {
  /** When the server last confirmed the shown data, in Unix milliseconds. */
  readonly dataAt: number | undefined;
};

/** Returns the state of the polling. Changes with every poll: use it in a banner, not in a whole screen. */
export function useLiveState(): LiveState {
  const client = useQueryClient();
  const { dataUpdatedAt } = useQuery({ ...liveQuery(client), enabled: false });
  const { data: pollState } = useQuery<LivePollState>({
    queryKey: POLL_STATE_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return { ...(pollState ?? INITIAL_POLL_STATE), dataAt: dataUpdatedAt > 0 ? dataUpdatedAt : undefined };
}

/**
 * Returns the time of the first successful poll after the last outage, in Unix milliseconds. Callers retry failed work
 * that is no query when this time changes.
 */
export const useReachableAgainAt = (): number | undefined =>
  useQuery<LivePollState, Error, number | undefined>({
    queryKey: POLL_STATE_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    select: ({ backAt }) => backAt,
  }).data;

function useImage<T>(select: (image: LiveSnapshot) => T): T | undefined {
  return useQuery({ ...liveQuery(useQueryClient()), enabled: false, select }).data;
}

/** Returns the live data of the browser's stored copy; undefined if the copy may not be shown or is invalid. */
function storedImage(): LiveSnapshot | undefined {
  const copy = liveStorage.freshOwner(Date.now()) && liveStorage.read();
  return copy && parseLiveSnapshot(copy.text);
}

function writeBeforeLeaving(): () => void {
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') liveStorage.flush();
  };
  window.addEventListener('pagehide', liveStorage.flush);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    window.removeEventListener('pagehide', liveStorage.flush);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
