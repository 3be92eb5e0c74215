import { inCells, ofStream } from '#server/platform/cells.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { bucketStart, bucketsOf, follow, readingsFor } from '#shared/domain/figures.ts';
import { BUCKET_MS } from '#shared/domain/intervals.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { hasSameColumns, readTrack, readWindow, replaceBuckets, writeRows } from './late-readings.ts';
import { toRow } from './signal-columns.ts';
import { sumOf } from './stream-change.ts';

/** Of a logger at 10 Hz 108,000 readings. */
const PIECE_MS = 36 * BUCKET_MS;

/** Streams that are tried, of each cell: other processes may be at some of them. */
const AT_HAND = 10;

type Due = { readonly fromMs: number; readonly newestMs: number };

/**
 * Computes a piece of a stream's roll-up anew from its raw readings, after an update that changed a figure; what has no
 * raw readings any more stays. Its uploads wait meanwhile, for a moment, and are stored by the late way until all of it
 * is done. Safe to break off and to run in several processes.
 * @returns false when nothing is left that no other process is at
 */
export async function recomputeNext(pool: Pool): Promise<boolean> {
  const waiting = await inCells(pool, (cell) =>
    cell.query<{ id: number }>(
      `select stream_id as id from telemetry.latest where recompute_from is not null order by stream_id limit ${AT_HAND}`,
    ),
  );
  for (const { id } of waiting) if (await recomputePiece(pool, id)) return true;
  return false;
}

/** @returns false when another process is at it */
function recomputePiece(pool: Pool, streamId: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await ofStream(client, streamId).query<Due>(
      `select date_part('epoch', recompute_from) * 1000 as "fromMs", date_part('epoch', time) * 1000 as "newestMs"
       from telemetry.latest where stream_id = $1 and recompute_from is not null for update skip locked`,
      [streamId],
    );
    const due = rows[0];
    if (!due) return false;
    const { newestMs } = due;
    const first = await ofStream(client, streamId).query<{ ms: number | null }>(
      `select date_part('epoch', min(time)) * 1000 as ms from telemetry.reading where stream_id = $1 and time >= $2`,
      [streamId, new Date(Math.max(0, due.fromMs))],
    );
    const firstMs = first.rows[0]?.ms ?? undefined;
    if (firstMs === undefined) {
      const track = await readTrack(client, streamId, newestMs);
      await ofStream(client, streamId).query(
        `update telemetry.latest set track = $2, recompute_from = null where stream_id = $1`,
        [streamId, JSON.stringify(track)],
      );
      return true;
    }
    const from = bucketStart(firstMs);
    const piece = { from, to: from + PIECE_MS };
    const stored = await readWindow(client, streamId, readingsFor(piece));
    const readings = stored.map((one) => ({ ...one, signals: withoutFalsePosition(one.signals) }));
    const followed = follow(readings);
    const buckets = bucketsOf(readings, followed, piece);
    const changed = readings.flatMap(({ time, signals, row }, n) => {
      if (time < piece.from || time >= piece.to) return [];
      const made = toRow(signals, followed.packs[n] ?? []);
      return hasSameColumns(row, made) ? [] : [{ time, row: made }];
    });
    await writeRows(client, streamId, [], changed);
    const gone = await replaceBuckets(client, streamId, piece, buckets);
    await ofStream(client, streamId).query(
      `update telemetry.latest set recompute_from = $2, total_running_ms = total_running_ms + $3::bigint where stream_id = $1`,
      [streamId, new Date(piece.to), sumOf(buckets, 'runningMs') - gone.runningMs],
    );
    return true;
  });
}
