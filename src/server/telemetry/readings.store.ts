import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { bytes, doubles, instants, integers, texts } from './binary-array.ts';
import { newestSignals } from './newest-signals.ts';
import { type StreamReading, toRow } from './signal-columns.ts';

const { reading, rollup, event } = telemetryTables();

/** How many rows were new, and how many existing ones gained a signal. The others were there already. */
export type Stored = { readonly inserted: number; readonly merged: number };

/** By stream and time; readings of one instant become one: the first delivery's signals stay, others are added. */
function inOrder(readings: readonly StreamReading[]): StreamReading[] {
  const sorted: StreamReading[] = [];
  // Stable: of one instant the first delivery comes first.
  for (const reading of readings.toSorted((a, b) => a.streamId - b.streamId || a.time - b.time)) {
    const { streamId, time } = reading;
    const signals = withoutFalsePosition(reading.signals);
    const before = sorted.at(-1);
    if (before?.streamId === streamId && before.time === time) {
      sorted[sorted.length - 1] = { streamId, time, signals: { ...signals, ...before.signals } };
    } else sorted.push(signals === reading.signals ? reading : { streamId, time, signals });
  }
  return sorted;
}

/** The arguments of ingest_readings(), binary: neither side writes or reads a number as text. */
export function ingestArguments(readings: readonly StreamReading[]): Buffer[] {
  const sorted = inOrder(readings);
  const rows = sorted.map(({ signals }) => toRow(signals));
  const newest = newestSignals(sorted);
  return [
    integers(sorted.map(({ streamId }) => streamId)),
    instants(sorted.map(({ time }) => time)),
    ...SIGNALS.map((_, column) => doubles(rows.map(({ columns }) => columns[column]))),
    texts(
      'jsonb',
      rows.map(({ rest }) => rest && JSON.stringify(rest)),
    ),
    integers(newest.map(({ streamId }) => streamId)),
    instants(newest.map(({ time }) => time)),
    texts(
      'json',
      newest.map(({ signals }) => signals),
    ),
    bytes(
      'uuid',
      newest.map(({ names }) => names),
    ),
    instants(newest.map(({ oldest }) => oldest)),
  ];
}

/** `ingest_readings($n::…, …)` with its first parameter numbered `first`. */
export function ingestCall(first: number): string {
  const types = ['integer', 'timestamptz', ...SIGNALS.map(() => 'float8'), 'jsonb'];
  types.push('integer', 'timestamptz', 'json', 'uuid', 'timestamptz');
  return `ingest_readings(${types.map((type, n) => `$${first + n}::${type}[]`).join(', ')})`;
}

const STORE = `select inserted, merged from ${ingestCall(1)}`;

/**
 * Stores readings, all or nothing, and what is derived from them (sql/ingest-readings.sql). The partitions of
 * their weeks must exist (partitions.ts) and their streams too.
 */
export async function storeReadings(db: Database, readings: readonly StreamReading[]): Promise<Stored> {
  if (readings.length === 0) return { inserted: 0, merged: 0 };
  const { rows } = await db.query<Stored>({
    name: 'store readings',
    text: STORE,
    values: ingestArguments(readings),
  });
  return rows[0] as Stored;
}

/** Rows per statement: short enough to be waited for by what comes in meanwhile. */
const BATCH = 10_000;

/** Removes a stream's history in batches. @returns false when `until` (performance.now) came before all of it was gone */
export async function removeHistory(db: Database, streamId: number, until: number): Promise<boolean> {
  for (const [table, time] of [
    [reading, 'time'],
    [rollup, 'bucket'],
    [event, 'from_time'],
  ]) {
    let removed: number;
    do {
      const { rowCount } = await db.query(
        `delete from ${table} where stream_id = $1 and ${time} <= (
           select max(${time}) from (select ${time} from ${table} where stream_id = $1 order by ${time} limit ${BATCH}) as oldest
         )`,
        [streamId],
      );
      removed = rowCount ?? 0;
      if (performance.now() > until) return false;
    } while (removed > 0);
  }
  return true;
}
