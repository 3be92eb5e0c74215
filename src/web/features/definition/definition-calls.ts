import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangedView, DefinitionView, Redecoding, SeenSources } from '#shared/contract/definition.ts';
import type { J1939Choice } from '#shared/domain/j1939.ts';
import { call } from '#web/lib/api.ts';
import { dataUrlOf, uploadWithProgress } from '#web/lib/upload.ts';
import { definitionKey, loggerHealthKey, machineKey } from '#web/machines/machine-keys.ts';
import { type MappingDraft, mappingOf } from './mapping-draft.ts';

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

/** J1939 sources in the stored log files; null while they are not known, or the definition has no J1939. */
export function useSeenSources(serial: string, { version, buses }: DefinitionView): SeenSources | null {
  const isAsked = buses.some(({ j1939 }) => j1939 !== 'none');
  const { redecoding } = useRedecoding(serial);
  const { data } = useQuery({
    // Decoding again shows other senders.
    queryKey: ['seen-sources', serial, version, redecoding?.startedAt, redecoding?.state],
    queryFn: ({ signal }) => call('GET /api/machine/dbc/:serial/sources', { params: { serial }, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return data && data.files > 0 ? data : null;
}

const redecodingKey = (serial: string) => ['redecoding', serial] as const;
const isUnderWay = (redecoding: Redecoding | null | undefined): boolean =>
  redecoding?.state === 'waiting' || redecoding?.state === 'running';

/** How decoding the log files again is getting on, or what it did last; followed while it is under way. */
export function useRedecoding(serial: string) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: redecodingKey(serial),
    queryFn: ({ signal }) => call('GET /api/machine/dbc/:serial/redecode', { params: { serial }, signal }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.redecoding) ? FOLLOW_MS : false),
  });
  const redecoding = query.data?.redecoding ?? null;
  return {
    query,
    redecoding,
    isUnderWay: isUnderWay(redecoding),
    begin: async (preview: boolean, from: string | undefined): Promise<void> => {
      const body = { serial, preview, ...(from !== undefined && { from }) };
      const answer = await call('POST /api/machine/dbc/redecode', { body });
      await client.cancelQueries({ queryKey: redecodingKey(serial) });
      client.setQueryData(redecodingKey(serial), answer);
    },
  };
}
const FOLLOW_MS = 1_000;

/** `ask`: tell what would change, and store nothing where something goes. `version`: what was asked about. */
type Asking = { readonly ask?: true; readonly version?: number };

export type DefinitionCalls = {
  readonly upload: (
    upload: DbcUpload,
    asking: Asking,
    onProgress: (done: number) => void,
  ) => Promise<ChangedView>;
  readonly remove: (bus: number, asking: Asking) => Promise<ChangedView>;
  /** `messages`: identifiers of those that are J1939, with the choice 'some'. */
  readonly setJ1939: (
    bus: number,
    j1939: J1939Choice,
    messages: readonly string[],
    version: number,
  ) => Promise<ChangedView>;
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
    setJ1939: (bus, j1939, messages, version) =>
      changed(client, serial, () =>
        call('POST /api/machine/dbc/j1939', {
          body: { serial, bus, j1939, version, ...(j1939 === 'some' && { messages: [...messages] }) },
        }),
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
