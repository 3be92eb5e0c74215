import { inTransaction, type Pool } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { bucketStart, bucketsOf, follow, readingsFor } from '#shared/domain/figures.ts';
import { BUCKET_MS } from '#shared/domain/intervals.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { hasSameColumns, readTrack, readWindow, replaceBuckets, writeRows } from './late-readings.ts';
import { toRow } from './signal-columns.ts';
import { sumOf } from './stream-change.ts';

const { reading, latest } = telemetryTables();

/** Of a logger at 10 Hz 108,000 readings. */
const PIECE_MS = 36 * BUCKET_MS;

type Due = { readonly streamId: number; readonly fromMs: number; readonly newestMs: number };

/**
 * Computes a piece of a stream's roll-up anew from its raw readings, after an update that changed a figure; what has no
 * raw readings any more stays. Its uploads wait meanwhile, for a moment, and are stored by the late way until all of it
 * is done. Safe to break off and to run in several processes.
 * @returns false when nothing is left
 */
export function recomputeNext(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Due>(
      `select stream_id as "streamId", date_part('epoch', recompute_from) * 1000 as "fromMs",
         date_part('epoch', time) * 1000 as "newestMs"
       from ${latest} where recompute_from is not null order by stream_id limit 1 for update skip locked`,
    );
    const due = rows[0];
    if (!due) return false;
    const { streamId, newestMs } = due;
    const first = await client.query<{ ms: number | null }>(
      `select date_part('epoch', min(time)) * 1000 as ms from ${reading} where stream_id = $1 and time >= $2`,
      [streamId, new Date(Math.max(0, due.fromMs))],
    );
    const firstMs = first.rows[0]?.ms ?? undefined;
    if (firstMs === undefined) {
      const track = await readTrack(client, streamId, newestMs);
      await client.query(`update ${latest} set track = $2, recompute_from = null where stream_id = $1`, [
        streamId,
        JSON.stringify(track),
      ]);
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
    await client.query(
      `update ${latest} set recompute_from = $2, total_running_ms = total_running_ms + $3::bigint where stream_id = $1`,
      [streamId, new Date(piece.to), sumOf(buckets, 'runningMs') - gone.runningMs],
    );
    return true;
  });
}
