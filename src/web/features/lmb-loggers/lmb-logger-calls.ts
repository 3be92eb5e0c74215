import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewLmbLogger } from '#shared/contract/lmb-loggers.ts';
import { call } from '#web/lib/api.ts';
import { DELETED_LMB_LOGGERS, LMB_LOGGERS } from '#web/machines/machine-keys.ts';

/** The caller's loggers, by company and name; an administrator's are all. */
export const useLmbLoggers = () =>
  useQuery({ queryKey: LMB_LOGGERS, queryFn: ({ signal }) => call('GET /api/berend/get', { signal }) });

/** For administrators, newest first. */
export const useDeletedLmbLoggers = () =>
  useQuery({
    queryKey: DELETED_LMB_LOGGERS,
    queryFn: ({ signal }) => call('GET /api/berend/get/deleted', { signal }),
  });

/** Whom a logger can belong to. Its key begins as every list of organizations does. */
export const useCustomers = () =>
  useQuery({
    queryKey: ['organizations', 'lmb-customers'],
    queryFn: ({ signal }) => call('GET /api/organization/get/berende', { signal }),
  });

/** Resolves once the list is new as well, or could not be renewed, which it says itself. */
function useRenewal(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: LMB_LOGGERS });
}

export const useCreateLmbLogger = () =>
  useMutation({
    mutationFn: (query: NewLmbLogger) => call('GET /api/berend/new', { query }),
    onSuccess: useRenewal(),
  });

export const useDeleteLmbLogger = () =>
  useMutation({
    mutationFn: (loggerid: string) => call('DELETE /api/berend/delete', { query: { loggerid } }),
    onSuccess: useRenewal(),
  });

export const useRestoreLmbLogger = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/berend/restore', { body: { _id } }),
    onSuccess: useRenewal(),
  });
