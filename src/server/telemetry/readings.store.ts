import type { Database } from '#server/platform/database.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { isChargingFlag, isSocSignal, type Signals } from '#shared/domain/signal.ts';
import { digests, documents, doubles, instants, integers } from './binary-array.ts';
import { digestOfNames } from './signal-names.ts';

/** A reading and the stream that it belongs to; `time` in ms since 1970. */
export type StreamReading = { readonly streamId: number; readonly time: number; readonly signals: Signals };

/** How many rows were new, and how many existing ones gained a signal. The others were there already. */
export type Stored = { readonly inserted: number; readonly merged: number };

/** Column of each signal that has one; the order is that of ingest_readings() in migrations/0008-ingest.sql. */
const COLUMN_OF = new Map<string, number>(
  [
    'LATITUDE',
    'LONGITUDE',
    'MotorSpeed',
    'ChargingCurrent',
    'ChargingVoltage',
    'BatteryCurrent',
    'BatteryVoltage',
    'Speed',
    'Machinestatus',
    'Spoor',
    'Spoorstand',
  ].map((name, column) => [name, column]),
);
const IS_CHARGING = COLUMN_OF.size;
const FIRST_SOC = IS_CHARGING + 1;
const SOC_COLUMNS = 4;
const COLUMNS = FIRST_SOC + SOC_COLUMNS;
/** No such quantity of a machine is larger, in our units; a product of two of them over 5 minutes fits a bigint. */
const LARGEST = 1e6;
/** Nothing measures finer: less than this is 0, and the database's arithmetic does not underflow. */
const FINEST = 1e-9;

/** Values of the typed columns (undefined: none) and, under their own names, the signals without a column. */
export function toRow(signals: Signals): {
  columns: (number | undefined)[];
  rest: Record<string, number> | undefined;
} {
  const columns = new Array<number | undefined>(COLUMNS);
  let rest: Record<string, number> | undefined;
  let flags = 0;
  for (const name in signals) {
    const value = signals[name] as number;
    const column = COLUMN_OF.get(name) ?? socColumn(name);
    // A value that cannot be is kept, but nothing is computed from it.
    const plausible = Math.abs(value) <= LARGEST;
    if (plausible && column !== undefined && columns[column] === undefined) {
      columns[column] = Math.abs(value) < FINEST ? 0 : value;
    } else {
      if (plausible && isChargingFlag(name)) {
        flags += 1;
        columns[IS_CHARGING] = Math.max(columns[IS_CHARGING] ?? value, value);
      }
      rest ??= {};
      rest[name] = value;
    }
  }
  // A single flag is its column; several are told apart in `rest`.
  if (flags === 1 && rest) {
    for (const name of Object.keys(rest)) if (isChargingFlag(name)) delete rest[name];
    if (Object.keys(rest).length === 0) rest = undefined;
  }
  return { columns, rest };
}

/** Battery n has column soc<n>; a soc field without digits is battery 1 (DESIGN.md section 4). */
function socColumn(name: string): number | undefined {
  if (!isSocSignal(name)) return undefined;
  const number = Number(/\d+/.exec(name)?.[0] ?? 1);
  return number >= 1 && number <= SOC_COLUMNS ? FIRST_SOC + number - 1 : undefined;
}

/** Readings of one stream and instant become one: the first delivery's signals stay, others are added. */
function mergeInstants(readings: readonly StreamReading[]): StreamReading[] {
  const byInstant = new Map<string, StreamReading>();
  for (const { streamId, time, signals } of readings) {
    const key = `${streamId} ${time}`;
    const before = byInstant.get(key);
    const here = withoutFalsePosition(signals);
    byInstant.set(key, { streamId, time, signals: before ? { ...here, ...before.signals } : here });
  }
  return [...byInstant.values()].sort((a, b) => a.streamId - b.streamId || a.time - b.time);
}

/** What the batch knows of one stream's newest values: name to [value, ms]. */
type Newest = { time: number; oldest: number; signals: Record<string, [number, number]> };

function newestByStream(sorted: readonly StreamReading[]): Map<number, Newest> {
  const newest = new Map<number, Newest>();
  for (const { streamId, time, signals } of sorted) {
    const stream = newest.get(streamId) ?? { time, oldest: time, signals: {} };
    newest.set(streamId, stream);
    stream.time = time;
    for (const name in signals) stream.signals[name] = [signals[name] as number, time];
  }
  for (const stream of newest.values()) {
    stream.oldest = Object.values(stream.signals).reduce(
      (oldest, [, time]) => Math.min(oldest, time),
      stream.time,
    );
  }
  return newest;
}

/** The arguments of ingest_readings(), binary: neither side writes or reads a number as text. */
export function ingestArguments(readings: readonly StreamReading[]): Buffer[] {
  const sorted = mergeInstants(readings);
  const rows = sorted.map(({ signals }) => toRow(signals));
  const newest = newestByStream(sorted);
  const streams = [...newest.values()];
  return [
    integers(sorted.map(({ streamId }) => streamId)),
    instants(sorted.map(({ time }) => time)),
    ...Array.from({ length: COLUMNS }, (_, column) => doubles(rows.map(({ columns }) => columns[column]))),
    documents(
      'jsonb',
      rows.map(({ rest }) => rest && JSON.stringify(rest)),
    ),
    integers([...newest.keys()]),
    instants(streams.map(({ time }) => time)),
    documents(
      'json',
      streams.map(({ signals }) => JSON.stringify(signals)),
    ),
    digests(streams.map(({ signals }) => digestOfNames(Object.keys(signals)))),
    instants(streams.map(({ oldest }) => oldest)),
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
 * Stores readings, all or nothing, and what is derived from them (migrations/0008-ingest.sql). The partitions of
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
