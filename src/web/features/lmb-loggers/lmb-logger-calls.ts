import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewLmbLogger } from '#shared/contract/lmb-loggers.ts';
import { call } from '#web/lib/api.ts';
import { DELETED_LMB_LOGGERS, LMB_LOGGERS } from '#web/machines/machine-keys.ts';

/** The LMB loggers of the user's organization, by organization and name; an administrator gets all of them. */
export const useLmbLoggers = () =>
  useQuery({ queryKey: LMB_LOGGERS, queryFn: ({ signal }) => call('GET /api/berend/get', { signal }) });

/** The deleted LMB loggers, newest first; only administrators may call it. */
export const useDeletedLmbLoggers = () =>
  useQuery({
    queryKey: DELETED_LMB_LOGGERS,
    queryFn: ({ signal }) => call('GET /api/berend/get/deleted', { signal }),
  });

/** The organizations that a logger can belong to. Its key shares the prefix of all lists of organizations. */
export const useCustomers = () =>
  useQuery({
    queryKey: ['organizations', 'lmb-customers'],
    queryFn: ({ signal }) => call('GET /api/organization/get/berende', { signal }),
  });

/** Reloads the list. Resolves also when that fails: the list shows its own error. */
function useInvalidateLoggers(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: LMB_LOGGERS });
}

export const useCreateLmbLogger = () =>
  useMutation({
    mutationFn: (query: NewLmbLogger) => call('GET /api/berend/new', { query }),
    onSuccess: useInvalidateLoggers(),
  });

export const useDeleteLmbLogger = () =>
  useMutation({
    mutationFn: (loggerid: string) => call('DELETE /api/berend/delete', { query: { loggerid } }),
    onSuccess: useInvalidateLoggers(),
  });

export const useRestoreLmbLogger = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/berend/restore', { body: { _id } }),
    onSuccess: useInvalidateLoggers(),
  });
