/** The photo and manual of a machine, for its page and its form. */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { MachineFiles } from '#shared/contract/machine-files.ts';
import { readQuery } from '#web/queries/read.ts';

const filesOf = (serial: string) => readQuery('GET /api/machine/files/:serial', { params: { serial } });

function useMachineFile<Kind extends keyof MachineFiles>(serial: string, kind: Kind) {
  return useQuery({
    ...filesOf(serial),
    select: (files: MachineFiles): MachineFiles[Kind] => files[kind],
  });
}

/** Queries the photo of a machine; null if it has none. */
export const usePhoto = (serial: string) => useMachineFile(serial, 'photo');

/** Queries the manual of a machine; null if it has none. */
export const useManual = (serial: string) => useMachineFile(serial, 'manual');

/** Shows an uploaded or deleted file at once, without another query (MEDIT-08). */
export function updateCachedMachineFiles(
  client: QueryClient,
  serial: string,
  changed: Partial<MachineFiles>,
): void {
  const { queryKey } = filesOf(serial);
  const known = client.getQueryData(queryKey);
  if (known) client.setQueryData(queryKey, { ...known, ...changed });
  else void client.invalidateQueries({ queryKey });
}
