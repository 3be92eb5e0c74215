import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isOutage } from './api.ts';

/** For a query that asks again by itself after a failure. */
export const ASKS_AGAIN = { asksAgain: true } as const;

/** ms; what was only out of reach is asked for again after the first. */
export const RETRY_MS = 5_000;
/** What the portal itself fails at, each time longer, up to here. */
const LONGEST_RETRY_MS = 60_000;

/**
 * A failed question is not repeated behind the user's back at once, and the browser's guess whether there is a network is
 * not believed: the portal may run on this machine or in the same building. What failed because the portal was out of
 * reach, or at fault, and is still looked at, is asked for again by itself.
 *
 * @param isOut whether it is known to be out of reach: then who knows that heals what failed (`healQueries`)
 */
export function createQueryClient(isOut: (client: QueryClient) => boolean = () => false): QueryClient {
  const failures = new Map<string, number>();
  const queryCache = new QueryCache({
    onSuccess: (_, { queryHash }) => void failures.delete(queryHash),
    onError(error, query) {
      if (query.meta?.asksAgain === true || !isOutage(error)) return;
      const before = failures.get(query.queryHash) ?? 0;
      failures.set(query.queryHash, before + 1);
      const delay = isPassing(error) ? RETRY_MS : Math.min(RETRY_MS * 2 ** before, LONGEST_RETRY_MS);
      setTimeout(() => {
        if (query.state.error !== error) return;
        if (!query.isActive()) failures.delete(query.queryHash);
        else if (!isOut(client)) askAgain(client, (one) => one === query);
      }, delay);
    },
  });
  const client: QueryClient = new QueryClient({
    queryCache,
    defaultOptions: {
      queries: { retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}

/** The portal is back: what is looked at and failed for want of it, or still waits for an answer of before, is asked for anew. */
export function healQueries(client: QueryClient): void {
  const isDue = ({ state, meta }: Query): boolean =>
    meta?.asksAgain !== true && (state.fetchStatus === 'fetching' || isOutage(state.error));
  const due = new Set(client.getQueryCache().findAll({ type: 'active', predicate: isDue }));
  const which = (query: Query): boolean => due.has(query);
  void client.cancelQueries({ predicate: which }, { silent: true }).then(() => askAgain(client, which));
}

const askAgain = (client: QueryClient, which: (query: Query) => boolean): void =>
  void client.refetchQueries({ type: 'active', predicate: which });

/** No answer, or a proxy's that the portal gives none: nothing is broken, and asking costs nothing. */
const isPassing = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 0 || (error.status > 501 && !error.fromServer));
