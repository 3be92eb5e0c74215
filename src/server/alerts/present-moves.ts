import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import type { Scope } from '#shared/domain/access.ts';
import { presentMoveText } from '#shared/domain/alerts/present-move.ts';
import type { WatchState } from '#shared/domain/alerts/watch.ts';
import type { LatestValue } from '#shared/domain/live-data.ts';
import { readMachinePlaces } from './places.ts';

type Pair = readonly [value: number, time: number] | null;
type Row = {
  readonly streamId: number;
  readonly left: NonNullable<WatchState['left']> | null;
  readonly speed: Pair;
  readonly motorSpeed: Pair;
};

/**
 * Returns the present text of open alerts about moves outside working hours, by stream. Leaves out machines whose present position the
 * scope does not see, or whose place before the move is no longer known: their alerts keep the text of when they opened.
 * @param streamIds machines of such alerts that the scope sees; a scope that may not see routes sees none
 * @param now ms
 */
export async function readPresentMoveTexts(
  db: Database,
  scope: Scope,
  streamIds: readonly number[],
  now: number,
): Promise<Map<number, string>> {
  const moves = new Map<number, string>();
  if (streamIds.length === 0) return moves;
  const places = await readMachinePlaces(db, scope, streamIds, now);
  const rows = await runInShardsOfStreams(db, [...places.keys()], (shard, own) =>
    shard.query<Row>(
      `select l.stream_id, c.state -> 'left' as left, l.signals -> 'Speed' as speed, l.signals -> 'MotorSpeed' as motor_speed
       from telemetry.latest l join telemetry.alert_cursor c on c.stream_id = l.stream_id where l.stream_id = any ($1::int[])`,
      [own],
    ),
  );
  for (const { streamId, left, speed, motorSpeed } of rows) {
    const place = places.get(streamId);
    if (!left || !place?.position) continue;
    const { position, name } = place;
    const move = { left, position, place: name, speed: latestOf(speed), motorSpeed: latestOf(motorSpeed) };
    moves.set(streamId, presentMoveText(move, now));
  }
  return moves;
}

const latestOf = (pair: Pair): LatestValue | undefined =>
  pair ? { value: pair[0], time: pair[1] } : undefined;
