import { useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { machineKey } from './machine-keys.ts';

/** Queries a machine's record. */
export const useMachine = (serial: string) =>
  useQuery({
    queryKey: machineKey(serial),
    queryFn: ({ signal }) => call('GET /api/machine/get/serial', { query: { serialNumber: serial }, signal }),
  });
