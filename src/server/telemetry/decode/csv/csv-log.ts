import { FrameLogDecoder } from '#server/telemetry/decode/can-log/frame-log.ts';
import type { FrameDecodingOptions } from '#server/telemetry/decode/can-log/frame-reading-decoder.ts';
import { readGvretHeader } from '#server/telemetry/decode/can-log/gvret-header.ts';
import { GvretLine } from '#server/telemetry/decode/can-log/gvret-line.ts';
import { LineReader } from '#server/telemetry/decode/can-log/line-reader.ts';
import { isPythonCan, PythonCanLine } from '#server/telemetry/decode/can-log/python-can-line.ts';
import { decodeText } from '#server/telemetry/decode/file-text.ts';
import type { BusReport } from '#server/telemetry/decode/j1939/bus-report.ts';
import type { Dm1Log } from '#server/telemetry/decode/j1939/dm1-log.ts';
import type { LogClock } from '#server/telemetry/decode/log-clock.ts';
import type { LogStats } from '#server/telemetry/decode/log-outcome.ts';
import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import { type LogOffset, SecondReadingBuilder } from '#server/telemetry/decode/second-readings.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { countLines, csvRowEndOffset } from './csv-rows.ts';
import { LmbCsv } from './lmb-csv.ts';
import { readLmbCsvHeader } from './lmb-csv-header.ts';
import { WideCsv } from './wide-csv.ts';

/** Maximum length of the first row of a GVRET log: 64 columns of data take 300 bytes. */
const MAX_GVRET_HEADER_BYTES = 4096;
/**
 * Pattern of rows that are skipped before the header: empty rows, comments, and Excel's `sep=` row, because the header shows the
 * separator too.
 */
const PASSED = /^(?:#[\s\S]*|(?:"?sep=."?)?\s*)$/i;

/**
 * Decodes a CSV, part by part, into readings. The first row shows whether it contains CAN frames (GVRET, python-can), data of an
 * LMB logger, or other signals in columns.
 */
export class CsvLog {
  readonly #definition: Definition;
  readonly #frames: FrameDecodingOptions;
  readonly #clock: LogClock;
  readonly #stats: LogStats;
  readonly #from: LogOffset;
  #head: Uint8Array = new Uint8Array();
  /** Place of the header row. */
  #first: LogOffset = { byteOffset: 0, line: 0 };
  #log: FrameLogDecoder | LmbCsv | WideCsv | undefined;
  readonly #noReadings = new SecondReadingBuilder([]);

  /**
   * Creates the decoder.
   * @param frames how CAN frames are decoded, if the rows contain them
   * @param from place in the file; the rows before it were decoded into readings earlier, but the header is always read
   */
  constructor(
    definition: Definition,
    frames: FrameDecodingOptions,
    clock: LogClock,
    stats: LogStats,
    from: LogOffset,
  ) {
    this.#definition = definition;
    this.#frames = frames;
    this.#clock = clock;
    this.#stats = stats;
    this.#from = from;
  }

  /** The text from the header row on. */
  get #rows(): Uint8Array {
    return this.#head.subarray(this.#first.byteOffset);
  }

  get readings(): SecondReadingBuilder {
    return this.#log?.readings ?? this.#noReadings;
  }

  /** Undefined unless the rows contain CAN frames and the definition has J1939. */
  get busReport(): BusReport | undefined {
    return this.#log instanceof FrameLogDecoder ? this.#log.busReport : undefined;
  }

  /** Number of different identifiers without a definition, at most 1,000; 0 if the rows contain no frames. */
  get unknownIdentifiers(): number {
    return this.#log instanceof FrameLogDecoder ? this.#log.unknownIdentifiers : 0;
  }

  /** Undefined if the rows contain no frames. */
  get dm1(): Dm1Log | undefined {
    return this.#log instanceof FrameLogDecoder ? this.#log.dm1 : undefined;
  }

  /** Place in the file before which all rows are in finished readings. */
  get place(): LogOffset {
    return this.#log?.place ?? this.#from;
  }

  /**
   * Reads the next bytes.
   * @throws LogError 'header', 'no zone', 'coarse times' or 'no definition', and any error of `frames.plan`
   */
  push(piece: Uint8Array): void {
    if (this.#log !== undefined) {
      this.#log.push(piece);
      return;
    }
    this.#head = Buffer.concat([this.#head, piece]);
    let end = csvRowEndOffset(this.#rows);
    while (end !== undefined && PASSED.test(decodeText(this.#rows.subarray(0, end)))) {
      this.#first = { byteOffset: this.#first.byteOffset + end, line: this.#first.line + 1 };
      end = csvRowEndOffset(this.#rows);
    }
    if (end !== undefined) this.#begin(end);
    else if (this.#rows.length > MAX_GVRET_HEADER_BYTES) this.#begin(undefined);
  }

  /** Ends the text. @param cut whether reading stopped before the end of the text */
  end(cut: boolean): void {
    if (this.#log === undefined) this.#begin(this.#rows.length);
    this.#log?.end(cut);
  }

  /** Reads the header row. @param headerBytes size of the header row; undefined when it is too long for a GVRET log */
  #begin(headerBytes: number | undefined): void {
    const { byteOffset, line: linesBefore } = this.#first;
    const head = this.#rows;
    const clock = this.#clock;
    const stats = this.#stats;
    const { buses, mapping } = this.#definition;
    const row = head.subarray(0, headerBytes ?? 0);
    const text = decodeText(row);
    const begin = { byteOffset: byteOffset + row.length, line: linesBefore + countLines(row) };
    const header = readGvretHeader(text);
    const lmbHeader = header ? undefined : readLmbCsvHeader(text);
    if (lmbHeader !== undefined) {
      this.#log = new LmbCsv(lmbHeader, begin, clock, stats, this.#from);
      this.#head = new Uint8Array();
      this.#log.push(head.subarray(row.length));
      return;
    }
    const line = header ? new GvretLine(header) : isPythonCan(text) ? new PythonCanLine() : undefined;
    if (line === undefined) {
      this.#log = new WideCsv(mapping.signals, clock, stats, this.#from, this.#first);
    } else {
      if (buses.length === 0) throw new LogError('no definition', { kind: 'csv-without-definition' });
      const from = this.#from.byteOffset > begin.byteOffset ? this.#from : begin;
      this.#log = new FrameLogDecoder(
        (sink) => new LineReader(line, sink, stats, from),
        this.#frames,
        clock,
        stats,
        from,
      );
    }
    // A WideCsv gets the text from the header row on. A FrameLogDecoder gets the whole text, because its places count bytes from the
    // beginning of the file.
    this.#log.push(this.#log instanceof WideCsv ? head : this.#head);
    this.#head = new Uint8Array();
  }
}
