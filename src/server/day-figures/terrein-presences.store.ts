import type { Database, Transaction } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { type Area, sortBySmallestArea } from '#shared/domain/area.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { ProjectArea } from '#shared/domain/presence.ts';

/** A time range in which a machine was on a terrein according to its positions; cut at midnights, ms. */
export type TerreinPresence = Range & { readonly terreinId: number };

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::float8`;

/** Areas and times of an organization's terreinen; the `projectId` of a place is the id of a terrein. */
export type TerreinAreasAndTimes = {
  /** Areas of the terreinen, sorted by sortBySmallestArea, those of equal size by name. */
  readonly places: readonly ProjectArea[];
  /** The time in which machines are followed on each terrein, in ms, by its id. */
  readonly times: ReadonlyMap<number, Range>;
};

/** Reads the terreinen of an organization; a deleted one ends at its deletion. */
export async function readTerreinen(db: Database, organizationId: number): Promise<TerreinAreasAndTimes> {
  const { rows } = await db.query<{ id: number; from: number; to: number | null; areas: readonly Area[] }>(
    `select id, ${ms('counted_from')} as "from", ${ms('deleted_at')} as "to", areas from terrein
     where organization_id = $1 order by lower(name), id`,
    [organizationId],
  );
  const times = new Map(
    rows.map(({ id, from, to }) => [id, { from, to: to ?? Number.POSITIVE_INFINITY }] as const),
  );
  const places = rows.flatMap(({ id, areas }) =>
    areas.map((area) => ({ projectId: id, area, ...(times.get(id) as Range) })),
  );
  return { places: sortBySmallestArea(places), times };
}

export async function readTerreinPresences(
  db: Database,
  streamId: number,
  { from, to }: Range,
): Promise<TerreinPresence[]> {
  const { rows } = await shardForStream(db, streamId).query<TerreinPresence>(
    `select terrein_id, ${ms('from_time')} as "from", ${ms('to_time')} as "to"
     from telemetry.terrein_presence where stream_id = $1 and from_time >= $2 and from_time < $3 order by from_time`,
    [streamId, new Date(from), new Date(to)],
  );
  return rows;
}

/** Replaces the terrein presences that begin in a range. @param isStored whether the range has stored ones, which must be deleted */
export async function replaceTerreinPresences(
  db: Transaction,
  streamId: number,
  { from, to }: Range,
  found: readonly TerreinPresence[],
  isStored: boolean,
): Promise<void> {
  const shard = shardForStream(db, streamId);
  if (isStored)
    await shard.query(
      'delete from telemetry.terrein_presence where stream_id = $1 and from_time >= $2 and from_time < $3',
      [streamId, new Date(from), new Date(to)],
    );
  if (found.length === 0) return;
  await shard.query(
    `insert into telemetry.terrein_presence (stream_id, from_time, to_time, terrein_id)
     select $1::integer, * from unnest($2::timestamptz[], $3::timestamptz[], $4::integer[])`,
    [
      streamId,
      found.map((one) => new Date(one.from)),
      found.map((one) => new Date(one.to)),
      found.map(({ terreinId }) => terreinId),
    ],
  );
}
