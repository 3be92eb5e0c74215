import { useQuery } from '@tanstack/react-query';
import { may } from '#shared/domain/access.ts';
import { call } from '#web/lib/api.ts';
import { useUser } from '#web/session/user.ts';

export const TERREINEN = ['terreinen'] as const;

/** Asks for the terreinen that the caller may see, by name; a limited person and an LMB customer see none. */
export function useTerreinen(isWanted = true) {
  const user = useUser();
  return useQuery({
    queryKey: TERREINEN,
    queryFn: ({ signal }) => call('GET /api/terrein/get', { signal }),
    enabled: isWanted && may(user, 'see-machines') && !user.isLimited,
  });
}
