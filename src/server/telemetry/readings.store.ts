import type { Database } from '#server/platform/database.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { isChargingFlag, isSocSignal, type Signals } from '#shared/domain/signal.ts';
import { bytes, doubles, instants, integers, texts } from './binary-array.ts';
import { newestSignals } from './newest-signals.ts';
import { SIGNAL_COLUMNS } from './signal-columns.ts';

/** A reading and the stream that it belongs to; `time` in ms since 1970. */
export type StreamReading = { readonly streamId: number; readonly time: number; readonly signals: Signals };

/** How many rows were new, and how many existing ones gained a signal. The others were there already. */
export type Stored = { readonly inserted: number; readonly merged: number };

/** Column of each signal that has one, by its place among the arguments of ingest_readings(). */
const COLUMN_OF = new Map(Object.keys(SIGNAL_COLUMNS).map((name, column) => [name, column]));
const IS_CHARGING = COLUMN_OF.size;
const FIRST_SOC = IS_CHARGING + 1;
const SOC_COLUMNS = 4;
const COLUMNS = FIRST_SOC + SOC_COLUMNS;
/** No such quantity of a machine is larger, in our units; a product of two of them over 5 minutes fits a bigint. */
const LARGEST = 1e6;
/** Nothing measures finer: less than this is 0, and the database's arithmetic does not underflow. */
const FINEST = 1e-9;

/** Where a name's values go: its column, if it has one, and whether they are a charging flag. */
type Place = { readonly column: number | undefined; readonly isFlag: boolean };

/** Names that were looked at before: the same loggers send the same ones thousands of times a second. */
const places = new Map<string, Place>();
const MOST_PLACES = 20_000;

function placeOf(name: string): Place {
  const before = places.get(name);
  if (before !== undefined) return before;
  const place = { column: COLUMN_OF.get(name) ?? socColumn(name), isFlag: isChargingFlag(name) };
  if (places.size < MOST_PLACES) places.set(name, place);
  return place;
}

/** Values of the typed columns (undefined: none) and, under their own names, the signals without a column. */
export function toRow(signals: Signals): {
  columns: (number | undefined)[];
  rest: Record<string, number> | undefined;
} {
  const columns = new Array<number | undefined>(COLUMNS);
  let rest: Record<string, number> | undefined;
  let onlyFlag: string | undefined;
  for (const name in signals) {
    const value = signals[name] as number;
    const { column, isFlag } = placeOf(name);
    // A value that cannot be is kept, but nothing is computed from it.
    const plausible = Math.abs(value) <= LARGEST;
    if (plausible && column !== undefined && columns[column] === undefined) {
      columns[column] = Math.abs(value) < FINEST ? 0 : value;
    } else if (plausible && isFlag && columns[IS_CHARGING] === undefined) {
      onlyFlag = name;
      columns[IS_CHARGING] = value;
    } else {
      rest ??= {};
      rest[name] = value;
      if (!plausible || !isFlag) continue;
      // A single flag is its column; several are told apart in `rest`.
      const before = columns[IS_CHARGING] as number;
      if (onlyFlag !== undefined) rest[onlyFlag] = before;
      onlyFlag = undefined;
      columns[IS_CHARGING] = Math.max(before, value);
    }
  }
  return { columns, rest };
}

/** Battery n has column soc<n>; a soc field without digits is battery 1 (DESIGN.md section 4). */
function socColumn(name: string): number | undefined {
  if (!isSocSignal(name)) return undefined;
  const number = Number(/\d+/.exec(name)?.[0] ?? 1);
  return number >= 1 && number <= SOC_COLUMNS ? FIRST_SOC + number - 1 : undefined;
}

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
    ...Array.from({ length: COLUMNS }, (_, column) => doubles(rows.map(({ columns }) => columns[column]))),
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
  const types = ['integer', 'timestamptz', ...Array<string>(COLUMNS).fill('float8'), 'jsonb'];
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
