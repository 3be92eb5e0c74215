import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { type FiguresState, NEW_FIGURES_STATE } from '#shared/domain/figures.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';

/** Returns the time of the first MotorSpeed in ms. @param known that time according to the readings so far */
export const firstMotorSpeedAt = (
  known: number | undefined,
  readings: readonly Reading[],
): number | undefined =>
  readings.reduce(
    (first, { time, signals }) => (signals.MotorSpeed === undefined ? first : Math.min(first ?? time, time)),
    known,
  );

/**
 * Returns the time in ms from which the roll-up must be recomputed because the time of the first MotorSpeed changed
 * (docs/figures.md section 6); undefined if the repair of the late readings was enough.
 * @param repairedUntil time of the last reading that was repaired together with the new first MotorSpeed
 */
export function rollupRecomputationStartMs(
  { motorSince: before = Infinity, time = -Infinity }: FiguresState,
  motorSince = Infinity,
  repairedUntil = -Infinity,
): number | undefined {
  const from = Math.min(before, motorSince);
  const to = Math.min(Math.max(before, motorSince), time);
  return to - Math.max(from, repairedUntil) > MAX_GAP_MS ? from : undefined;
}

/** Marks the roll-up of a stream to be recomputed from a time (ms) on by recompute.ts. */
export const markForRecomputation = (client: Database, streamId: number, from: number): Promise<unknown> =>
  shardForStream(client, streamId).query(
    'update telemetry.latest set recompute_from = least(recompute_from, $2) where stream_id = $1',
    [streamId, new Date(from)],
  );

/** Returns a state for computing figures from the middle of a stream on: it contains only the time of the first MotorSpeed. */
export async function initialFiguresState(db: Database, streamId: number): Promise<FiguresState> {
  const { rows } = await shardForStream(db, streamId).query<{ motorSince: number | null }>({
    name: 'motor since',
    text: `select (track ->> 'motorSince')::float8 as motor_since from telemetry.latest where stream_id = $1`,
    values: [streamId],
  });
  return { ...NEW_FIGURES_STATE, motorSince: rows[0]?.motorSince ?? undefined };
}
