import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { type LogView, queryOf } from './log-filter.ts';

/** The log, a page at a time, as far as somebody has scrolled. */
export const useLog = (view: LogView) =>
  useInfiniteQuery({
    queryKey: ['log', queryOf(view)],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/log', { query: { ...queryOf(view), ...(pageParam && { after: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ entries, isEnd }) => (isEnd ? undefined : entries.at(-1)?.cursor),
    // All pages would be asked for again.
    refetchOnWindowFocus: false,
  });

/** Who can be chosen from. Its key is that of every list of users. */
export const usePeople = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => call('GET /api/user/get', { signal }),
    enabled: isEnabled,
  });
