import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { NewestSignals } from '#server/telemetry/newest-signals.ts';
import type { CustomSignal } from '#shared/contract/history.ts';
import { isCustomSignal } from '#shared/domain/custom-signals.ts';
import { nameWithoutSource } from '#shared/domain/j1939.ts';
import { getOwnProperty } from '#shared/domain/own-value.ts';

/** Function that returns the known units of a stream's signals, by name of the signal. */
export type ReadUnitsOfStream = (streamId: number) => Promise<Readonly<Record<string, string>>>;

/**
 * Returns the custom signals (which no mapping makes signals of the portal) that were sent since a time (ms), in order of name. `latest`
 * contains the newest value of every name of a stream, so no reading is read. A name that was last sent in another owner's time is left
 * out.
 */
export async function customSignals(
  db: Database,
  { streamId, own }: OwnHistory,
  since: number,
  unitsOf: ReadUnitsOfStream,
): Promise<CustomSignal[]> {
  const { rows } = await shardForStream(db, streamId).query<{ signals: NewestSignals }>(
    `select signals from telemetry.latest where stream_id = $1`,
    [streamId],
  );
  const sent = Object.entries(rows[0]?.signals ?? {}).filter(
    ([name, [, time]]) =>
      isCustomSignal(name) && time >= since && own.some(({ from, to }) => from <= time && time < to),
  );
  if (sent.length === 0) return [];
  const units = await unitsOf(streamId);
  return sent
    .map(([name, [, time]]) => ({
      name,
      unit: (getOwnProperty(units, name) ?? getOwnProperty(units, nameWithoutSource(name))) || null,
      lastSeen: new Date(time).toISOString(),
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'nl', { numeric: true }));
}
