import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isOutage } from './api.ts';

/** `meta` of a query that retries itself after a failure. */
export const SELF_RETRYING_META = { retriesItself: true } as const;

/** Time until a query is repeated after the portal was unreachable. */
export const RETRY_MS = 5_000;
/** While the portal itself returns errors, the time between retries doubles up to this one. */
const MAX_RETRY_WAIT_MS = 60_000;

/**
 * Creates the query client. It repeats queries that failed in an outage while a screen shows them, and ignores the
 * browser's guess whether there is a network, because the portal may run on the same computer as the browser or in the same building.
 * @param isOutageKnown returns whether the caller already knows of an outage; the caller then repeats the failed
 * queries with `repeatFailedQueries` after the outage
 */
export function createQueryClient(
  isOutageKnown: (client: QueryClient) => boolean = () => false,
): QueryClient {
  const failures = new Map<string, number>();
  const queryCache = new QueryCache({
    onSuccess: (_, { queryHash }) => void failures.delete(queryHash),
    onError(error, query) {
      if (query.meta?.retriesItself === true || !isOutage(error)) return;
      const before = failures.get(query.queryHash) ?? 0;
      failures.set(query.queryHash, before + 1);
      const delay = wasUnreachable(error) ? RETRY_MS : Math.min(RETRY_MS * 2 ** before, MAX_RETRY_WAIT_MS);
      setTimeout(() => {
        if (query.state.error !== error) return;
        if (!query.isActive()) failures.delete(query.queryHash);
        else if (!isOutageKnown(client)) repeat(client, (one) => one === query);
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

/** Repeats the observed queries that failed in an outage, or that sent a request during it and still have no response. */
export function repeatFailedQueries(client: QueryClient): void {
  const isDue = ({ state, meta }: Query): boolean =>
    meta?.retriesItself !== true && (state.fetchStatus === 'fetching' || isOutage(state.error));
  const due = new Set(client.getQueryCache().findAll({ type: 'active', predicate: isDue }));
  const which = (query: Query): boolean => due.has(query);
  void client.cancelQueries({ predicate: which }, { silent: true }).then(() => repeat(client, which));
}

const repeat = (client: QueryClient, which: (query: Query) => boolean): void =>
  void client.refetchQueries({ type: 'active', predicate: which });

/** Returns whether the portal was only unreachable: no response, or a proxy's error. Retrying then costs little. */
const wasUnreachable = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 0 || (error.status > 501 && !error.fromServer));
