import { columns, instants, texts } from '#server/platform/binary-array.ts';
import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { UNUSED_LATITUDE, UNUSED_LONGITUDE } from '#shared/domain/unused-names.ts';
import type { StreamRange } from './read-columns.ts';
import type { Row } from './signal-columns.ts';

/** Changes of stored readings. New readings in order of time are stored with their figures by readings.store.ts. */

type TimedRow = { readonly time: number; readonly row: Row };

const COLUMNS = SIGNALS.map(({ column }) => column);
const VALUES = `unnest($2::timestamptz[], ${COLUMNS.map((_, n) => `$${n + 3}::float8[]`).join(', ')}, $${COLUMNS.length + 3}::jsonb[])`;
/**
 * Joins with the stream's own row, so that a cluster executes the statement on the shard and reports why a value is
 * refused. Otherwise it would copy the rows there and not report it.
 */
const INSERT = `insert into telemetry.reading (stream_id, time, ${COLUMNS.join(', ')}, rest)
  select l.stream_id, n.* from ${VALUES} as n, telemetry.latest l where l.stream_id = $1`;
const UPDATE = `update telemetry.reading r set ${COLUMNS.map((column) => `${column} = n.${column}`).join(', ')}, rest = n.rest
  from ${VALUES} as n (time, ${COLUMNS.join(', ')}, rest)
  where r.stream_id = $1 and r.time = n.time and r.time >= $${COLUMNS.length + 4} and r.time <= $${COLUMNS.length + 5}`;

/**
 * Inserts and replaces readings.
 * @param inserted at times at which the stream has no reading
 * @param changed in order of time
 */
export async function writeRows(
  db: Database,
  streamId: number,
  inserted: readonly TimedRow[],
  changed: readonly TimedRow[],
): Promise<void> {
  if (inserted.length > 0) {
    const { rowCount } = await ofStream(db, streamId).query(INSERT, [streamId, ...argumentsOf(inserted)]);
    if (rowCount !== inserted.length) throw new Error(`There is no stream ${streamId}.`);
  }
  const [first, last] = [changed[0], changed.at(-1)];
  if (first && last)
    await ofStream(db, streamId).query(UPDATE, [
      streamId,
      ...argumentsOf(changed),
      new Date(first.time),
      new Date(last.time),
    ]);
}

const argumentsOf = (rows: readonly TimedRow[]): Buffer[] => [
  instants(rows.map(({ time }) => time)),
  ...columns('double', rows, COLUMNS.length, ({ row }, column) => row.columns[column]),
  texts(
    'jsonb',
    rows.map(({ row: { rest } }) => rest && JSON.stringify(rest)),
  ),
];

/** @param times ms, at least one */
export async function deleteReadings(
  db: Database,
  streamId: number,
  times: readonly number[],
): Promise<void> {
  await ofStream(db, streamId).query(
    'delete from telemetry.reading where stream_id = $1 and time >= $2 and time <= $3 and time = any ($4::timestamptz[])',
    [
      streamId,
      new Date(times.reduce((a, b) => Math.min(a, b))),
      new Date(times.reduce((a, b) => Math.max(a, b))),
      instants(times),
    ],
  );
}

/** Deletes the oldest readings of a stream, at most `most`. @returns their number */
export async function deleteOldest(db: Database, streamId: number, most: number): Promise<number> {
  const { rowCount } = await ofStream(db, streamId).query(
    `delete from telemetry.reading where stream_id = $1 and time <= (
       select max(time) from (select time from telemetry.reading where stream_id = $1 order by time limit ${most}) as oldest
     )`,
    [streamId],
  );
  return rowCount ?? 0;
}

/** Removes the positions of readings, counted or not, and keeps their other values. */
export async function removePositions(db: Database, { streamId, from, to }: StreamRange): Promise<void> {
  await ofStream(db, streamId).query(
    `update telemetry.reading set latitude = null, longitude = null, rest = nullif(rest - $4::text[], '{}')
     where stream_id = $1 and time >= $2 and time < $3 and (latitude is not null or longitude is not null or rest ?| $4)`,
    [streamId, new Date(from), new Date(to), [UNUSED_LATITUDE, UNUSED_LONGITUDE]],
  );
}
