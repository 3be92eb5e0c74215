import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ChangedDefinitionView,
  DefinitionView,
  Redecoding,
  SeenJ1939Sources,
} from '#shared/contract/definition.ts';
import type { J1939Scope } from '#shared/domain/j1939.ts';
import { callApi } from '#web/lib/api.ts';
import { dataUrlOf, uploadWithProgress } from '#web/lib/upload.ts';
import { deriveQuery, readQuery } from '#web/queries/read.ts';
import { refreshQueries } from '#web/queries/use-change.ts';
import { type MappingDraft, mappingOf } from './mapping-draft.ts';

/** Query of the data definition of a machine or LMB logger. @param serial a machine's serial number or an LMB logger's loggerid */
export const definitionQuery = (serial: string) =>
  readQuery('GET /api/machine/dbc/:serial', { params: { serial } });

/** Loads the present definition from the server, without the query cache. */
export const readDefinition = (serial: string, signal?: AbortSignal): Promise<DefinitionView> =>
  callApi('GET /api/machine/dbc/:serial', { params: { serial }, ...(signal && { signal }) });

export type DbcUpload = { readonly bus: number; readonly bitrate: number; readonly file: File };

/**
 * J1939 source addresses found in the stored log files; null while they are not loaded, if there are no log files,
 * and if the definition has no J1939.
 */
export function useSeenSources(serial: string, { version, buses }: DefinitionView): SeenJ1939Sources | null {
  const isEnabled = buses.some(({ j1939 }) => j1939 !== 'none');
  const { redecoding } = useRedecoding(serial);
  const { data } = useQuery({
    // Loads the addresses again when a redecoding starts or ends, because decoding the log files again may find other ones.
    ...deriveQuery(
      'GET /api/machine/dbc/:serial/sources',
      [serial, version, redecoding?.startedAt, redecoding?.state],
      (signal) => callApi('GET /api/machine/dbc/:serial/sources', { params: { serial }, signal }),
    ),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  return data && data.files > 0 ? data : null;
}

const redecodingOf = (serial: string) =>
  readQuery('GET /api/machine/dbc/:serial/redecode', { params: { serial } });
const isUnderWay = (redecoding: Redecoding | null | undefined): boolean =>
  redecoding?.state === 'waiting' || redecoding?.state === 'running';

/** The progress or result of decoding the log files again, polled while it runs. */
export function useRedecoding(serial: string) {
  const client = useQueryClient();
  const query = useQuery({
    ...redecodingOf(serial),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.redecoding) ? POLL_MS : false),
  });
  const redecoding = query.data?.redecoding ?? null;
  return {
    query,
    redecoding,
    isUnderWay: isUnderWay(redecoding),
    begin: async (preview: boolean, from: string | undefined): Promise<void> => {
      const body = { serial, preview, ...(from !== undefined && { from }) };
      const answer = await callApi('POST /api/machine/dbc/redecode', { body });
      await client.cancelQueries(redecodingOf(serial));
      client.setQueryData(redecodingOf(serial).queryKey, answer);
    },
  };
}
const POLL_MS = 1_000;

/**
 * `ask`: if the call would remove something, it stores nothing and returns what it would change. `version`: the version of the
 * definition for which the user confirmed the changes.
 */
type ChangeOptions = { readonly ask?: true; readonly version?: number };

export type DefinitionCalls = {
  readonly upload: (
    upload: DbcUpload,
    options: ChangeOptions,
    onProgress: (done: number) => void,
  ) => Promise<ChangedDefinitionView>;
  readonly remove: (bus: number, options: ChangeOptions) => Promise<ChangedDefinitionView>;
  /** With the choice 'some', `messages` are the identifiers of the J1939 messages. */
  readonly setJ1939: (
    bus: number,
    j1939: J1939Scope,
    messages: readonly string[],
    version: number,
  ) => Promise<ChangedDefinitionView>;
  readonly restore: (restored: number, options: ChangeOptions) => Promise<ChangedDefinitionView>;
  /** Rejects with code 'conflict' if the definition is no longer at `version`. */
  readonly save: (draft: MappingDraft, version: number) => Promise<DefinitionView>;
};

/** Returns the calls that change the definition. Each resolves with the new definition, and shows it everywhere on the page. */
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
        callApi('POST /api/machine/dbc/delete', { body: { serial, bus, ...options } }),
      ),
    setJ1939: (bus, j1939, messages, version) =>
      changed(client, serial, () =>
        callApi('POST /api/machine/dbc/j1939', {
          body: { serial, bus, j1939, version, ...(j1939 === 'some' && { messages: [...messages] }) },
        }),
      ),
    restore: (restored, options) =>
      changed(client, serial, () =>
        callApi('POST /api/machine/dbc/restore', { body: { serial, restored, ...options } }),
      ),
    save: (draft, version) =>
      changed(client, serial, () =>
        callApi('POST /api/machine/dbc/mapping', { body: { serial, version, mapping: mappingOf(draft) } }),
      ),
  };
}

async function changed(
  client: QueryClient,
  serial: string,
  work: () => Promise<ChangedDefinitionView>,
): Promise<ChangedDefinitionView> {
  // Cancels a running query of the definition: its response, from before the change, must not overwrite the result of the change.
  const { queryKey } = definitionQuery(serial);
  await client.cancelQueries({ queryKey });
  const view = await work();
  if (view.changes) return view;
  client.setQueryData(queryKey, view);
  void refreshQueries(client, 'POST /api/machine/dbc/mapping');
  return view;
}
