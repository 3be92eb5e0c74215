import type { Database } from '#server/platform/database.ts';
import { nameOf } from '#server/platform/people.ts';
import type { ComparedDefinition } from './definition-changes.ts';

/** A version of a stream's definition. Its DBC files are given by their digests only, because they may have 16 MiB together. */
export type Version = ComparedDefinition & {
  readonly id: number;
  readonly madeAt: Date;
  readonly madeBy: string | null;
};

const VERSIONS = `select d.id, d.created_at as made_at, ${nameOf('d.made_by')} as made_by, d.mapping, array(
    select json_build_object('bus', b.bus, 'bitrate', b.bitrate, 'name', b.name, 'content', b.digest, 'j1939', b.j1939,
      'j1939Messages', b.j1939_messages)
    from definition_bus b where b.definition_id = d.id order by b.bus
  ) as buses
  from definition d`;

/** Reads the versions of a stream's definition, newest first. */
export async function readVersions(db: Database, streamId: number, most: number): Promise<Version[]> {
  const { rows } = await db.query<Version>(`${VERSIONS} where d.stream_id = $1 order by d.id desc limit $2`, [
    streamId,
    most,
  ]);
  return rows;
}

/** Reads one definition for a comparison. */
export async function readCompared(db: Database, definitionId: number): Promise<ComparedDefinition> {
  const { rows } = await db.query<Version>(`${VERSIONS} where d.id = $1`, [definitionId]);
  return rows[0] as Version;
}
