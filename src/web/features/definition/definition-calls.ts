import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DefinitionView } from '#shared/contract/definition.ts';
import { call } from '#web/lib/api.ts';
import { dataUrlOf, uploadWithProgress } from '#web/lib/upload.ts';
import { loggerHealthKey, machineKey } from '#web/machines/machine-keys.ts';
import { type MappingDraft, mappingOf } from './mapping-draft.ts';

const definitionKey = (serial: string) => ['definition', serial] as const;

/** The definition of a machine by its serial number, or of an LMB logger by its loggerid. */
export const useDefinition = (serial: string) =>
  useQuery({
    queryKey: definitionKey(serial),
    queryFn: ({ signal }) => readDefinition(serial, signal),
  });

/** As it is now, past what is remembered. */
export const readDefinition = (serial: string, signal?: AbortSignal): Promise<DefinitionView> =>
  call('GET /api/machine/dbc/:serial', { params: { serial }, ...(signal && { signal }) });

export type DbcUpload = { readonly bus: number; readonly bitrate: number; readonly file: File };

export type DefinitionCalls = {
  readonly upload: (upload: DbcUpload, onProgress: (done: number) => void) => Promise<DefinitionView>;
  readonly remove: (bus: number) => Promise<DefinitionView>;
  /** Rejects with a conflict when the definition is no longer `version`. */
  readonly save: (draft: MappingDraft, version: number) => Promise<DefinitionView>;
};

/** Each resolves with the definition as it is then, which the whole page shows from then on. */
export function useDefinitionCalls(serial: string): DefinitionCalls {
  const client = useQueryClient();
  return {
    upload: async ({ bus, bitrate, file }, onProgress) => {
      const body = { serial, name: file.name, bus, bitrate, file: await dataUrlOf(file) };
      return changed(client, serial, () =>
        uploadWithProgress('POST /api/machine/dbc/upload', body, { onProgress }),
      );
    },
    remove: (bus) =>
      changed(client, serial, () => call('POST /api/machine/dbc/delete', { body: { serial, bus } })),
    save: (draft, version) =>
      changed(client, serial, () =>
        call('POST /api/machine/dbc/mapping', { body: { serial, version, mapping: mappingOf(draft) } }),
      ),
  };
}

async function changed(
  client: QueryClient,
  serial: string,
  work: () => Promise<DefinitionView>,
): Promise<DefinitionView> {
  // An answer from before the change must not come after it.
  await client.cancelQueries({ queryKey: definitionKey(serial) });
  const view = await work();
  client.setQueryData(definitionKey(serial), view);
  // The logger's configuration is outdated now.
  void client.invalidateQueries({ queryKey: loggerHealthKey(serial) });
  void client.invalidateQueries({ queryKey: machineKey(serial) });
  return view;
}
