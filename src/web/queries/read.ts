import { queryOptions } from '@tanstack/react-query';
import type { Api, ApiKey } from '#shared/contract/api.ts';
import type { CallOutput } from '#shared/contract/endpoint.ts';
import { type CallInputs, callApi } from '#web/lib/api.ts';

/**
 * Returns the options of a query that makes a call: `useQuery(readQuery('GET /api/user/get'))`. The query key is the
 * call and its input, so that screens that make the same call share one query.
 */
export const readQuery = <K extends ApiKey>(
  key: K,
  ...input: CallInputs<K>
): ReturnType<typeof deriveQuery<CallOutput<Api[K]>>> =>
  deriveQuery(key, input, (signal) => callApi(key, ...([{ ...(input[0] as object), signal }] as never)));

/**
 * Returns the options of a query that converts the result of a call, or makes several calls. A change that
 * refreshes `key` refreshes this query too. `parts`: the rest of the query key.
 */
export const deriveQuery = <T>(
  key: ApiKey,
  parts: readonly unknown[],
  queryFn: (signal: AbortSignal) => Promise<T>,
) => queryOptions({ queryKey: [key, ...parts] as const, queryFn: ({ signal }) => queryFn(signal) });
