import type { Database } from '#server/platform/database.ts';
import { accountIdByEmailSql } from '#server/platform/people.ts';
import type { BusDefinition, Definition, Mapping } from '#shared/contract/definition.ts';

/** The stream of a definition, and the e-mail address of its author, which is stored as the id of that account. */
export type DefinitionAuthor = { readonly streamId: number; readonly madeBy: string | undefined };

/**
 * Stores a new definition of a stream. A definition is immutable: history, a decoder's cache and a configuration refer to it by its id.
 * @returns the new definition's id
 */
export async function createDefinition(
  db: Database,
  { streamId, madeBy }: DefinitionAuthor,
  { mapping, buses, absent = {} }: Definition,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into definition (mapping, absent, stream_id, made_by) values ($1, $2, $3, ${accountIdByEmailSql('$4')}) returning id`,
    [JSON.stringify(mapping), JSON.stringify(absent), streamId, madeBy ?? null],
  );
  const id = rows[0]?.id as number;
  for (const { bus, bitrate, name, dbc, j1939 = 'none', j1939Messages = [] } of buses) {
    await db.query(
      `insert into definition_bus (definition_id, bus, bitrate, name, dbc, j1939, j1939_messages)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, bus, bitrate, name, dbc, j1939, j1939Messages],
    );
  }
  return id;
}

/**
 * Copies a definition for a stream.
 * @returns the copy's id
 */
export async function copyDefinition(
  db: Database,
  definitionId: number,
  { streamId, madeBy }: DefinitionAuthor,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into definition (mapping, absent, stream_id, made_by)
     select mapping, absent, $2, ${accountIdByEmailSql('$3')} from definition where id = $1 returning id`,
    [definitionId, streamId, madeBy ?? null],
  );
  const id = rows[0]?.id as number;
  await db.query(
    `insert into definition_bus (definition_id, bus, bitrate, name, dbc, j1939, j1939_messages)
     select $2, bus, bitrate, name, dbc, j1939, j1939_messages from definition_bus where definition_id = $1`,
    [definitionId, id],
  );
  return id;
}

/** Reads a data definition with its buses. An unknown id gives a definition without buses and mappings. */
export async function readDefinition(db: Database, definitionId: number): Promise<Definition> {
  const { rows: mappings } = await db.query<{ mapping: Mapping }>(
    'select mapping from definition where id = $1',
    [definitionId],
  );
  const { rows: buses } = await db.query<BusDefinition>(
    `select bus, bitrate, name, dbc, j1939, j1939_messages
     from definition_bus where definition_id = $1 order by bus`,
    [definitionId],
  );
  return { buses, mapping: mappings[0]?.mapping ?? { signals: [], keep: [] } };
}

/** Reads a version of a stream's definition; undefined if the version belongs to another stream. */
export async function readVersion(
  db: Database,
  streamId: number,
  definitionId: number,
): Promise<Definition | undefined> {
  const { rowCount } = await db.query('select from definition where id = $1 and stream_id = $2', [
    definitionId,
    streamId,
  ]);
  return rowCount ? readDefinition(db, definitionId) : undefined;
}

/** SQL `from` item: the last writer `w` of each stream that had one, read in one go for many streams. */
export const LAST_WRITERS_SQL = `(
  select distinct on (stream_id) stream_id, logger_serial, definition_id, valid_to
  from writer order by stream_id, valid_to desc, id desc
) as w`;

/** SQL for the definition of a stream `s` whose last writer is `w`. */
export const DEFINITION_ID_SQL = `coalesce(
  case when w.valid_to < 'infinity' then s.next_definition_id end, w.definition_id, s.next_definition_id
)`;

/**
 * Returns a stream's definition: that of its present writer (binding of a logger), otherwise the one stored for its next writer,
 * otherwise that of its last writer.
 */
export async function definitionIdOf(db: Database, streamId: number): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number | null }>(
    `select ${DEFINITION_ID_SQL} as id from stream s left join lateral (
       select definition_id, valid_to from writer where stream_id = s.id order by valid_to desc, id desc limit 1
     ) as w on true
     where s.id = $1`,
    [streamId],
  );
  return rows[0]?.id ?? undefined;
}

/** Sets the definition by which a writer's frames are decoded from now on (undefined: none); earlier frames keep the former one. */
export async function setWriterDefinition(
  db: Database,
  writerId: number,
  definitionId: number | undefined,
): Promise<void> {
  // `on conflict`: if a transaction changes the definition twice, only its first change records the end of the former definition.
  await db.query(
    `insert into former_definition (writer_id, until, definition_id)
     select id, now(), definition_id from writer where id = $1 and definition_id is not null on conflict do nothing`,
    [writerId],
  );
  await db.query('update writer set definition_id = $2 where id = $1', [writerId, definitionId ?? null]);
}

/** Sets the definition that the stream's next writer gets a copy of; undefined: its last writer's definition. */
export async function setNextDefinition(
  db: Database,
  streamId: number,
  definitionId: number | undefined,
): Promise<void> {
  await db.query('update stream set next_definition_id = $2 where id = $1', [streamId, definitionId ?? null]);
  await db.query('update machine set takes_reference = false where stream_id = $1 and takes_reference', [
    streamId,
  ]);
}
