import { QueryClient } from '@tanstack/react-query';

/**
 * A failed question is not repeated behind the user's back, and the browser's guess whether there is a network is
 * not believed: the portal may run on this machine or in the same building.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
