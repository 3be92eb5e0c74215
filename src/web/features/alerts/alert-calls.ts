import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Alerts } from '#shared/contract/alerts.ts';
import { call } from '#web/lib/api.ts';
import { ALERTS, OPEN_ALERTS } from '#web/machines/open-alerts.ts';

/** The resolved alerts, newest first, a page at a time. */
export const useClosedAlerts = () =>
  useInfiniteQuery({
    queryKey: [...ALERTS, 'closed'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/alert/get', {
        query: { state: 'closed', ...(pageParam && { before: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ alerts, hasMore }) => (hasMore ? alerts.at(-1)?._id : undefined),
    // A refetch would load all pages again.
    refetchOnWindowFocus: false,
  });

/** One resolved alert, by the id in a notification's link; null if it does not exist or the user may not see it. */
export const useClosedAlert = (_id: string, isEnabled: boolean) =>
  useQuery({
    queryKey: [...ALERTS, 'one', _id],
    queryFn: async ({ signal }) => {
      const { alerts } = await call('GET /api/alert/get', { query: { state: 'closed', alert: _id }, signal });
      return alerts[0] ?? null;
    },
    enabled: isEnabled,
  });

/** Marks alerts as seen, so that the bell no longer counts them. If the call fails, they are marked when shown again. */
export function useMarkSeen() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (alerts: string[]) => call('POST /api/alert/seen', { body: { alerts } }),
    onSuccess: (_, seen) =>
      client.setQueryData<Alerts>(
        OPEN_ALERTS,
        (all) => all && { ...all, fresh: Math.max(0, all.fresh - seen.length) },
      ),
    onSettled: () => client.invalidateQueries({ queryKey: OPEN_ALERTS }),
  });
}

/** Records that the user takes care of an alert, or no longer does. */
export function useTake() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly alert: string; readonly takes: boolean }) =>
      call('POST /api/alert/take', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: ALERTS }),
  });
}

export type Mute = {
  readonly alert: string;
  readonly what: 'machine' | 'rule';
  readonly until: 'hour' | 'tomorrow' | 'ever';
};

export function useMute() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Mute) => call('POST /api/alert/mute', { body }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ALERTS }),
        client.invalidateQueries({ queryKey: ['alert-preferences'] }),
      ]),
  });
}
