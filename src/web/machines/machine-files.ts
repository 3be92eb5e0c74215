/** Where a machine's photo and manual are, as its page and its form show them. */
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

/** null: the machine has none. */
export const usePhoto = (serial: string) => useMachineFile(serial, 'photo');

/** null: the machine has none. */
export const useManual = (serial: string) => useMachineFile(serial, 'manual');

/** What was just sent or removed is shown at once, without asking for it again (MEDIT-08). */
export function putMachineFiles(client: QueryClient, serial: string, changed: Partial<MachineFiles>): void {
  const known = client.getQueryData<MachineFiles>(filesKey(serial));
  if (known) client.setQueryData<MachineFiles>(filesKey(serial), { ...known, ...changed });
  else void client.invalidateQueries({ queryKey: filesKey(serial) });
}
