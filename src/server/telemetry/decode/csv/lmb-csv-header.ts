import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import { isSignalName } from '#server/telemetry/decode/reading-rules.ts';
import { getOwnProperty } from '#shared/domain/own-value.ts';
import { badColumnError, MAX_COLUMNS, tooManyColumnsError } from './csv-errors.ts';
import { type CsvSeparator, parseCsvRow, separatorOf } from './csv-rows.ts';

/** Signals by the column of an LMB CSV, in lower case. */
const SIGNALS = {
  lat: 'LATITUDE',
  lon: 'LONGITUDE',
  speed: 'Speed',
  machinestatus: 'Machinestatus',
  spoor: 'Spoor',
  spoorstand: 'Spoorstand',
} as const;
const TIME = 'time';
/** Names of the columns as error messages spell them. */
const COLUMNS = ['time', 'lat', 'lon', 'Speed', 'Machinestatus', 'Spoor', 'Spoorstand'];
/** Columns that identify an LMB CSV: it has at least one of them. */
const CODES = ['machinestatus', 'spoor', 'spoorstand'];
/** A CSV with at least this many of COLUMNS, including one of CODES, is an LMB CSV; a missing column is then an error. */
const FEWEST = 4;

/** The first row of an LMB CSV. */
export type LmbCsvHeader = {
  readonly separator: CsvSeparator;
  readonly columnCount: number;
  readonly timeColumn: number;
  /** The columns with values. A column that is not in SIGNALS keeps its own name. */
  readonly signals: readonly { readonly column: number; readonly name: string }[];
};

/**
 * Reads the first row of an LMB CSV: time, lat, lon, Speed, Machinestatus, Spoor, Spoorstand, in any order, in upper or lower case.
 * Returns undefined for another CSV.
 * @throws LogError 'header' when a column is missing or occurs twice
 */
export function readLmbCsvHeader(row: string): LmbCsvHeader | undefined {
  const separator = separatorOf(row);
  const cells = parseCsvRow(row, separator);
  const lower = cells.map((cell) => cell.toLowerCase());
  const known = COLUMNS.filter((column) => lower.includes(column.toLowerCase()));
  if (known.length < FEWEST || !CODES.some((code) => lower.includes(code))) return undefined;

  if (cells.length > MAX_COLUMNS) throw tooManyColumnsError();
  const missing = COLUMNS.filter((column) => !known.includes(column));
  if (missing.length > 0) {
    const found = cells.filter((cell) => cell !== '').join(', ');
    throw new LogError('header', {
      kind: 'csv-columns-missing',
      missing: missing.join(', '),
      found: found.slice(0, 200),
    });
  }
  const names = new Set<string>();
  const signals = cells.flatMap((cell, column) => {
    if (cell === '') return [];
    const name = getOwnProperty(SIGNALS, lower[column] as string) ?? cell;
    if (!isSignalName(name)) throw badColumnError({ column: column + 1 });
    if (names.has(name.toLowerCase())) throw badColumnError({ name: cell });
    names.add(name.toLowerCase());
    return lower[column] === TIME ? [] : [{ column, name }];
  });
  return { separator, columnCount: cells.length, timeColumn: lower.indexOf(TIME), signals };
}
