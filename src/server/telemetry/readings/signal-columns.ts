import { packNumberOf } from '#shared/domain/packs.ts';
import {
  isChargingFlag,
  type KnownSignal,
  type Reading,
  SIGNALS,
  type Signals,
} from '#shared/domain/signal.ts';

/** The signals with the state of charge that figures use, one for each pack (docs/figures.md section 7). */
export const SOC_SIGNALS = SIGNALS.filter(({ name }) => name.startsWith('Soc'));

/** A reading and its stream; `time` in ms since 1970. */
export type StreamReading = {
  readonly streamId: number;
  readonly time: number;
  readonly signals: Signals;
  /** Time when the reading was received, in ms. */
  readonly receivedAt?: number;
};

/** Index of each signal's column: its place in SIGNALS, which is also the order in SQL. */
const COLUMN_OF = new Map(SIGNALS.map(({ name }, column) => [name, column]));
const FIRST_PACK = COLUMN_OF.get('Soc1') as number;
const IS_CHARGING = COLUMN_OF.get('IsCharging') as number;

/**
 * The column that stores the values of a signal's name, if there is one. Charging flags share a column, and so do states of
 * charge of one pack.
 */
type Place = {
  readonly column: number | undefined;
  readonly pack: number | undefined;
  readonly isFlag: boolean;
};

/** Results of `placeOf` by name, cached because the same loggers send the same names thousands of times a second. */
const places = new Map<string, Place>();
const MAX_CACHED_PLACES = 20_000;

function placeOf(name: string): Place {
  const before = places.get(name);
  if (before !== undefined) return before;
  const place = { column: COLUMN_OF.get(name), pack: packNumberOf(name), isFlag: isChargingFlag(name) };
  if (places.size < MAX_CACHED_PLACES) places.set(name, place);
  return place;
}

/** A row of `reading` without stream and time: values of the typed columns (undefined: none), and all other values by name. */
export type ReadingRow = {
  readonly columns: readonly (number | undefined)[];
  readonly rest: Readonly<Record<string, number>> | undefined;
};

/**
 * Returns the row of a reading. The column of a pack contains the value that figures use. If the reading has only one value for the
 * pack, under the name of the column, that value is stored only there; otherwise all values of the pack are also in `rest` under
 * their own names. Flags are in `rest` too, unless IsCharging is the only one.
 * @param packs the states of charge that figures use, by pack number less 1
 */
export function toRow(signals: Signals, packs: readonly (number | undefined)[]): ReadingRow {
  const columns = new Array<number | undefined>(SIGNALS.length);
  let rest: Record<string, number> | undefined;
  let flags = 0;
  let socs: string[] | undefined;
  const keep = (name: string): void => {
    rest ??= {};
    rest[name] = signals[name] as number;
  };
  for (const name in signals) {
    const { column, pack, isFlag } = placeOf(name);
    if (isFlag) flags += 1;
    if (pack !== undefined) {
      socs ??= [];
      socs.push(name);
    } else if (column === undefined) keep(name);
    else columns[column] = signals[name];
  }
  if (flags > 1 && columns[IS_CHARGING] !== undefined) {
    columns[IS_CHARGING] = undefined;
    keep('IsCharging');
  }
  for (const name of socs ?? []) {
    const pack = packNumberOf(name) as number;
    const counts = packs[pack - 1];
    columns[FIRST_PACK + pack - 1] = counts;
    const isAlone =
      counts !== undefined &&
      name === SIGNALS[FIRST_PACK + pack - 1]?.name &&
      !socs?.some((other) => other !== name && packNumberOf(other) === pack);
    if (!isAlone) keep(name);
  }
  return { columns, rest };
}

/**
 * Readings in columns, in order of time.
 * @property times ms
 * @property known values of known signals' columns; NaN if there is none
 * @property rests values under their own names, by reading; null if there are none
 */
export type WholeReadings = {
  readonly times: Float64Array;
  readonly known: readonly Float64Array[];
  readonly rests: readonly (Signals | null)[];
};

/**
 * Converts readings in columns to a list of single readings.
 * @param known the signals of the columns
 * @param counts whether a value of `rests` with this name is returned
 */
export function iterateReadings(
  { times, known: columns, rests }: WholeReadings,
  known: readonly KnownSignal[] = SIGNALS,
  counts: (name: string) => boolean = () => true,
): Reading[] {
  const used = columns.flatMap((values, n) =>
    values.every(Number.isNaN) ? [] : [{ values, name: (known[n] as KnownSignal).name }],
  );
  return Array.from(times, (time, row) => {
    const rest = rests[row] ?? undefined;
    const isInRest = rest && storedIn(rest);
    const signals: Record<string, number> = {};
    for (const name in rest) if (counts(name)) signals[name] = rest[name] as number;
    for (const { values, name } of used) {
      const value = values[row] as number;
      if (!Number.isNaN(value) && !isInRest?.(name)) signals[name] = value;
    }
    return { time, signals };
  });
}

/** Returns a function that returns whether all values that were sent for a column's pack or flag are in `rest`. */
function storedIn(rest: Signals): (name: string) => boolean {
  const named = Object.keys(rest);
  const hasFlag = named.some(isChargingFlag);
  const packs = new Set(named.map(packNumberOf));
  return (name) => (name === 'IsCharging' ? hasFlag : packs.has(packNumberOf(name) ?? 0));
}
