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

/** Loads the present definition from the server, without the query cache. */
export const readDefinition = (serial: string, signal?: AbortSignal): Promise<DefinitionView> =>
  call('GET /api/machine/dbc/:serial', { params: { serial }, ...(signal && { signal }) });

export type DbcUpload = { readonly bus: number; readonly bitrate: number; readonly file: File };

export const useVersions = (serial: string) =>
  useQuery({
    queryKey: versionsKey(serial),
    queryFn: ({ signal }) => call('GET /api/machine/dbc/:serial/versions', { params: { serial }, signal }),
  });

/** J1939 sources in the stored log files; null while they are not loaded, and if the definition has no J1939. */
export function useSeenSources(serial: string, { version, buses }: DefinitionView): SeenSources | null {
  const isEnabled = buses.some(({ j1939 }) => j1939 !== 'none');
  const { redecoding } = useRedecoding(serial);
  const { data } = useQuery({
    // Decoding the log files again may show other sources.
    queryKey: ['seen-sources', serial, version, redecoding?.startedAt, redecoding?.state],
    queryFn: ({ signal }) => call('GET /api/machine/dbc/:serial/sources', { params: { serial }, signal }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  return data && data.files > 0 ? data : null;
}

const redecodingKey = (serial: string) => ['redecoding', serial] as const;
const isUnderWay = (redecoding: Redecoding | null | undefined): boolean =>
  redecoding?.state === 'waiting' || redecoding?.state === 'running';

/** The progress or result of decoding the log files again, polled while it runs. */
export function useRedecoding(serial: string) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: redecodingKey(serial),
    queryFn: ({ signal }) => call('GET /api/machine/dbc/:serial/redecode', { params: { serial }, signal }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.redecoding) ? POLL_MS : false),
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
const POLL_MS = 1_000;

/**
 * `ask`: return the changes, and store nothing if they would remove something. `version`: the version for which the user
 * confirmed the changes.
 */
type ChangeOptions = { readonly ask?: true; readonly version?: number };

export type DefinitionCalls = {
  readonly upload: (
    upload: DbcUpload,
    options: ChangeOptions,
    onProgress: (done: number) => void,
  ) => Promise<ChangedView>;
  readonly remove: (bus: number, options: ChangeOptions) => Promise<ChangedView>;
  /** With the choice 'some', `messages` are the identifiers of the J1939 messages. */
  readonly setJ1939: (
    bus: number,
    j1939: J1939Choice,
    messages: readonly string[],
    version: number,
  ) => Promise<ChangedView>;
  readonly restore: (restored: number, options: ChangeOptions) => Promise<ChangedView>;
  /** Rejects with code 'conflict' if the definition is no longer at `version`. */
  readonly save: (draft: MappingDraft, version: number) => Promise<DefinitionView>;
};

/** Returns the calls that change the definition. Each resolves with the new definition, and shows it on the whole page. */
export function useDefinitionCalls(serial: string): DefinitionCalls {
  const client = useQueryClient();
  return {
    upload: async ({ bus, bitrate, file }, options, onProgress) => {
      const body = { serial, name: file.name, bus, bitrate, file: await dataUrlOf(file), ...options };
      return changed(client, serial, () =>
        uploadWithProgress('POST /api/machine/dbc/upload', body, { onProgress }),
      );
    },
    remove: (bus, options) =>
      changed(client, serial, () =>
        call('POST /api/machine/dbc/delete', { body: { serial, bus, ...options } }),
      ),
    setJ1939: (bus, j1939, messages, version) =>
      changed(client, serial, () =>
        call('POST /api/machine/dbc/j1939', {
          body: { serial, bus, j1939, version, ...(j1939 === 'some' && { messages: [...messages] }) },
        }),
      ),
    restore: (restored, options) =>
      changed(client, serial, () =>
        call('POST /api/machine/dbc/restore', { body: { serial, restored, ...options } }),
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
  // A response from before the change must not overwrite it.
  await client.cancelQueries({ queryKey: definitionKey(serial) });
  const view = await work();
  if (view.changes) return view;
  client.setQueryData(definitionKey(serial), view);
  // The change makes the logger's configuration outdated.
  for (const queryKey of [versionsKey(serial), loggerHealthKey(serial), machineKey(serial)])
    void client.invalidateQueries({ queryKey });
  return view;
}
