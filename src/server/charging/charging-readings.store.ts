import type { Database } from '#server/platform/database.ts';
import type { Reading } from '#shared/domain/signal.ts';

/** Name of the signal that each column stands for; the largest flag of a reading speaks for all. */
const COLUMNS = {
  ChargingCurrent: 'charging_current',
  ChargingVoltage: 'charging_voltage',
  IsCharging: 'is_charging',
  Soc1: 'soc1',
  Soc2: 'soc2',
  Soc3: 'soc3',
  Soc4: 'soc4',
} as const;
const NAMES = Object.keys(COLUMNS);

/** ms */
export type After = { readonly streamId: number; readonly time: number };

/** Of each stream what was measured after a time, in order of time, by stream. */
export async function readAfter(db: Database, after: readonly After[]): Promise<Map<number, Reading[]>> {
  const found = new Map<number, Reading[]>(after.map(({ streamId }) => [streamId, []]));
  if (after.length === 0) return found;
  const oldest = after.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const { rows } = await db.query<{ row: (number | null)[] }>({
    // As arrays, without names: thousands of rows at a time.
    text: `select array[r.stream_id, extract(epoch from r.time)::float8 * 1000, ${Object.values(COLUMNS)
      .map((column) => `r.${column}`)
      .join(', ')}]::float8[] as row
     from unnest($1::int[], $2::float8[]) as a (stream_id, ms)
     join reading r on r.stream_id = a.stream_id and r.time > to_timestamp(a.ms / 1000)
       and r.time > to_timestamp($3::float8 / 1000)
     order by r.stream_id, r.time`,
    values: [after.map(({ streamId }) => streamId), after.map(({ time }) => time), oldest],
  });
  for (const { row } of rows) {
    const [streamId, time, ...values] = row as [number, number, ...(number | null)[]];
    const signals: Record<string, number> = {};
    for (const [index, value] of values.entries())
      if (value !== null) signals[NAMES[index] as string] = value;
    found.get(streamId)?.push({ time, signals });
  }
  return found;
}

/** ms; of the stream's last reading at or before `time`. */
export async function lastReadingAt(
  db: Database,
  streamId: number,
  time: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ ms: number }>(
    `select extract(epoch from time)::float8 * 1000 as ms from reading
     where stream_id = $1 and time <= to_timestamp($2::float8 / 1000) order by time desc limit 1`,
    [streamId, time],
  );
  return rows[0]?.ms;
}
