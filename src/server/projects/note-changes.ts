import type { Recomputation } from '#server/day-figures/recomputations.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { runInShardsOfStreams, shardForStream } from '#server/platform/shards.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { type Area, type Box, boxOf } from '#shared/domain/area.ts';
import { EARTH_RADIUS_METRES } from '#shared/domain/distance.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { AREA_MARGIN_METRES, MAX_STANDSTILL_SCATTER_METRES } from '#shared/domain/presence.ts';

/** Finds the machines whose figures per day must be recomputed after a change of a project or terrein. */

/** Runs work in a separate transaction. */
type InTransaction = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/** The time and areas of a project, before or after a change. */
export type ProjectExtent = {
  readonly firstDay: string;
  readonly lastDay: string | null;
  readonly areas: readonly Area[];
};

/**
 * Stores, in the transaction of the change, a note for every machine of the organization: the machine's days must be recomputed from the
 * first day of the project, old or new, whichever is earlier. Notes of machines that the change does not affect are deleted later.
 * @param extents the time and areas of the project before and after the change
 */
export async function markDaysOutdatedForProject(
  db: Transaction,
  inTransaction: InTransaction,
  { id, organizationId }: { readonly id: number; readonly organizationId: number },
  extents: readonly ProjectExtent[],
): Promise<Recomputation[]> {
  const from = Math.min(...extents.map(({ firstDay }) => amsterdamDayRange(firstDay)?.from ?? 0));
  const to = Math.max(
    ...extents.map(
      ({ lastDay }) => (lastDay === null ? undefined : amsterdamDayRange(lastDay)?.to) ?? LAST_MS,
    ),
  );
  const { rows: byHand } = await db.query<{ streamId: number }>(
    'select distinct stream_id from assignment where project_id = $1',
    [id],
  );
  return noteChange(db, inTransaction, {
    organizationId,
    range: { from, to },
    areas: extents.flatMap(({ areas }) => areas),
    assigned: new Set(byHand.map(({ streamId }) => streamId)),
    stored: { sql: 'telemetry.presence p where p.stream_id = $1 and p.project_id = $2', id },
  });
}

/**
 * Stores notes that the presences of the organization's machines on a changed terrein must be recomputed from `from` on.
 * @param from a time in ms
 * @param areas the areas of the terrein before and after the change
 */
export const markDaysOutdatedForTerrein = (
  db: Transaction,
  inTransaction: InTransaction,
  { id, organizationId }: { readonly id: number; readonly organizationId: number },
  from: number,
  areas: readonly Area[],
): Promise<Recomputation[]> =>
  noteChange(db, inTransaction, {
    organizationId,
    range: { from, to: LAST_MS },
    areas,
    assigned: new Set(),
    stored: { sql: 'telemetry.terrein_presence p where p.stream_id = $1 and p.terrein_id = $2', id },
  });

/**
 * SQL `from` item and condition that select the stored presences of machine $1 on the changed project or terrein $2. `id` is the value of
 * $2.
 */
type Stored = { readonly sql: string; readonly id: number };

type Change = {
  readonly organizationId: number;
  readonly range: Range;
  readonly areas: readonly Area[];
  /** Machines that people assigned to the project. */
  readonly assigned: ReadonlySet<number>;
  readonly stored: Stored;
};

async function noteChange(
  db: Transaction,
  inTransaction: InTransaction,
  { organizationId, range, areas, assigned, stored }: Change,
): Promise<Recomputation[]> {
  const boxes = areas.map(boxAround);
  const { rows: owned } = await db.query<{ streamId: number; from: Date }>(
    `select stream_id, greatest(min(valid_from), $2) as "from" from ownership
     where organization_id = $1 and valid_to > $2 group by stream_id`,
    [organizationId, new Date(range.from)],
  );
  const notes = await runInShardsOfStreams(db, owned, (shard, own) =>
    shard.query<{ id: string; streamId: number }>(
      `insert into telemetry.changed_history (stream_id, from_time, only_presence) select *, true from unnest($1::integer[], $2::timestamptz[])
     returning id, stream_id`,
      [own.map(({ streamId }) => streamId), own.map((one) => one.from)],
    ),
  );
  return notes
    .sort((a, b) => a.streamId - b.streamId)
    .map(({ id: note, streamId }) => ({
      streamId,
      isTouched: async () =>
        assigned.has(streamId) ||
        inTransaction(async (transaction) => {
          // Locks the day cursor. This waits for a running computation, which would read and delete the note, and keeps the next
          // computation from starting.
          const shard = shardForStream(transaction, streamId);
          await shard.query('select from telemetry.day_cursor where stream_id = $1 for update', [streamId]);
          const first = await firstTouched(transaction, streamId, stored, range, boxes);
          if (first) await shard.query(NARROW, [streamId, note, first]);
          else await shard.query(DELETE_NOTE, [streamId, note]);
          return first !== null;
        }),
    }));
}

/** Stores a note that the presences of a machine must be recomputed from a time on, in the transaction of the change. */
export const markDaysOutdatedForMachine = (db: Database, streamId: number, from: Date) =>
  shardForStream(db, streamId).query(
    'insert into telemetry.changed_history (stream_id, from_time, only_presence) values ($1, $2, true)',
    [streamId, from],
  );

/** End of the range in which a change of a terrein has an effect: later than any reading. */
const LAST_MS = Date.UTC(2200, 0, 1);
const NARROW = 'update telemetry.changed_history set from_time = $3 where stream_id = $1 and id = $2::uuid';
const DELETE_NOTE = 'delete from telemetry.changed_history where stream_id = $1 and id = $2::uuid';

/**
 * Returns the first time in the range at which the machine was near the areas, or was there according to its stored presences;
 * null: never.
 */
async function firstTouched(
  db: Database,
  streamId: number,
  { sql, id }: Stored,
  { from, to }: Range,
  boxes: readonly Box[],
): Promise<Date | null> {
  // `order by … limit 1` stops at the first bucket, while min() would read every bucket of the range.
  const { rows } = await shardForStream(db, streamId).query<{ first: Date | null }>(
    `select least(
       (select r.bucket from telemetry.rollup r where r.stream_id = $1 and r.bucket >= $3 and r.bucket < $4 and exists (
          select from unnest($5::float8[], $6::float8[], $7::float8[], $8::float8[]) b (south, west, north, east)
          where r.north >= b.south and r.south <= b.north and r.east >= b.west and r.west <= b.east)
        order by r.bucket limit 1),
       (select min(p.from_time) from ${sql})
     ) as first`,
    [
      streamId,
      id,
      new Date(from),
      new Date(to),
      boxes.map(({ south }) => south),
      boxes.map(({ west }) => west),
      boxes.map(({ north }) => north),
      boxes.map(({ east }) => east),
    ],
  );
  return rows[0]?.first ?? null;
}

/**
 * Returns a box with every position of a machine that may count as inside an area. A machine that stands still counts by its mean
 * position, and its single positions scatter around that mean.
 */
function boxAround(area: Area): Box {
  const { south, west, north, east } = boxOf(area);
  const lat =
    ((AREA_MARGIN_METRES * 2 + MAX_STANDSTILL_SCATTER_METRES) / EARTH_RADIUS_METRES) * (180 / Math.PI);
  const lon = lat / Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  return { south: south - lat, west: west - lon, north: north + lat, east: east + lon };
}
