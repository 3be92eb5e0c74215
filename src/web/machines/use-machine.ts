import { useQuery } from '@tanstack/react-query';
import { read } from '#web/queries/read.ts';

/** Queries a machine's record. */
export const useMachine = (serial: string) =>
  useQuery(read('GET /api/machine/get/serial', { query: { serialNumber: serial } }));
