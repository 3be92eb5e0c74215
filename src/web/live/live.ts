/**
 * The ONE live query (LIVE-02). `useLivePolling` stands in the protected wrapper and asks
 * every 5 s, and half-way whether the session is still there; everything else selects from what it brings, so no screen
 * has a timer of its own.
 *
 * While the page is hidden the polling pauses; it asks at once when the page is looked at again, and when the
 * browser finds its network back.
 */
import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ASKS_AGAIN } from '#web/lib/query-client.ts';
import { checkSession, revalidate } from '#web/session/session.ts';
import { entryOf, imageOf, type LiveImage, type SeenEntry } from './live-image.ts';
import {
  LIVE_KEY,
  type LiveTrouble,
  lookBetween,
  NO_TROUBLE,
  POLL_EVERY_MS,
  pollLive,
  TROUBLE_KEY,
  untilNextLook,
} from './live-poll.ts';
import { liveStorage } from './live-storage.ts';

const LOOK_KEY = ['live-look'] as const;
const NO_ENTRIES: readonly SeenEntry[] = [];

/** Identity of what did not change is kept by imageOf, far cheaper than TanStack's own deep comparison. */
const liveQuery = (client: QueryClient) =>
  queryOptions({
    queryKey: LIVE_KEY,
    queryFn: ({ signal }) =>
      pollLive(
        client,
        signal,
        () => void checkSession(client),
        () => void revalidate(client),
      ),
    structuralSharing: false,
    gcTime: Number.POSITIVE_INFINITY,
    meta: ASKS_AGAIN,
  });

/** Keeps the live data coming while mounted, once in the page. True as soon as there is data, stored data included. */
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
    queryKey: LOOK_KEY,
    queryFn: async ({ signal }) => {
      await lookBetween(client, signal, () => void checkSession(client));
      return null;
    },
    enabled: data !== undefined,
    meta: ASKS_AGAIN,
    refetchInterval: () => untilNextLook(client),
    notifyOnChangeProps: [],
  });
  useEffect(writeBeforeLeaving, []);
  return data !== undefined;
}

/** The machines and LMB loggers of the user, in received order; an entry that did not change is the same object. */
export function useFleet(): readonly SeenEntry[] {
  return useImage((image) => image.entries) ?? NO_ENTRIES;
}

/** One machine by serial number, or LMB logger by loggerid; undefined when it is not (or not yet) there. */
export function useLiveEntry(key: string): SeenEntry | undefined {
  return useImage((image) => entryOf(image, key));
}

export type LiveState = LiveTrouble & {
  /** ms; when the shown data was last confirmed by the server. */
  readonly dataAt: number | undefined;
};

/** How the polling goes. Changes with every poll: for a banner, not for a whole screen. */
export function useLiveState(): LiveState {
  const client = useQueryClient();
  const { dataUpdatedAt } = useQuery({ ...liveQuery(client), enabled: false });
  const { data: trouble } = useQuery<LiveTrouble>({
    queryKey: TROUBLE_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return { ...(trouble ?? NO_TROUBLE), dataAt: dataUpdatedAt > 0 ? dataUpdatedAt : undefined };
}

/** ms; when the polls last went well again: what failed meanwhile, and is no query, is tried anew. */
export const useBackAt = (): number | undefined =>
  useQuery<LiveTrouble, Error, number | undefined>({
    queryKey: TROUBLE_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    select: ({ backAt }) => backAt,
  }).data;

function useImage<T>(select: (image: LiveImage) => T): T | undefined {
  return useQuery({ ...liveQuery(useQueryClient()), enabled: false, select }).data;
}

/** The stored copy, when it may be shown and can be read; whatever else stands there is ignored. */
function storedImage(): LiveImage | undefined {
  const copy = liveStorage.keptFor(Date.now()) && liveStorage.read();
  return copy && imageOf(copy.text);
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
