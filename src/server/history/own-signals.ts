import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { NewestSignals } from '#server/telemetry/newest-signals.ts';
import type { OwnSignal } from '#shared/contract/history.ts';
import { unsourcedName } from '#shared/domain/j1939.ts';
import { isOwnSignal } from '#shared/domain/own-signals.ts';
import { ownValue } from '#shared/domain/own-value.ts';

/** Units of a stream's signals by name, as far as they are known. */
export type UnitsOf = (streamId: number) => Promise<Readonly<Record<string, string>>>;

/**
 * Which signals under their own names were sent since a time (ms), by name. `latest` has the newest value of every name
 * that a stream sent, so that no reading is looked at; a name that was last sent in another owner's time is not told.
 */
export async function ownSignals(
  db: Database,
  { streamId, own }: OwnHistory,
  since: number,
  unitsOf: UnitsOf,
): Promise<OwnSignal[]> {
  const { rows } = await ofStream(db, streamId).query<{ signals: NewestSignals }>(
    `select signals from telemetry.latest where stream_id = $1`,
    [streamId],
  );
  const sent = Object.entries(rows[0]?.signals ?? {}).filter(
    ([name, [, time]]) =>
      isOwnSignal(name) && time >= since && own.some(({ from, to }) => from <= time && time < to),
  );
  if (sent.length === 0) return [];
  const units = await unitsOf(streamId);
  return sent
    .map(([name, [, time]]) => ({
      name,
      unit: (ownValue(units, name) ?? ownValue(units, unsourcedName(name))) || null,
      lastSeen: new Date(time).toISOString(),
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'nl', { numeric: true }));
}
