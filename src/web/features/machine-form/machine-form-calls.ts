import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { loggerHealthKey, MACHINES, machineKey } from '#web/machines/machine-keys.ts';

/** The organizations that a machine can belong to. Its key shares the prefix of all lists of organizations. */
export const useOwners = () =>
  useQuery({
    queryKey: ['organizations', 'electric'],
    queryFn: ({ signal }) => call('GET /api/organization/get/electric', { signal }),
  });

/** All machines, as reference machines and to import accessories from. */
export const useMachines = () =>
  useQuery({ queryKey: MACHINES, queryFn: ({ signal }) => call('GET /api/machine/get/all', { signal }) });

/** Reloads what all screens show of a machine. Resolves also if that fails. */
export function useInvalidateMachine(): (serial: string) => Promise<unknown> {
  const client = useQueryClient();
  return (serial) =>
    Promise.all(
      [MACHINES, machineKey(serial), loggerHealthKey(serial)].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
}

/** Restores a deleted machine with its history. */
export function useRestoreMachine() {
  const renew = useInvalidateMachine();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/machine/restore', { body: { _id } }),
    onSuccess: ({ serialNumber }) => renew(serialNumber),
  });
}
