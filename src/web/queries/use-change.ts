import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from '#shared/contract/api.ts';
import type { CallInput, CallOutput } from '#shared/contract/endpoint.ts';
import { type CallInputs, callApi } from '#web/lib/api.ts';
import { type ChangeKey, INVALIDATED_QUERIES, REFRESHED_AFTER_ERRORS } from './changes.ts';

/** Returns the mutation that makes a call that changes data, and then refreshes the queries that the change made outdated. */
export function useChange<K extends ChangeKey>(key: K) {
  const send = useSendChange();
  return useMutation({ mutationFn: (input: CallInput<Api[K]>) => send(key, ...([input] as never)) });
}

type Send = <K extends ChangeKey>(key: K, ...input: CallInputs<K>) => Promise<CallOutput<Api[K]>>;

/** Returns `sendChange` for the client of the page. */
export function useSendChange(): Send {
  const client = useQueryClient();
  return (key, ...input) => sendChange(client, key, ...input);
}

/**
 * Makes a call that changes data and refreshes the queries that the change made outdated. Resolves with the response once the shown
 * queries are refreshed, also if that fails: they show their own errors.
 */
export async function sendChange<K extends ChangeKey>(
  client: QueryClient,
  key: K,
  ...input: CallInputs<K>
): Promise<CallOutput<Api[K]>> {
  const answer = callApi(key, ...(input as never));
  await (REFRESHED_AFTER_ERRORS.has(key) ? Promise.allSettled([answer]) : answer);
  await refreshQueries(client, key);
  return answer;
}

/**
 * Refreshes what a change made outdated. Resolves once the shown queries are refreshed, also if that fails. `refetchType` 'none'
 * only marks them, for a page that is about to close.
 */
export async function refreshQueries(
  client: QueryClient,
  key: ChangeKey,
  refetchType: 'active' | 'none' = 'active',
): Promise<void> {
  const outdated = INVALIDATED_QUERIES[key];
  if (outdated === 'all') return client.invalidateQueries({ refetchType });
  if (outdated === undefined) {
    const own = `GET ${/ (\/api\/[^/]+\/)/.exec(key)?.[1]}`;
    return client.invalidateQueries({
      predicate: ({ queryKey: [call] }) => String(call).startsWith(own),
      refetchType,
    });
  }
  await Promise.all(outdated.map((one) => client.invalidateQueries({ queryKey: [one].flat(), refetchType })));
}
