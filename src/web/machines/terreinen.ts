import { useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

export const TERREINEN = ['terreinen'] as const;

/** Asks for the terreinen that the caller may see, by name. */
export const useTerreinen = (isWanted = true) =>
  useQuery({
    queryKey: TERREINEN,
    queryFn: ({ signal }) => call('GET /api/terrein/get', { signal }),
    enabled: isWanted,
  });
