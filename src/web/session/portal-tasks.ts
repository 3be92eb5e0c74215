import { useQuery } from '@tanstack/react-query';
import { may } from '#shared/domain/access.ts';
import { call } from '#web/lib/api.ts';
import { useUser } from './user.ts';

const ASK_EVERY_MS = 60_000;

/** Reads the tasks about the portal itself; asks the server only for an administrator. */
export function usePortalTasks() {
  const user = useUser();
  return useQuery({
    queryKey: ['portal-tasks'],
    queryFn: ({ signal }) => call('GET /api/portal/tasks', { signal }),
    enabled: may(user, 'operate'),
    refetchInterval: ASK_EVERY_MS,
  });
}
