import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { invalid, notFound, ProblemError } from '#server/platform/problem.ts';
import { currentWriter } from '#server/streams/current-writer.ts';
import { findStreamRow, lockStream, type StreamRow } from '#server/streams/find-stream.ts';
import type { Dbc } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import { MappingError, parseMapping } from '#server/telemetry/decode/mapping.ts';
import { type Dbcs, keptTargets, mappedTargets } from '#server/telemetry/decode/mapping-targets.ts';
import type { Definition, DefinitionView, Mapping } from '#shared/contract/definition.ts';
import { readDbcFile } from './dbc-file.ts';
import { viewOf } from './definition-view.ts';
import {
  createDefinition,
  definitionIdOf,
  readDefinition,
  setDefinition,
  setNextDefinition,
} from './definitions.store.ts';
import { carryOver, equallyNamed } from './mapping-changes.ts';

const EMPTY: Definition = { buses: [], mapping: { signals: [], keep: [] } };

const dbcsOf = ({ buses }: Definition): Dbcs =>
  new Map(buses.map(({ bus, name, dbc }) => [bus, parseDbc(dbc, name)]));

/** The definition of a machine or LMB logger, present or last; version 0 without one. @throws ProblemError 404 */
export async function showDefinition(db: Database, serial: string): Promise<DefinitionView> {
  const { id } = await findStreamRow(db, serial);
  const definitionId = await definitionIdOf(db, id);
  const definition = definitionId === undefined ? EMPTY : await readDefinition(db, definitionId);
  return viewOf(definitionId ?? 0, definition, dbcsOf(definition));
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
export async function uploadDbc(pool: Pool, actor: string, upload: Upload): Promise<DefinitionView> {
  const { bus, bitrate } = upload;
  const { name, text, dbc } = readDbcFile(upload.name, upload.file);
  const data = { bus, bitrate, name };
  return changeDefinition(
    pool,
    actor,
    upload.serial,
    { action: 'dbc.upload', data },
    ({ definition, dbcs }) => {
      const buses = definition.buses.filter((other) => other.bus !== bus);
      buses.push({ bus, bitrate, name, dbc: text });
      buses.sort((a, b) => a.bus - b.bus);
      const after: Dbcs = new Map(
        buses.map((one) => [one.bus, one.bus === bus ? dbc : (dbcs.get(one.bus) as Dbc)]),
      );
      const { mapping, dropped } = carryOver(definition.mapping, dbcs, after);
      const added = { signals: [...mapping.signals, ...equallyNamed(mapping, bus, dbc)], keep: mapping.keep };
      // A message that is kept may hold a signal of the same name; then the person decides.
      const clear = isClear(added, after);
      return {
        definition: { buses, mapping: clear ? added : mapping },
        dbcs: after,
        notes: new Map([[bus, dropped]]),
      };
    },
  );
}

/** Sets the mapping. @throws ProblemError 400 what cannot be decoded so, 404, 409 no DBC, changed since */
export function setMapping(
  pool: Pool,
  actor: string,
  { serial, mapping, version }: { serial: string; mapping: unknown; version?: number | undefined },
): Promise<DefinitionView> {
  return changeDefinition(pool, actor, serial, { action: 'dbc.mapping', data: { mapping } }, (known) => {
    if (version !== undefined && version !== known.version) {
      throw new ProblemError(
        'conflict',
        'Iemand anders heeft de koppeling intussen gewijzigd. Laad de pagina opnieuw.',
      );
    }
    if (known.definition.buses.length === 0)
      throw new ProblemError('conflict', 'Upload eerst een DBC-bestand.');
    const definition = { buses: known.definition.buses, mapping: orInvalid(() => parseMapping(mapping)) };
    const flat = definition.mapping.signals.find(({ factor }) => factor === 0);
    if (flat) throw invalid(`De factor van ${flat.signal} mag niet 0 zijn.`);
    return { definition, dbcs: known.dbcs };
  });
}

/** Removes one bus's DBC, or all of them, with what was mapped from it. @throws ProblemError 404 */
export function deleteDbc(
  pool: Pool,
  actor: string,
  serial: string,
  bus: number | undefined,
): Promise<DefinitionView> {
  return changeDefinition(
    pool,
    actor,
    serial,
    { action: 'dbc.delete', data: { bus: bus ?? 'all' } },
    (known) => {
      if (bus !== undefined && !known.dbcs.has(bus)) throw notFound(`Bus can${bus} heeft geen DBC-bestand.`);
      const buses = known.definition.buses.filter((other) => bus !== undefined && other.bus !== bus);
      const after: Dbcs = new Map([...known.dbcs].filter(([other]) => bus !== undefined && other !== bus));
      return {
        definition: { buses, mapping: carryOver(known.definition.mapping, known.dbcs, after).mapping },
        dbcs: after,
      };
    },
  );
}

type Known = { readonly version: number; readonly definition: Definition; readonly dbcs: Dbcs };
type Changed = {
  readonly definition: Definition;
  /** Of its buses, in their order. */
  readonly dbcs: Dbcs;
  readonly notes?: ReadonlyMap<number, readonly string[]>;
};

/** One new definition per change, with its audit row; the present writer's from then on, or the next one's. */
function changeDefinition(
  pool: Pool,
  actor: string,
  serial: string,
  { action, data }: { readonly action: string; readonly data: Record<string, unknown> },
  change: (known: Known) => Changed,
): Promise<DefinitionView> {
  return inTransaction(pool, async (client) => {
    const stream = await lockStream(client, serial);
    const writer = await currentWriter(client, stream.id);
    const version = (writer ? writer.definitionId : await definitionIdOf(client, stream.id)) ?? 0;
    const definition = version === 0 ? EMPTY : await readDefinition(client, version);
    const changed = change({ version, definition, dbcs: dbcsOf(definition) });
    orInvalid(() => checkMapping(changed.definition.mapping, changed.dbcs));
    const id = await storeAs(client, stream, writer?.id, changed.definition);
    await audit(client, {
      actor,
      action,
      subject: stream.serial,
      data: { ...data, before: version, version: id },
    });
    return viewOf(id, changed.definition, changed.dbcs, changed.notes);
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

/** @throws MappingError when it cannot be decoded so */
function checkMapping({ signals, keep }: Mapping, dbcs: Dbcs): void {
  keptTargets(keep, dbcs, mappedTargets(signals, dbcs));
}

function isClear(mapping: Mapping, dbcs: Dbcs): boolean {
  try {
    checkMapping(mapping, dbcs);
    return true;
  } catch (error) {
    if (error instanceof MappingError) return false;
    throw error;
  }
}

/** @throws ProblemError 400 with the reason that a mapping cannot be used */
function orInvalid<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof MappingError) throw invalid(error.message);
    throw error;
  }
}
