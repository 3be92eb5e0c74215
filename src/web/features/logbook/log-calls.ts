import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { type LogView, queryOf } from './log-filter.ts';

/** The audit log, a page at a time while the user scrolls. */
export const useLog = (view: LogView) =>
  useInfiniteQuery({
    queryKey: ['log', queryOf(view)],
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/log', { query: { ...queryOf(view), ...(pageParam && { after: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ entries, isEnd }) => (isEnd ? undefined : entries.at(-1)?.cursor),
    // A refetch would load all pages again.
    refetchOnWindowFocus: false,
  });

/** The users whom the filter offers. The query key is the same on every page. */
export const usePeople = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => call('GET /api/user/get', { signal }),
    enabled: isEnabled,
  });
