import { instants } from '#server/platform/binary-array.ts';
import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type Reading, SIGNALS } from '#shared/domain/signal.ts';
import { asSent, unusedNamesIn } from '#shared/domain/unused-names.ts';
import { asRow, type Row, readingOf, type SelectedRow } from './signal-columns.ts';

/**
 * A stored reading as it was sent, for callers that change readings.
 * @property row time (ms) and values of the typed columns as they are stored
 * @property unused names of its values that do not count
 */
export type StoredReading = Reading & {
  readonly row: SelectedRow['row'];
  readonly unused: readonly string[];
};

/** Returns the stored readings of a range, in order of time. */
export async function readWindow(
  db: Database,
  streamId: number,
  { from, to }: Range,
): Promise<StoredReading[]> {
  const { rows } = await ofStream(db, streamId).query<SelectedRow>(
    `select ${asRow} from telemetry.reading r where stream_id = $1 and time >= $2 and time < $3 order by time`,
    [streamId, new Date(from), new Date(to)],
  );
  return rows.map((row) => ({ ...sentOf(row), row: row.row, unused: unusedNamesIn(row.rest ?? {}) }));
}

/**
 * Returns the stored readings at some instants (ms), by stream and time.
 * @param wanted of streams of one shard, at least one
 */
export async function readInstants(
  db: Database,
  wanted: readonly { readonly streamId: number; readonly time: number }[],
): Promise<Map<number, Map<number, Reading>>> {
  const found = new Map<number, Map<number, Reading>>();
  const times = wanted.map(({ time }) => time);
  const { rows } = await ofStream(db, wanted[0]?.streamId ?? 0).query<SelectedRow & { streamId: number }>(
    `select r.stream_id as "streamId", ${asRow}
     from unnest($1::integer[], $2::timestamptz[]) as w (stream_id, time)
     join telemetry.reading r on r.stream_id = w.stream_id and r.time = w.time where r.time >= $3 and r.time <= $4`,
    [
      wanted.map(({ streamId }) => streamId),
      instants(times),
      new Date(times.reduce((a, b) => Math.min(a, b))),
      new Date(times.reduce((a, b) => Math.max(a, b))),
    ],
  );
  for (const row of rows) {
    const one = sentOf(row);
    const readings = found.get(row.streamId) ?? new Map<number, Reading>();
    found.set(row.streamId, readings.set(one.time, one));
  }
  return found;
}

/** Returns whether a stored row has the same values in its typed columns. */
export const hasSameColumns = (stored: SelectedRow['row'] | undefined, { columns }: Row): boolean =>
  stored !== undefined && SIGNALS.every((_, column) => (stored[column + 1] ?? undefined) === columns[column]);

const sentOf = (row: SelectedRow): Reading => {
  const { time, signals } = readingOf(row);
  return { time, signals: asSent(signals) };
};
