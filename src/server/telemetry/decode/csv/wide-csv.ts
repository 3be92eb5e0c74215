import { decodeText } from '#server/telemetry/decode/file-text.ts';
import type { LogClock } from '#server/telemetry/decode/log-clock.ts';
import {
  countBadLine,
  LogError,
  type LogStats,
  printableLineStart,
} from '#server/telemetry/decode/log-outcome.ts';
import { isSignalName, TIME_FIELD_NAMES } from '#server/telemetry/decode/reading-rules.ts';
import { type LogOffset, SecondReadingBuilder } from '#server/telemetry/decode/second-readings.ts';
import type { SignalMapping } from '#shared/contract/definition.ts';
import type { BadColumn } from '#shared/domain/delivery-findings/format-texts.ts';
import { describeBadRow, MAX_COLUMNS, tooManyColumnsError, unknownFrameFormatError } from './csv-errors.ts';
import {
  CsvRows,
  type CsvSeparator,
  countLines,
  csvRowEndOffset,
  parseCsvRow,
  separatorOf,
} from './csv-rows.ts';
import { readCsvNumber, readCsvTime } from './csv-time.ts';
import { isReportHead, toSignalHeader } from './report-csv.ts';

const MAX_CSV_HEADER_BYTES = 128 * 1024;
const TIMES = '2026-06-01T10:00:00Z of 1780308000';

/**
 * Decodes a wide CSV, part by part, into readings: a header row, a column with the time, and a column per signal. An empty cell has
 * no value; a cell that is no number is left out and counted. A row with a different number of cells than the header, or without a
 * readable time, is a bad line.
 */
export class WideCsv {
  readonly #mappings: readonly SignalMapping[];
  readonly #clock: LogClock;
  readonly #stats: LogStats;
  /** Place in the file. The rows before it were decoded into readings earlier; the header is always read. */
  readonly #from: LogOffset;
  readonly #first: LogOffset;
  #offset: number;
  #head: Uint8Array = new Uint8Array();
  #body: { header: CsvHeader; rows: CsvRows; from: LogOffset } | undefined;
  #readings = new SecondReadingBuilder([]);

  /** Creates the decoder. @param first place of the header row, with which the pushed text starts */
  constructor(
    mappings: readonly SignalMapping[],
    clock: LogClock,
    stats: LogStats,
    from: LogOffset,
    first: LogOffset,
  ) {
    this.#first = first;
    this.#offset = first.byteOffset;
    this.#mappings = mappings;
    this.#clock = clock;
    this.#stats = stats;
    this.#from = from;
  }

  get readings(): SecondReadingBuilder {
    return this.#readings;
  }

  /** Place in the file before which all rows are in finished readings. */
  get place(): LogOffset {
    return this.#readings.unfinishedFrom ?? this.#body?.rows.place ?? this.#from;
  }

  /** Reads the next bytes. @throws LogError 'header' or 'no zone' */
  push(piece: Uint8Array): void {
    const offset = this.#offset;
    this.#offset += piece.length;
    if (this.#body !== undefined) {
      this.#pushRows(piece, offset);
      return;
    }
    this.#head = Buffer.concat([this.#head, piece]);
    const end = csvRowEndOffset(this.#head);
    if (end !== undefined) this.#begin(end);
    else if (this.#head.length > MAX_CSV_HEADER_BYTES)
      throw new LogError('header', { kind: 'csv-header-too-long' });
  }

  /** Ends the text. @param cut whether reading stopped before the end of the text; an incomplete last row then counts as a bad line */
  end(cut: boolean): void {
    if (this.#body === undefined) this.#begin(this.#head.length);
    const rows = this.#body?.rows;
    if (!cut) rows?.end();
    else if (rows && rows.rest.length > 0 && this.#body)
      this.#countBad(this.#body.header, rows.rest, rows.place);
    this.#readings.finish();
  }

  #begin(headerBytes: number): void {
    const text = this.#head;
    const header = readCsvHeader(decodeText(text.subarray(0, headerBytes)), this.#mappings, this.#stats);
    const { byteOffset, line } = this.#first;
    const afterHeader = {
      byteOffset: byteOffset + headerBytes,
      line: line + countLines(text.subarray(0, headerBytes)),
    };
    const from = this.#from.byteOffset > afterHeader.byteOffset ? this.#from : afterHeader;
    this.#readings = new SecondReadingBuilder(header.signals.map(({ name }) => name));
    const rows = new CsvRows(header.separator, from, (row, place) => this.#readRow(header, row, place));
    this.#body = { header, rows, from };
    this.#head = new Uint8Array();
    this.#pushRows(text.subarray(headerBytes), afterHeader.byteOffset);
  }

  #pushRows(text: Uint8Array, offset: number): void {
    const passed = Math.max(0, (this.#body?.from.byteOffset ?? 0) - offset);
    this.#body?.rows.push(text.subarray(passed));
  }

  #countBad(
    { columnCount, separator }: CsvHeader,
    row: readonly string[] | Uint8Array,
    place: LogOffset,
  ): void {
    countBadLine(this.#stats, place.line + 1, () => describeBadRow(row, separator, columnCount, TIMES));
  }

  #readRow(header: CsvHeader, row: readonly string[] | Uint8Array, place: LogOffset): void {
    const stats = this.#stats;
    const cells = row instanceof Uint8Array || !hasAllCells(row, header.columnCount) ? undefined : row;
    const cell = cells?.[header.timeColumn];
    if (header.isReport && !(row instanceof Uint8Array) && row.length === 1) return;
    const recorded =
      cell === undefined ? undefined : readCsvTime(header.isReport ? `${cell}Z` : cell, header.decimalComma);
    if (recorded === 'no zone' && stats.frames === 0)
      throw new LogError('no zone', {
        kind: 'csv-time-without-zone',
        line: place.line + 1,
        time: cell?.slice(0, 40) ?? '',
      });
    if (cells === undefined || typeof recorded !== 'number') {
      this.#countBad(header, row, place);
      return;
    }

    stats.frames += 1;
    const time = this.#clock.realTime(recorded);
    if (time === undefined) {
      stats.refusedTimes += 1;
      return;
    }
    this.#readings.at(time, place.byteOffset, place.line);
    stats.decodedFrames += 1;
    header.signals.forEach(({ column, factor, offset }, slot) => {
      const text = cells[column];
      if (text === undefined || text === '') return;
      const value = (readCsvNumber(text, header.decimalComma) ?? Number.NaN) * factor + offset;
      if (!this.#readings.set(slot, value)) stats.skippedValues += 1;
    });
  }
}

/** Some programs end each row except the header with a separator. */
const hasAllCells = (row: readonly string[], count: number): boolean =>
  row.length === count || (row.length === count + 1 && row[count] === '');

type CsvHeader = {
  readonly separator: CsvSeparator;
  /** Whether `1,5` is one and a half, as in a file that does not use the comma as separator. */
  readonly decimalComma: boolean;
  readonly columnCount: number;
  readonly timeColumn: number;
  readonly signals: readonly CsvSignal[];
  /**
   * Whether the file is the portal's own report 'Metingen': its times are in UTC without a zone, and notes in one cell follow the
   * rows.
   */
  readonly isReport: boolean;
};

/** A column of the file. The portal stores (value of the cell) x factor + offset under `name`. */
type CsvSignal = {
  readonly column: number;
  readonly name: string;
  readonly factor: number;
  readonly offset: number;
};

/** Names of the time column, in order of preference; case is ignored. */
const TIME_COLUMNS = [...TIME_FIELD_NAMES.map((name) => name.toLowerCase()), 'timestamp', 'time', 'tijd'];

/**
 * Reads the header row: separator, time column and signals. A column with the DBC name of a mapped signal gets the portal's name;
 * every other column keeps its own name. Columns without a name are skipped. A column with an invalid name, or a name that occurs
 * twice, is left out and counted.
 * @throws LogError 'header' without a time column or a signal
 */
function readCsvHeader(row: string, mappings: readonly SignalMapping[], stats: LogStats): CsvHeader {
  if (row.trim() === '') throw new LogError('header', { kind: 'csv-empty' });
  const separator = separatorOf(row);
  const headings = parseCsvRow(row, separator);
  const isReport = isReportHead(headings);
  const cells = isReport ? toSignalHeader(headings) : headings;
  if (cells.length > MAX_COLUMNS) throw tooManyColumnsError();
  const lower = cells.map((cell) => cell.toLowerCase());
  const frames = unknownFrameFormatError(lower);
  if (frames) throw frames;
  const timeName = TIME_COLUMNS.find((name) => lower.includes(name));
  if (timeName === undefined)
    throw new LogError('header', { kind: 'csv-without-time', row: printableLineStart(row) });

  const signals: CsvSignal[] = [];
  const names = new Set<string>();
  cells.forEach((cell, column) => {
    if (cell === '' || TIME_COLUMNS.includes(lower[column] as string)) return;
    if (!isSignalName(cell)) {
      leaveOut(stats, { column: column + 1 });
      return;
    }
    const signal = { column, ...renamed(cell, cells, mappings) };
    if (names.has(signal.name)) {
      leaveOut(stats, { name: signal.name });
      return;
    }
    names.add(signal.name);
    signals.push(signal);
  });
  if (signals.length === 0) throw new LogError('header', { kind: 'csv-without-signal' });
  const timeColumn = lower.indexOf(timeName);
  return {
    separator,
    decimalComma: separator !== ',',
    columnCount: cells.length,
    timeColumn,
    signals,
    isReport,
  };
}

function leaveOut(stats: LogStats, bad: BadColumn): void {
  const { count, first } = stats.columnsLeftOut ?? { count: 0, first: bad };
  stats.columnsLeftOut = { count: count + 1, first };
}

/** Returns the portal's name when exactly one mapping has this signal and the file has no column with the portal's name. */
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
