import type { SignalMapping } from '#shared/contract/definition.ts';
import { type CsvHeader, readCsvHeader, rowEnd } from './csv-header.ts';
import { CsvRows, countLines } from './csv-rows.ts';
import { readCsvNumber, readCsvTime } from './csv-time.ts';
import { decodeText } from './dbc-text.ts';
import type { LogClock } from './log-clock.ts';
import { LogError } from './log-error.ts';
import { countBadLine, type LogStats } from './log-stats.ts';
import { type LogPlace, SecondReadings } from './second-readings.ts';

const LONGEST_HEADER = 128 * 1024;

/**
 * Decodes a wide CSV, piece by piece, into readings: a header row, a column with the time, a column per
 * signal. An empty cell is absent; one that is no number is left out and counted. A row with another number
 * of cells than the header, or without a readable time, is a bad line.
 */
export class WideCsv {
  readonly #mappings: readonly SignalMapping[];
  readonly #clock: LogClock;
  readonly #stats: LogStats;
  /** Rows before this place were read earlier; the header is read always. */
  readonly #from: LogPlace;
  #offset = 0;
  #head: Uint8Array = new Uint8Array();
  #body: { header: CsvHeader; rows: CsvRows; from: LogPlace } | undefined;
  #readings = new SecondReadings([]);

  constructor(mappings: readonly SignalMapping[], clock: LogClock, stats: LogStats, from: LogPlace) {
    this.#mappings = mappings;
    this.#clock = clock;
    this.#stats = stats;
    this.#from = from;
  }

  get readings(): SecondReadings {
    return this.#readings;
  }

  /** Everything before this place is in readings that are finished. */
  get place(): LogPlace {
    return this.#readings.unfinishedFrom ?? this.#body?.rows.place ?? this.#from;
  }

  /** @throws LogError 'header' or 'no zone' */
  push(piece: Uint8Array): void {
    const offset = this.#offset;
    this.#offset += piece.length;
    if (this.#body !== undefined) {
      this.#pushRows(piece, offset);
      return;
    }
    this.#head = Buffer.concat([this.#head, piece]);
    const end = rowEnd(this.#head);
    if (end !== undefined) this.#begin(end);
    else if (this.#head.length > LONGEST_HEADER)
      throw new LogError('header', 'CSV: de eerste regel is te lang.');
  }

  /** @param cut the text is known to go on; then what stands after the last line end is a bad line */
  end(cut: boolean): void {
    if (this.#body === undefined) this.#begin(this.#head.length);
    const rows = this.#body?.rows;
    if (!cut) rows?.end();
    else if (rows?.hasRest) countBadLine(this.#stats, rows.place.line + 1);
    this.#readings.finish();
  }

  #begin(headerBytes: number): void {
    const text = this.#head;
    const header = readCsvHeader(decodeText(text.subarray(0, headerBytes)), this.#mappings);
    const afterHeader = { byteOffset: headerBytes, line: countLines(text.subarray(0, headerBytes)) };
    const from = this.#from.byteOffset > headerBytes ? this.#from : afterHeader;
    this.#readings = new SecondReadings(header.signals.map(({ name }) => name));
    const rows = new CsvRows(header.separator, from, (cells, place) => this.#readRow(header, cells, place));
    this.#body = { header, rows, from };
    this.#head = new Uint8Array();
    this.#pushRows(text.subarray(headerBytes), headerBytes);
  }

  #pushRows(text: Uint8Array, offset: number): void {
    const passed = Math.max(0, (this.#body?.from.byteOffset ?? 0) - offset);
    this.#body?.rows.push(text.subarray(passed));
  }

  #readRow(header: CsvHeader, cells: readonly string[] | undefined, place: LogPlace): void {
    const stats = this.#stats;
    const cell = cells?.length === header.columnCount ? cells[header.timeColumn] : undefined;
    const recorded = cell === undefined ? undefined : readCsvTime(cell, header.decimalComma);
    if (recorded === 'no zone' && stats.frames === 0)
      throw new LogError(
        'no zone',
        `CSV, regel ${place.line + 1}: tijd '${cell?.slice(0, 40)}' zonder tijdzone (Z of +01:00).`,
      );
    if (cells === undefined || typeof recorded !== 'number') {
      countBadLine(stats, place.line + 1);
      return;
    }

    stats.frames += 1;
    const time = this.#clock.realTime(recorded);
    if (time === undefined) {
      stats.refusedTimes += 1;
      this.#readings.finish();
      return;
    }
    this.#readings.at(time, place.byteOffset, place.line);
    stats.decodedFrames += 1;
    header.signals.forEach(({ column, factor, offset }, slot) => {
      const text = cells[column];
      if (text === undefined || text === '') return;
      const value = (readCsvNumber(text, header.decimalComma) ?? Number.NaN) * factor + offset;
      if (Number.isFinite(value)) this.#readings.set(slot, value);
      else stats.skippedValues += 1;
    });
  }
}
