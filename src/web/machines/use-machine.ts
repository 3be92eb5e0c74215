import { useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';

/** Queries a machine's record. */
export const useMachine = (serial: string) =>
  useQuery(readQuery('GET /api/machine/get/serial', { query: { serialNumber: serial } }));
