import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { type KnownSignal, type Reading, SIGNALS } from '#shared/domain/signal.ts';
import { asRow, readingOf, type SelectedRow } from './signal-columns.ts';

const { reading } = telemetryTables();

/** ms */
export type After = { readonly streamId: number; readonly time: number };

/**
 * Of each stream what was measured after a time, in order of time, by stream.
 * @param counts which signals are wanted, by name: a reading is there too where it has none of them
 */
export async function readAfter(
  db: Database,
  after: readonly After[],
  counts: (signal: string) => boolean,
): Promise<Map<number, Reading[]>> {
  const found = new Map<number, Reading[]>(after.map(({ streamId }) => [streamId, []]));
  if (after.length === 0) return found;
  const wanted = SIGNALS.filter(({ name }) => counts(name));
  const oldest = after.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const { rows } = await db.query<SelectedRow & { streamId: number }>(
    `select r.stream_id as "streamId", ${asRow(wanted)}
     from unnest($1::int[], $2::float8[]) as a (stream_id, ms)
     join ${reading} r on r.stream_id = a.stream_id and r.time > to_timestamp(a.ms / 1000)
       and r.time > to_timestamp($3::float8 / 1000)
     order by r.stream_id, r.time`,
    [after.map(({ streamId }) => streamId), after.map(({ time }) => time), oldest],
  );
  for (const row of rows) found.get(row.streamId)?.push(wantedOf(row, wanted, counts));
  return found;
}

function wantedOf(
  row: SelectedRow,
  wanted: readonly KnownSignal[],
  counts: (signal: string) => boolean,
): Reading {
  const reading = readingOf(row, wanted);
  if (!row.rest) return reading;
  const counted = Object.entries(reading.signals).filter(([name]) => counts(name));
  return { time: reading.time, signals: Object.fromEntries(counted) };
}

type StreamRange = Range & { readonly streamId: number };

/**
 * What was measured in each of some ranges, in order of time.
 * @param counts as of readAfter
 */
export async function readRanges(
  db: Database,
  ranges: readonly StreamRange[],
  counts: (signal: string) => boolean,
): Promise<Reading[][]> {
  const found = ranges.map((): Reading[] => []);
  if (ranges.length === 0) return found;
  const wanted = SIGNALS.filter(({ name }) => counts(name));
  const { rows } = await db.query<SelectedRow & { n: number }>(
    // One range after the other, by key: the planner would rather go through all of a stream for each.
    `select p.n::int as n, ${asRow(wanted)}
     from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) with ordinality as p (stream_id, since, until, n), lateral (
       select * from ${reading} r where r.stream_id = p.stream_id and r.time >= p.since and r.time < p.until order by r.time) as r
     order by p.n, r.time`,
    [
      ranges.map(({ streamId }) => streamId),
      ranges.map(({ from }) => new Date(from)),
      ranges.map(({ to }) => new Date(to)),
    ],
  );
  for (const row of rows) found[row.n - 1]?.push(wantedOf(row, wanted, counts));
  return found;
}
