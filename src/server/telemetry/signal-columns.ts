import {
  isChargingFlag,
  type KnownSignal,
  meantBy,
  type Reading,
  SIGNALS,
  type Signals,
} from '#shared/domain/signal.ts';

/** What an interval carries of its earlier reading, the position apart. */
export const INTERVAL_SIGNALS = SIGNALS.filter(({ name, tail }) => tail && !/^L(AT|ONG)ITUDE$/.test(name));
/** What tells that charging started, ended or completed. */
export const CHARGING_SIGNALS = SIGNALS.filter(({ charging }) => charging);
/** State of charge, battery by battery. */
export const SOC_SIGNALS = SIGNALS.filter(({ name }) => name.startsWith('Soc'));

/** A reading and the stream that it belongs to; `time` in ms since 1970. */
export type StreamReading = { readonly streamId: number; readonly time: number; readonly signals: Signals };

/** As a `select` item: time (ms) and signals of the reading `r`, without names: thousands of rows at a time. */
export const asRow = (signals: readonly KnownSignal[]): string =>
  `array[date_part('epoch', r.time) * 1000, ${signals.map(({ column }) => `r.${column}`).join(', ')}]::float8[]`;

/** The reading of such a row. */
export function readingOf(row: readonly (number | null)[], known: readonly KnownSignal[]): Reading {
  const signals: Record<string, number> = {};
  for (const [n, { name }] of known.entries()) {
    const value = row[n + 1] ?? null;
    if (value !== null) signals[name] = value;
  }
  return { time: Math.round(row[0] as number), signals };
}

/** Place of each signal's column; the order is the catalogue's, in SQL too. */
const COLUMN_OF = new Map(SIGNALS.map(({ name }, column) => [name, column]));
const IS_CHARGING = COLUMN_OF.get('IsCharging') as number;
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
  const isFlag = isChargingFlag(name);
  const place = { column: isFlag ? undefined : COLUMN_OF.get(meantBy(name)), isFlag };
  if (places.size < MOST_PLACES) places.set(name, place);
  return place;
}

/** Values of the typed columns (undefined: none) and, under their own names, the signals without a column. */
export function toRow(signals: Signals): {
  columns: (number | undefined)[];
  rest: Record<string, number> | undefined;
} {
  const columns = new Array<number | undefined>(SIGNALS.length);
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
