import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangedView, DefinitionView } from '#shared/contract/definition.ts';
import { call } from '#web/lib/api.ts';
import { dataUrlOf, uploadWithProgress } from '#web/lib/upload.ts';
import { loggerHealthKey, machineKey } from '#web/machines/machine-keys.ts';
import { type MappingDraft, mappingOf } from './mapping-draft.ts';

const definitionKey = (serial: string) => ['definition', serial] as const;
const versionsKey = (serial: string) => ['definition-versions', serial] as const;

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

export const useVersions = (serial: string) =>
  useQuery({
    queryKey: versionsKey(serial),
    queryFn: ({ signal }) => call('GET /api/machine/dbc/:serial/versions', { params: { serial }, signal }),
  });

/** `ask`: tell what would change, and store nothing where something goes. `version`: what was asked about. */
type Asking = { readonly ask?: true; readonly version?: number };

export type DefinitionCalls = {
  readonly upload: (
    upload: DbcUpload,
    asking: Asking,
    onProgress: (done: number) => void,
  ) => Promise<ChangedView>;
  readonly remove: (bus: number, asking: Asking) => Promise<ChangedView>;
  readonly restore: (restored: number, asking: Asking) => Promise<ChangedView>;
  /** Rejects with a conflict when the definition is no longer `version`. */
  readonly save: (draft: MappingDraft, version: number) => Promise<DefinitionView>;
};

/** Each resolves with the definition as it is then, which the whole page shows from then on. */
export function useDefinitionCalls(serial: string): DefinitionCalls {
  const client = useQueryClient();
  return {
    upload: async ({ bus, bitrate, file }, asking, onProgress) => {
      const body = { serial, name: file.name, bus, bitrate, file: await dataUrlOf(file), ...asking };
      return changed(client, serial, () =>
        uploadWithProgress('POST /api/machine/dbc/upload', body, { onProgress }),
      );
    },
    remove: (bus, asking) =>
      changed(client, serial, () =>
        call('POST /api/machine/dbc/delete', { body: { serial, bus, ...asking } }),
      ),
    restore: (restored, asking) =>
      changed(client, serial, () =>
        call('POST /api/machine/dbc/restore', { body: { serial, restored, ...asking } }),
      ),
    save: (draft, version) =>
      changed(client, serial, () =>
        call('POST /api/machine/dbc/mapping', { body: { serial, version, mapping: mappingOf(draft) } }),
      ),
  };
}

async function changed(
  client: QueryClient,
  serial: string,
  work: () => Promise<ChangedView>,
): Promise<ChangedView> {
  // An answer from before the change must not come after it.
  await client.cancelQueries({ queryKey: definitionKey(serial) });
  const view = await work();
  if (view.changes) return view;
  client.setQueryData(definitionKey(serial), view);
  // The logger's configuration is outdated now.
  for (const queryKey of [versionsKey(serial), loggerHealthKey(serial), machineKey(serial)])
    void client.invalidateQueries({ queryKey });
  return view;
}
