import { useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

const ASK_EVERY_MS = 10_000;

export type BackgroundTask = { readonly name: string; readonly done: number };

/** Long work on the server: asked for once, and again only while there is any. A failed question says nothing. */
export function useBackgroundTasks(): readonly BackgroundTask[] {
  const { data } = useQuery({
    queryKey: ['background-tasks'],
    queryFn: ({ signal }) => call('GET /api/background-tasks', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? ASK_EVERY_MS : false),
  });
  return data ?? [];
}
