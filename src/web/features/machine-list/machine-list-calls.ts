import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import { call } from '#web/lib/api.ts';
import { DELETED_MACHINES, MACHINES } from '#web/machines/machine-keys.ts';

/** The caller's machines, by brand and name; an administrator's are all. */
export const useMachines = () =>
  useQuery({ queryKey: MACHINES, queryFn: ({ signal }) => call('GET /api/machine/get/all', { signal }) });

/** For administrators, newest first. */
export const useDeletedMachines = () =>
  useQuery({
    queryKey: DELETED_MACHINES,
    queryFn: ({ signal }) => call('GET /api/machine/get/deleted', { signal }),
  });

/** Keys that loggers signed with and that are nobody's; for administrators. */
export const useUnknownKeys = () =>
  useQuery({
    queryKey: ['unknown-loggers'],
    queryFn: ({ signal }) => call('GET /api/machine/writer/unknown', { signal }),
  });

/** Machines that were sold and whose logger needs a new key; for administrators. */
export const useKeysToReplace = () =>
  useQuery({
    queryKey: ['keys-to-replace'],
    queryFn: ({ signal }) => call('GET /api/machine/writer/keys-to-replace', { signal }),
  });

/** Loggers that upload to a former address of the portal; for administrators. */
export const useOldAddresses = () =>
  useQuery({
    queryKey: ['old-addresses'],
    queryFn: ({ signal }) => call('GET /api/machine/writer/old-addresses', { signal }),
  });

/** Resolves once the lists are new as well, or could not be renewed, which they say themselves. */
function useRenewal(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: MACHINES });
}

/** With its name and organization: a list that is out of date deletes nothing else. */
export const useDeleteMachine = () =>
  useMutation({
    mutationFn: ({ serialNumber, alias, organization }: MachineListEntry) =>
      call('DELETE /api/machine/delete', {
        query: { machine_serial: serialNumber, alias, bedrijf: organization },
      }),
    onSuccess: useRenewal(),
  });

export const useRestoreMachine = () =>
  useMutation({
    mutationFn: (_id: number) => call('POST /api/machine/restore', { body: { _id } }),
    onSuccess: useRenewal(),
  });
