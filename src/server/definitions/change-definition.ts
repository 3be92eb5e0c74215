import { type AuditEntry, audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { invalidInputError, notFound, ProblemError } from '#server/platform/problem.ts';
import { clearContradiction, readContradictions } from '#server/streams/contradictions.ts';
import { currentWriter } from '#server/streams/current-writer.ts';
import { findStreamRow, lockStream } from '#server/streams/find-stream.ts';
import type { StreamKind } from '#server/streams/streams.store.ts';
import type {
  ChangedDefinitionView,
  Definition,
  DefinitionChange,
  DefinitionView,
} from '#shared/contract/definition.ts';
import type { J1939Scope } from '#shared/domain/j1939.ts';
import type { LogValues } from '#shared/domain/log-fields.ts';
import { contradictionText } from '#shared/domain/signal-contradiction.ts';
import { readDbcFile } from './dbc-file.ts';
import { type ComparedDefinition, definitionChanges } from './definition-changes.ts';
import type { ChangedDefinition } from './definition-tasks.ts';
import { DefinitionError, definitionThread } from './definition-thread.ts';
import {
  createDefinition,
  type DefinitionAuthor,
  definitionIdOf,
  readDefinition,
  readVersion,
  setNextDefinition,
  setWriterDefinition,
} from './definitions.store.ts';

const EMPTY: Definition = { buses: [], mapping: { signals: [], keep: [] } };

/**
 * Returns the present or last definition of a machine or LMB logger; version 0 if it has none.
 * @throws ProblemError 404
 */
export async function readDefinitionView(db: Database, serial: string): Promise<DefinitionView> {
  const { id, kind } = await findStreamRow(db, serial);
  const definitionId = await definitionIdOf(db, id);
  const definition = definitionId === undefined ? EMPTY : await readDefinition(db, definitionId);
  const view = await definitionThread.run('view', { version: definitionId ?? 0, definition, kind });
  // Administrators, who change definitions, see the history of each owner.
  const asked = [{ streamId: id, ownedSince: Number.NEGATIVE_INFINITY }];
  const found = (await readContradictions(db, asked)).get(id);
  if (!found) return view;
  const { signal, factor, offset } = found;
  return { ...view, contradiction: { signal, factor, offset, text: contradictionText(found) } };
}

/** The definition that a call expects to change. */
type CurrentRequest = {
  /** true: do not store anything, but return what would change. */
  readonly ask?: boolean | undefined;
  /** The version that the caller saw; the call is rejected if the definition has changed since. */
  readonly version?: number | undefined;
};

type Upload = CurrentRequest & {
  readonly serial: string;
  readonly name: string;
  readonly file: string;
  readonly bus: number;
  readonly bitrate: number;
  readonly j1939?: J1939Scope | undefined;
};

/**
 * Replaces the DBC of a bus. Mappings stay if their signal is still in the file, and signals with the portal's names are mapped
 * immediately (MEDIT-12). A change without a loss is stored without asking the person.
 * @throws ProblemError 400 for an unusable DBC, 404, 409 if changed since
 */
export function uploadDbc(pool: Pool, actor: string, upload: Upload): Promise<ChangedDefinitionView> {
  const { bus, bitrate, version } = upload;
  const { name, text } = readDbcFile(upload.name, upload.file);
  const { j1939 } = upload;
  const added = { bus, bitrate, name, dbc: text, ...(j1939 && { j1939 }) };
  const entry = { action: 'dbc.upload', data: { bus, bitrate, name } } as const;
  const asking = { ask: upload.ask ? ('about a loss' as const) : undefined, version };
  return changeDefinition(pool, { actor, serial: upload.serial, entry, asking }, ({ definition, kind }) =>
    definitionThread.run('upload', { definition, kind, added }),
  );
}

/**
 * Chooses which messages of a bus are J1939.
 * @throws ProblemError 400, 404, 409 if changed since
 */
export function setJ1939(
  pool: Pool,
  actor: string,
  {
    serial,
    bus,
    j1939,
    messages = [],
    version,
  }: {
    serial: string;
    bus: number;
    j1939: J1939Scope;
    messages?: readonly string[] | undefined;
    version?: number | undefined;
  },
): Promise<DefinitionView> {
  const chosen = { j1939, j1939Messages: j1939 === 'some' ? [...new Set(messages)] : [] };
  const entry = { action: 'dbc.j1939', data: { bus, j1939 } } as const;
  return changeDefinition(pool, { actor, serial, entry, asking: { version } }, ({ definition, kind }) =>
    definitionThread.run('j1939', { definition, kind, bus, ...chosen }),
  );
}

/**
 * Sets the mapping.
 * @throws ProblemError 400 if it cannot be decoded, 404, 409 without a DBC or if changed since
 */
export function setMapping(
  pool: Pool,
  actor: string,
  { serial, mapping, version }: { serial: string; mapping: unknown; version?: number | undefined },
): Promise<DefinitionView> {
  const entry = { action: 'dbc.mapping', data: {} } as const;
  return changeDefinition(pool, { actor, serial, entry, asking: { version } }, async (known) => {
    if (known.definition.buses.length === 0)
      throw new ProblemError('conflict', 'Upload eerst een DBC-bestand.');
    return definitionThread.run('mapping', { definition: known.definition, kind: known.kind, mapping });
  });
}

/**
 * Removes the DBC of one bus or all buses, with its mappings.
 * @throws ProblemError 404, 409 if changed since
 */
export function deleteDbc(
  pool: Pool,
  actor: string,
  { serial, bus, ask, version }: CurrentRequest & { serial: string; bus?: number | undefined },
): Promise<ChangedDefinitionView> {
  const entry = { action: 'dbc.delete', data: { bus: bus ?? 'alle' } } as const;
  const asking = { ask: ask ? ('always' as const) : undefined, version };
  return changeDefinition(pool, { actor, serial, entry, asking }, ({ definition, kind }) =>
    definitionThread.run('delete', { definition, kind, bus }),
  );
}

/**
 * Restores an earlier version as a new one.
 * @throws ProblemError 404, 409 if changed since
 */
export async function restoreDefinition(
  pool: Pool,
  actor: string,
  { serial, restored, ask, version }: CurrentRequest & { serial: string; restored: number },
): Promise<ChangedDefinitionView> {
  const entry = { action: 'dbc.restore', data: { restored } } as const;
  const asking = { ask: ask ? ('always' as const) : undefined, version };
  return changeDefinition(pool, { actor, serial, entry, asking }, async ({ streamId, kind }) => {
    const definition = await readVersion(pool, streamId, restored);
    if (!definition) throw notFound('Deze versie bestaat niet.');
    return definitionThread.run('restore', { definition, kind });
  });
}

const changedMeanwhile = (): ProblemError =>
  new ProblemError(
    'conflict',
    'Iemand anders heeft de koppeling intussen gewijzigd. Laad de pagina opnieuw.',
  );

/** Maximum number of changes that the row in the audit log lists; the list of versions (versions.ts) shows all. */
const MAX_LISTED = 30;

type Entry = { readonly action: AuditEntry['action']; readonly data: LogValues };
type Request = {
  readonly actor: string;
  readonly serial: string;
  readonly entry: Entry;
  readonly asking: { readonly ask?: 'always' | 'about a loss' | undefined } & Pick<CurrentRequest, 'version'>;
};
type Known = {
  readonly version: number;
  readonly streamId: number;
  readonly kind: StreamKind;
  readonly definition: Definition;
};

/** Maximum number of attempts at a change, if other changes are stored in between; more attempts are needed only under an attack. */
const MAX_TRIES = 5;

/**
 * Stores one new definition per change, with its audit row: for the bound logger from now on or, if none is bound, for the next one. The
 * change is computed before the transaction, from an immutable definition, so that no lock and no connection waits for the worker thread.
 */
async function changeDefinition(
  pool: Pool,
  request: Request,
  change: (known: Known) => Promise<ChangedDefinition>,
): Promise<ChangedDefinitionView> {
  const { serial, asking } = request;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { id: streamId, kind } = await findStreamRow(pool, serial);
    const version = await versionOf(pool, streamId);
    if (asking.version !== undefined && asking.version !== version) throw changedMeanwhile();
    const definition = version === 0 ? EMPTY : await readDefinition(pool, version);
    const changed = await orInvalid(change({ version, streamId, kind, definition }));
    const changes = definitionChanges(compared(definition), compared(changed.definition));
    const isAsked = asking.ask === 'always' || (asking.ask && changes.some(({ isLoss }) => isLoss));
    if (isAsked) return { ...changed.view, version, changes };
    const stored = await storeChange(pool, request, version, changed, changes);
    if (stored) {
      await clearContradiction(pool, streamId);
      return stored;
    }
  }
  throw changedMeanwhile();
}

const compared = ({ buses, mapping }: Definition): ComparedDefinition => ({
  buses: buses.map(({ dbc, ...bus }) => ({ ...bus, content: dbc })),
  mapping,
});

/** Returns the id of the definition that a change starts from; 0 for none. */
async function versionOf(db: Database, streamId: number): Promise<number> {
  const writer = await currentWriter(db, streamId);
  return (writer ? writer.definitionId : await definitionIdOf(db, streamId)) ?? 0;
}

/**
 * Stores a change.
 * @returns undefined if the stream's definition has changed since the change was computed
 */
function storeChange(
  pool: Pool,
  { actor, serial, entry: { action, data } }: Request,
  before: number,
  { definition, view }: ChangedDefinition,
  changes: readonly DefinitionChange[],
): Promise<DefinitionView | undefined> {
  return inTransaction(pool, async (client) => {
    const stream = await lockStream(client, serial);
    if ((await versionOf(client, stream.id)) !== before) return undefined;
    const writer = await currentWriter(client, stream.id);
    const version = await storeAs(client, { streamId: stream.id, madeBy: actor }, writer?.id, definition);
    const listed = changes.slice(0, MAX_LISTED).map(({ text }) => text);
    const entry = { actor, action, subject: stream.serial, streamId: stream.id } as const;
    await audit(client, {
      ...entry,
      data: { ...data, changes: listed },
      before: { version: before },
      after: { version },
    });
    return { ...view, version };
  });
}

/**
 * Sets a definition for the present writer (binding of a logger) or, if there is none, for the next. An empty definition is a version
 * too: the next writer then gets it instead of the last writer's definition, and a present writer has no definition.
 */
async function storeAs(
  db: Transaction,
  origin: DefinitionAuthor,
  writerId: number | undefined,
  definition: Definition,
): Promise<number> {
  const id = await createDefinition(db, origin, definition);
  if (writerId === undefined) {
    await setNextDefinition(db, origin.streamId, id);
    return id;
  }
  const used = definition.buses.length === 0 ? undefined : id;
  await setWriterDefinition(db, writerId, used);
  return used ?? 0;
}

/**
 * Turns an unreadable definition into a rejected request.
 * @throws ProblemError 400 if reading takes too long or too much memory
 */
async function orInvalid<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DefinitionError && error.kind !== 'unreadable')
      throw invalidInputError(error.message);
    throw error;
  }
}
