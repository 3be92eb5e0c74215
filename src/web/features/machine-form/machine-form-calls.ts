import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { loggerHealthKey, MACHINES, machineKey } from '#web/machines/machine-keys.ts';

/** Whom a machine can belong to. Its key begins as every list of organizations does. */
export const useOwners = () =>
  useQuery({
    queryKey: ['organizations', 'electric'],
    queryFn: ({ signal }) => call('GET /api/organization/get/electric', { signal }),
  });

/** All machines: to compare with, and to import accessories from. */
export const useMachines = () =>
  useQuery({ queryKey: MACHINES, queryFn: ({ signal }) => call('GET /api/machine/get/all', { signal }) });

/** What every screen says of this machine is asked for again. Resolves once it is new, or could not be renewed. */
export function useRenewal(): (serial: string) => Promise<unknown> {
  const client = useQueryClient();
  return (serial) =>
    Promise.all(
      [MACHINES, machineKey(serial), loggerHealthKey(serial)].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
}

/** One that had the serial number before: with its history. */
export function useRestoreMachine() {
  const renew = useRenewal();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/machine/restore', { body: { _id } }),
    onSuccess: ({ serialNumber }) => renew(serialNumber),
  });
}
