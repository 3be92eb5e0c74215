import { useQuery } from '@tanstack/react-query';
import { isActionAllowed } from '#shared/domain/access.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from './user.ts';

const ASK_EVERY_MS = 60_000;

/** Reads the tasks about the portal itself; requests them only for an administrator. */
export function usePortalTasks() {
  const user = useUser();
  return useQuery({
    ...readQuery('GET /api/portal/tasks'),
    enabled: isActionAllowed(user, 'operate'),
    refetchInterval: ASK_EVERY_MS,
  });
}
