import type { Database } from '#server/platform/database.ts';
import { accountNameSql } from '#server/platform/people.ts';
import { findReferenceMachine, findStreamRow } from '#server/streams/find-stream.ts';
import type { DefinitionChange, DefinitionVersion } from '#shared/contract/definition.ts';
import { type ComparedDefinition, definitionChanges } from './definition-changes.ts';
import { definitionIdOf } from './definitions.store.ts';

const MAX_VERSIONS = 200;
const EMPTY: ComparedDefinition = { buses: [], mapping: { signals: [], keep: [] } };

/**
 * Returns the earlier versions of a machine's or LMB logger's definition, newest first.
 * @throws ProblemError 404
 */
export async function definitionVersions(db: Database, serial: string): Promise<DefinitionVersion[]> {
  const { id } = await findStreamRow(db, serial);
  const presentId = await definitionIdOf(db, id);
  // Reads one version more than is shown, because the last shown version is compared with the one before it.
  const versions = await readVersions(db, id, MAX_VERSIONS + 1);
  return versions.slice(0, MAX_VERSIONS).map((version, n) => ({
    version: version.id,
    madeAt: version.madeAt.toISOString(),
    madeBy: version.madeBy,
    // After the removal of all DBC files the stream has no definition; its newest version, which has no buses, is then the present one.
    isPresent: presentId === undefined ? n === 0 && version.buses.length === 0 : version.id === presentId,
    changes: definitionChanges(versions[n + 1] ?? EMPTY, version),
  }));
}

/**
 * Returns how the definition of a machine would change if the machine were saved with this reference machine. Returns no changes if the
 * machine has this reference machine already, or if the reference machine has no definition.
 * @throws ProblemError 400 for an unknown reference, 404
 */
export async function previewReferenceChanges(
  db: Database,
  serial: string,
  named: string,
): Promise<DefinitionChange[]> {
  const { id, serial: own } = await findStreamRow(db, serial, 'machine');
  const reference = await findReferenceMachine(db, named, own);
  const { rows } = await db.query<{ before: number | null }>(
    'select reference_stream_id as before from machine where stream_id = $1',
    [id],
  );
  if (!reference || reference.id === rows[0]?.before) return [];
  const [mine, theirs] = [await definitionIdOf(db, id), await definitionIdOf(db, reference.id)];
  if (theirs === undefined) return [];
  const present = mine === undefined ? EMPTY : await readCompared(db, mine);
  return definitionChanges(present, await readCompared(db, theirs));
}

/** A version of a stream's definition. Contains only the digests of its DBC files, because these may have 16 MiB together. */
type Version = ComparedDefinition & {
  readonly id: number;
  readonly madeAt: Date;
  readonly madeBy: string | null;
};

const VERSIONS = `select d.id, d.created_at as made_at, ${accountNameSql('d.made_by')} as made_by, d.mapping, array(
    select json_build_object('bus', b.bus, 'bitrate', b.bitrate, 'name', b.name, 'content', b.digest, 'j1939', b.j1939,
      'j1939Messages', b.j1939_messages)
    from definition_bus b where b.definition_id = d.id order by b.bus
  ) as buses
  from definition d`;

/** Reads the versions of a stream's definition, newest first. */
async function readVersions(db: Database, streamId: number, most: number): Promise<Version[]> {
  const { rows } = await db.query<Version>(`${VERSIONS} where d.stream_id = $1 order by d.id desc limit $2`, [
    streamId,
    most,
  ]);
  return rows;
}

/** Reads one definition for a comparison. */
async function readCompared(db: Database, definitionId: number): Promise<ComparedDefinition> {
  const { rows } = await db.query<Version>(`${VERSIONS} where d.id = $1`, [definitionId]);
  return rows[0] as Version;
}
