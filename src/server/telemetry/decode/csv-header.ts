import { parse } from 'csv-parse/sync';
import type { SignalMapping } from '#shared/contract/definition.ts';
import { LogError } from './log-error.ts';
import { isSignalName, TIME_NAMES } from './signal-name.ts';

/** What the first row of a wide CSV says. */
export type CsvHeader = {
  readonly separator: ',' | ';' | '\t';
  /** With another separator than the comma, `1,5` is one and a half. */
  readonly decimalComma: boolean;
  readonly columnCount: number;
  readonly timeColumn: number;
  readonly signals: readonly CsvSignal[];
};

/** The value in the cell x factor + offset goes under this name. */
export type CsvSignal = {
  readonly column: number;
  readonly name: string;
  readonly factor: number;
  readonly offset: number;
};

/** In the order in which we would rather have them; upper and lower case are the same. */
const TIME_COLUMNS = [...TIME_NAMES.map((name) => name.toLowerCase()), 'timestamp', 'time'];
const MOST_COLUMNS = 1000;
const QUOTE = 34;
const NEWLINE = 10;

/**
 * Reads the header row: separator, time column and signals. A column with the DBC name of a mapped signal
 * gets our name; every other column keeps its own. Columns without a name are passed.
 * @throws LogError 'header' without a time column or a signal, or with two columns of one name
 */
export function readCsvHeader(row: string, mappings: readonly SignalMapping[]): CsvHeader {
  const separator = separatorOf(row);
  const cells = cellsOf(row, separator);
  if (cells.length > MOST_COLUMNS) throw new LogError('header', `CSV: meer dan ${MOST_COLUMNS} kolommen.`);
  const lower = cells.map((cell) => cell.toLowerCase());
  const timeName = TIME_COLUMNS.find((name) => lower.includes(name));
  if (timeName === undefined)
    throw new LogError(
      'header',
      'CSV: geen tijdkolom (time, timestamp, datetime, GMT_UNIX, RTC_UNIX) in de eerste regel.',
    );

  const signals: CsvSignal[] = [];
  const names = new Set<string>();
  cells.forEach((cell, column) => {
    if (cell === '' || TIME_COLUMNS.includes(lower[column] as string)) return;
    if (!isSignalName(cell))
      throw new LogError('header', `CSV: kolom ${column + 1} heeft geen bruikbare naam.`);
    const signal = { column, ...renamed(cell, cells, mappings) };
    if (names.has(signal.name)) throw new LogError('header', `CSV: kolom ${signal.name} staat er twee keer.`);
    names.add(signal.name);
    signals.push(signal);
  });
  if (signals.length === 0)
    throw new LogError('header', 'CSV: geen kolom met een signaal in de eerste regel.');
  const timeColumn = lower.indexOf(timeName);
  return { separator, decimalComma: separator !== ',', columnCount: cells.length, timeColumn, signals };
}

/** @throws LogError 'header' */
export function cellsOf(row: string, separator: string): string[] {
  try {
    return parse(row, { delimiter: separator, relax_quotes: true, trim: true, to: 1 })[0] ?? [];
  } catch (cause) {
    throw new LogError('header', 'CSV: de eerste regel is onleesbaar.', { cause });
  }
}

/** Only when the mapping speaks of this name once, and the file has no column of our own name already. */
function renamed(
  cell: string,
  cells: readonly string[],
  mappings: readonly SignalMapping[],
): Omit<CsvSignal, 'column'> {
  const [mapping, second] = mappings.filter(({ signal }) => signal === cell);
  if (mapping === undefined || second !== undefined || (mapping.to !== cell && cells.includes(mapping.to)))
    return { name: cell, factor: 1, offset: 0 };
  return { name: mapping.to, factor: mapping.factor ?? 1, offset: mapping.offset ?? 0 };
}

/** The separator that the row has most of, outside quotes. */
export function separatorOf(row: string): CsvHeader['separator'] {
  const bare = row.replace(/"[^"]*"/g, '');
  const counts = ([';', '\t', ','] as const).map((separator) => ({
    separator,
    count: bare.split(separator).length,
  }));
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).separator;
}

/** Where the first row ends, its line end included. */
export function rowEnd(text: Uint8Array): number | undefined {
  let inQuotes = false;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === QUOTE) inQuotes = !inQuotes;
    else if (text[index] === NEWLINE && !inQuotes) return index + 1;
  }
  return undefined;
}
