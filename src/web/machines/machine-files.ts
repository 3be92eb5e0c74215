/** The photo and manual of a machine, for its page and its form. */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { MachineFiles } from '#shared/contract/machine-files.ts';
import { call } from '#web/lib/api.ts';

const filesKey = (serial: string) => ['machine-files', serial] as const;

function useMachineFile<Kind extends keyof MachineFiles>(serial: string, kind: Kind) {
  return useQuery({
    queryKey: filesKey(serial),
    queryFn: ({ signal }) => call('GET /api/machine/files/:serial', { params: { serial }, signal }),
    select: (files: MachineFiles): MachineFiles[Kind] => files[kind],
  });
}

/** Queries the photo of a machine; null if it has none. */
export const usePhoto = (serial: string) => useMachineFile(serial, 'photo');

/** Queries the manual of a machine; null if it has none. */
export const useManual = (serial: string) => useMachineFile(serial, 'manual');

/** Shows an uploaded or deleted file at once, without another query (MEDIT-08). */
export function putMachineFiles(client: QueryClient, serial: string, changed: Partial<MachineFiles>): void {
  const known = client.getQueryData<MachineFiles>(filesKey(serial));
  if (known) client.setQueryData<MachineFiles>(filesKey(serial), { ...known, ...changed });
  else void client.invalidateQueries({ queryKey: filesKey(serial) });
}
