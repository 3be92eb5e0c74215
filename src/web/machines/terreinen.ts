import { useQuery } from '@tanstack/react-query';
import { may } from '#shared/domain/access.ts';
import { call } from '#web/lib/api.ts';
import { useUser } from '#web/session/user.ts';

export const TERREINEN = ['terreinen'] as const;

/** Queries the terreinen that the user may see, by name; limited users and LMB customers see none. */
export function useTerreinen(isWanted = true) {
  const user = useUser();
  return useQuery({
    queryKey: TERREINEN,
    queryFn: ({ signal }) => call('GET /api/terrein/get', { signal }),
    enabled: isWanted && may(user, 'see-machines') && !user.isLimited,
  });
}
