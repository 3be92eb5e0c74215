import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { isWorkingTime, type WorkingHours } from '#shared/domain/privacy.ts';

/** A machine that is on a terrein by its newest positions. */
export type MachineOnTerrein = { readonly streamId: number; readonly terreinId: number };

/**
 * Returns the machines of these organizations (null: all) that are now on a terrein of their organization. Leaves out machines whose
 * newest position was measured outside `hours`.
 * @param hours the hours of which the caller sees positions; undefined: all hours
 */
export async function readOnTerreinen(
  db: Database,
  organizations: readonly number[] | null,
  hours: WorkingHours | undefined,
): Promise<MachineOnTerrein[]> {
  const { rows: terreinen } = await db.query<{ id: number; organizationId: number }>(
    `select id, organization_id from terrein
     where deleted_at is null and ($1::integer[] is null or organization_id = any ($1))`,
    [organizations],
  );
  const organizationOf = new Map(terreinen.map(({ id, organizationId }) => [id, organizationId]));
  const { rows: owned } = await db.query<{ streamId: number; organizationId: number }>(
    `select stream_id, organization_id from ownership
     where valid_to = 'infinity' and organization_id = any ($1)`,
    [[...new Set(organizationOf.values())]],
  );
  const ownerOf = new Map(owned.map(({ streamId, organizationId }) => [streamId, organizationId]));
  // The day cursor is the time until which a stream's days are computed. A presence that lasts beyond the cursor has not ended. The query
  // reads 25 hours back, because a presence is stored as one row per day.
  const there = await runInShardsOfStreams(db, [...ownerOf.keys()], (shard, own) =>
    shard.query<MachineOnTerrein & { placedAt: number | null }>(
      `select l.stream_id, p.terrein_id, (l.signals->'LATITUDE'->>1)::float8 as placed_at
       from telemetry.latest l join telemetry.day_cursor c on c.stream_id = l.stream_id
         join telemetry.terrein_presence p on p.stream_id = l.stream_id
       where l.stream_id = any ($1) and p.from_time > c.time - interval '25 hours' and p.to_time > c.time`,
      [own],
    ),
  );
  const isSeen = (placedAt: number | null): boolean =>
    hours === undefined || (placedAt !== null && isWorkingTime(hours, placedAt));
  return there
    .filter(
      ({ streamId, terreinId, placedAt }) =>
        isSeen(placedAt) && organizationOf.get(terreinId) === ownerOf.get(streamId),
    )
    .map(({ streamId, terreinId }) => ({ streamId, terreinId }));
}
