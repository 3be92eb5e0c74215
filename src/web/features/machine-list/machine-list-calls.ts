import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import { call } from '#web/lib/api.ts';
import { DELETED_MACHINES, MACHINES } from '#web/machines/machine-keys.ts';

/** The machines of the user's organization, by brand and name; an administrator gets all of them. */
export const useMachines = () =>
  useQuery({ queryKey: MACHINES, queryFn: ({ signal }) => call('GET /api/machine/get/all', { signal }) });

/** The deleted machines, newest first; only administrators may call it. */
export const useDeletedMachines = () =>
  useQuery({
    queryKey: DELETED_MACHINES,
    queryFn: ({ signal }) => call('GET /api/machine/get/deleted', { signal }),
  });

/** The unknown access keys seen at the upload endpoint; only administrators may call it. */
export const useUnknownKeys = () =>
  useQuery({
    queryKey: ['unknown-loggers'],
    queryFn: ({ signal }) => call('GET /api/machine/writer/unknown', { signal }),
  });

/** The sold machines of which the logger needs a new key; only administrators may call it. */
export const useKeysToReplace = () =>
  useQuery({
    queryKey: ['keys-to-replace'],
    queryFn: ({ signal }) => call('GET /api/machine/writer/keys-to-replace', { signal }),
  });

/** The loggers that upload to a former address of the portal; only administrators may call it. */
export const useOldAddresses = () =>
  useQuery({
    queryKey: ['old-addresses'],
    queryFn: ({ signal }) => call('GET /api/machine/writer/old-addresses', { signal }),
  });

/** Reloads the lists. Resolves also when that fails: the lists show their own error. */
function useInvalidateMachines(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: MACHINES });
}

/** Deletes a machine. The call names its alias and organization, so that an outdated list cannot delete another machine. */
export const useDeleteMachine = () =>
  useMutation({
    mutationFn: ({ serialNumber, alias, organization }: MachineListEntry) =>
      call('DELETE /api/machine/delete', {
        query: { machine_serial: serialNumber, alias, bedrijf: organization },
      }),
    onSuccess: useInvalidateMachines(),
  });

export const useRestoreMachine = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/machine/restore', { body: { _id } }),
    onSuccess: useInvalidateMachines(),
  });
