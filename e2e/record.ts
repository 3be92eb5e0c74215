import { findStream } from '#server/streams/streams.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import type { StreamReading } from '#server/telemetry/readings/signal-columns.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import type { E2ePortal } from './fixtures.ts';

/** Readings per transaction. */
const AT_ONCE = 2_000;

/** Stores readings of a machine or an LMB logger with times of the past, without the upload endpoint. */
export async function recordReadings(
  portal: E2ePortal,
  serial: string,
  readings: readonly Omit<StreamReading, 'streamId'>[],
): Promise<void> {
  const { pool } = await portal.database();
  const streamId = (await findStream(pool, serial)) as number;
  const times = readings.map(({ time }) => time);
  await openPartitions(pool, Date.now).ensure(times, undefined);
  const ofStream = readings.map((reading) => ({ streamId, ...reading }));
  for (let n = 0; n < ofStream.length; n += AT_ONCE)
    await storeReadings(pool, ofStream.slice(n, n + AT_ONCE));
}
