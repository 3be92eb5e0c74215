import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { invalid, ProblemError } from '#server/platform/problem.ts';
import { currentWriter } from '#server/streams/current-writer.ts';
import { findStreamRow, lockStream, type StreamRow } from '#server/streams/find-stream.ts';
import type { StreamKind } from '#server/streams/streams.store.ts';
import type { Definition, DefinitionView } from '#shared/contract/definition.ts';
import { readDbcFile } from './dbc-file.ts';
import type { ChangedDefinition } from './definition-tasks.ts';
import { DefinitionError, definitionThread } from './definition-thread.ts';
import {
  createDefinition,
  definitionIdOf,
  readDefinition,
  setDefinition,
  setNextDefinition,
} from './definitions.store.ts';

const EMPTY: Definition = { buses: [], mapping: { signals: [], keep: [] } };

/** The definition of a machine or LMB logger, present or last; version 0 without one. @throws ProblemError 404 */
export async function showDefinition(db: Database, serial: string): Promise<DefinitionView> {
  const { id, kind } = await findStreamRow(db, serial);
  const definitionId = await definitionIdOf(db, id);
  const definition = definitionId === undefined ? EMPTY : await readDefinition(db, definitionId);
  return definitionThread.run('view', { version: definitionId ?? 0, definition, kind });
}

type Upload = {
  readonly serial: string;
  readonly name: string;
  readonly file: string;
  readonly bus: number;
  readonly bitrate: number;
};

/**
 * Puts a DBC in the place of a bus's: what was mapped stays where its signal is still there, and signals with our
 * names are mapped at once (MEDIT-12). @throws ProblemError 400 no usable DBC, 404
 */
export function uploadDbc(pool: Pool, actor: string, upload: Upload): Promise<DefinitionView> {
  const { bus, bitrate } = upload;
  const { name, text } = readDbcFile(upload.name, upload.file);
  const added = { bus, bitrate, name, dbc: text };
  const entry = { action: 'dbc.upload', data: { bus, bitrate, name } };
  return changeDefinition(pool, actor, upload.serial, entry, ({ definition, kind }) =>
    definitionThread.run('upload', { definition, kind, added }),
  );
}

/** Sets the mapping. @throws ProblemError 400 what cannot be decoded so, 404, 409 no DBC, changed since */
export function setMapping(
  pool: Pool,
  actor: string,
  { serial, mapping, version }: { serial: string; mapping: unknown; version?: number | undefined },
): Promise<DefinitionView> {
  const entry = { action: 'dbc.mapping', data: { mapping } };
  return changeDefinition(pool, actor, serial, entry, async (known) => {
    if (version !== undefined && version !== known.version) throw changedMeanwhile();
    if (known.definition.buses.length === 0)
      throw new ProblemError('conflict', 'Upload eerst een DBC-bestand.');
    return definitionThread.run('mapping', { definition: known.definition, kind: known.kind, mapping });
  });
}

/** Removes one bus's DBC, or all of them, with what was mapped from it. @throws ProblemError 404 */
export function deleteDbc(
  pool: Pool,
  actor: string,
  serial: string,
  bus: number | undefined,
): Promise<DefinitionView> {
  const entry = { action: 'dbc.delete', data: { bus: bus ?? 'all' } };
  return changeDefinition(pool, actor, serial, entry, ({ definition, kind }) =>
    definitionThread.run('delete', { definition, kind, bus }),
  );
}

const changedMeanwhile = (): ProblemError =>
  new ProblemError(
    'conflict',
    'Iemand anders heeft de koppeling intussen gewijzigd. Laad de pagina opnieuw.',
  );

type Entry = { readonly action: string; readonly data: Record<string, unknown> };
type Known = { readonly version: number; readonly kind: StreamKind; readonly definition: Definition };

/** Who is overtaken by another's change tries again on top of it; so often only where somebody means harm. */
const MOST_TRIES = 5;

/**
 * One new definition per change, with its audit row; the present writer's from then on, or the next one's. The change
 * is worked out first, on a definition that never changes itself: no lock and no connection waits for the thread.
 */
async function changeDefinition(
  pool: Pool,
  actor: string,
  serial: string,
  entry: Entry,
  change: (known: Known) => Promise<ChangedDefinition>,
): Promise<DefinitionView> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { id, kind } = await findStreamRow(pool, serial);
    const version = await versionOf(pool, id);
    const definition = version === 0 ? EMPTY : await readDefinition(pool, version);
    const changed = await orInvalid(change({ version, kind, definition }));
    const stored = await storeChange(pool, actor, serial, entry, version, changed);
    if (stored) return stored;
  }
  throw changedMeanwhile();
}

/** The id of the definition that a change starts from; 0 for none. */
async function versionOf(db: Database, streamId: number): Promise<number> {
  const writer = await currentWriter(db, streamId);
  return (writer ? writer.definitionId : await definitionIdOf(db, streamId)) ?? 0;
}

/** @returns undefined when the definition is not the one any more that the change started from */
function storeChange(
  pool: Pool,
  actor: string,
  serial: string,
  { action, data }: Entry,
  before: number,
  { definition, view }: ChangedDefinition,
): Promise<DefinitionView | undefined> {
  return inTransaction(pool, async (client) => {
    const stream = await lockStream(client, serial);
    if ((await versionOf(client, stream.id)) !== before) return undefined;
    const version = await storeAs(client, stream, (await currentWriter(client, stream.id))?.id, definition);
    await audit(client, { actor, action, subject: stream.serial, data: { ...data, before, version } });
    return { ...view, version };
  });
}

/** For the present writer or, without one, for the next; there an empty one too, so that the last writer's is not used. */
async function storeAs(
  db: Transaction,
  { id: streamId }: StreamRow,
  writerId: number | undefined,
  definition: Definition,
): Promise<number> {
  const isEmpty = definition.buses.length === 0;
  if (writerId === undefined) {
    const id = await createDefinition(db, streamId, definition);
    await setNextDefinition(db, streamId, id);
    return id;
  }
  const id = isEmpty ? undefined : await createDefinition(db, streamId, definition);
  await setDefinition(db, writerId, id);
  return id ?? 0;
}

/** @throws ProblemError 400 when it takes too long to read, or too much memory */
async function orInvalid<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DefinitionError && error.kind !== 'unreadable') throw invalid(error.message);
    throw error;
  }
}
