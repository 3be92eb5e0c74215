import { parse } from 'csv-parse/sync';
import { LogError, printableLineStart } from '#server/telemetry/decode/log-outcome.ts';
import type { LogOffset } from '#server/telemetry/decode/second-readings.ts';

const QUOTE = 34;
const NEWLINE = 10;
/** Maximum length of a row in bytes: more than a row of 1,000 columns has. A longer row has an opening quote without a closing one. */
const MAX_ROW_BYTES = 256 * 1024;

/** Receives a row and its place. The row is a list of cells, or a text if it cannot be read. */
type OnRow = (row: readonly string[] | Uint8Array, place: LogOffset) => void;

/**
 * Splits a stream of bytes, which arrives in parts of any size, into the rows of a CSV. Quoted cells may contain line ends. Holds
 * at most one row: a row that does not end within 256 KiB is bad, and the next line starts a new row.
 */
export class CsvRows {
  readonly #separator: string;
  readonly #onRow: OnRow;
  #rest: Uint8Array = new Uint8Array();
  #inQuotes = false;
  /** Whether the rest of an endless row is being skipped, up to the next line end. */
  #passing = false;
  #place: LogOffset;

  constructor(separator: string, from: LogOffset, onRow: OnRow) {
    this.#separator = separator;
    this.#place = from;
    this.#onRow = onRow;
  }

  /** Place of the first incomplete row. */
  get place(): LogOffset {
    return this.#place;
  }

  get rest(): Uint8Array {
    return this.#rest;
  }

  push(piece: Uint8Array): void {
    const fresh = this.#passing ? this.#afterEndlessRow(piece) : piece;
    const text = Buffer.concat([this.#rest, fresh]);
    const rowEnds: number[] = [];
    for (let index = this.#rest.length; index < text.length; index++) {
      if (text[index] === QUOTE) this.#inQuotes = !this.#inQuotes;
      else if (text[index] === NEWLINE && !this.#inQuotes) rowEnds.push(index + 1);
    }
    const complete = rowEnds.at(-1) ?? 0;
    if (complete > 0) this.#read(text.subarray(0, complete), rowEnds);
    this.#rest = Uint8Array.from(text.subarray(complete));
    if (this.#rest.length > MAX_ROW_BYTES) this.#passEndlessRow();
  }

  /** Reads the last row if it has no line end. */
  end(): void {
    if (this.#rest.length > 0) this.#read(this.#rest, [this.#rest.length]);
    this.#rest = new Uint8Array();
  }

  /** Parses several rows together. One bad quote makes the whole text unreadable; then each row is parsed separately. */
  #read(rows: Uint8Array, rowEnds: readonly number[]): void {
    const { byteOffset, line } = this.#place;
    const parsed = this.#parse(rows);
    if (parsed !== undefined) {
      let bytes = 0;
      let lines = 0;
      for (const { record, info } of parsed) {
        this.#onRow(record, { byteOffset: byteOffset + bytes, line: line + lines });
        bytes = info.bytes;
        lines = info.lines;
      }
    } else if (rowEnds.length === 1) {
      this.#onRow(rows, this.#place);
    } else {
      let start = 0;
      for (const end of rowEnds) {
        this.#read(rows.subarray(start, end), [end - start]);
        start = end;
      }
      return;
    }
    this.#pass(rows);
  }

  #parse(rows: Uint8Array): { record: string[]; info: { bytes: number; lines: number } }[] | undefined {
    try {
      const options = { relax_quotes: true, relax_column_count: true, skip_empty_lines: true, trim: true };
      // `info` makes the parser add to each record how much it had read; the package's types do not declare this option's result.
      const parsed: unknown = parse(rows, { ...options, delimiter: this.#separator, info: true });
      return parsed as { record: string[]; info: { bytes: number; lines: number } }[];
    } catch {
      return undefined;
    }
  }

  #pass(text: Uint8Array): void {
    const { byteOffset, line } = this.#place;
    this.#place = { byteOffset: byteOffset + text.length, line: line + countLines(text) };
  }

  #passEndlessRow(): void {
    this.#onRow(this.#rest, this.#place);
    this.#pass(this.#rest);
    this.#rest = new Uint8Array();
    this.#inQuotes = false;
    this.#passing = true;
  }

  #afterEndlessRow(piece: Uint8Array): Uint8Array {
    const end = piece.indexOf(NEWLINE) + 1;
    this.#passing = end === 0;
    const passed = this.#passing ? piece.length : end;
    this.#pass(piece.subarray(0, passed));
    return piece.subarray(passed);
  }
}

export function countLines(text: Uint8Array): number {
  let lines = 0;
  for (const code of text) if (code === NEWLINE) lines += 1;
  return lines;
}

export type CsvSeparator = ',' | ';' | '\t' | '|';

/** Returns the separator that is most frequent in the row, outside quotes. */
export function separatorOf(row: string): CsvSeparator {
  const bare = row.replace(/"[^"]*"/g, '');
  const counts = ([';', '\t', ',', '|'] as const).map((separator) => ({
    separator,
    count: bare.split(separator).length,
  }));
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).separator;
}

/** Returns the offset after the line end of the first row; undefined without a line end. */
export function csvRowEndOffset(text: Uint8Array): number | undefined {
  let inQuotes = false;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === QUOTE) inQuotes = !inQuotes;
    else if (text[index] === NEWLINE && !inQuotes) return index + 1;
  }
  return undefined;
}

/** Returns the cells of a row. @throws LogError 'header' */
export function parseCsvRow(row: string, separator: string): string[] {
  try {
    return parse(row, { delimiter: separator, relax_quotes: true, trim: true, to: 1 })[0] ?? [];
  } catch (cause) {
    throw new LogError('header', { kind: 'csv-header-unreadable', row: printableLineStart(row) }, { cause });
  }
}
