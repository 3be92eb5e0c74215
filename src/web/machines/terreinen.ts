import { useQuery } from '@tanstack/react-query';
import { isActionAllowed } from '#shared/domain/access.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';

/** Queries the terreinen (yards, workshops, depots) that the user may see, by name; limited users and LMB customers see none. */
export function useTerreinen(isWanted = true) {
  const user = useUser();
  return useQuery({
    ...readQuery('GET /api/terrein/get'),
    enabled: isWanted && isActionAllowed(user, 'see-machines') && !user.isLimited,
  });
}
