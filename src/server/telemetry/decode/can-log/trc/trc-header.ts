import { HeaderTimeConverter } from '#server/telemetry/decode/can-log/wall-clock.ts';
import { decodeText } from '#server/telemetry/decode/file-text.ts';

/** A column by PEAK's letter: number, offset, type, bus, identifier, direction, reserved, length code or length, data. */
export type TrcColumn = 'N' | 'O' | 'T' | 'B' | 'I' | 'd' | 'R' | 'L' | 'l' | 'D';

const KNOWN = 'NOTBIdRLlD';
const DAY_MS = 86_400_000;
/** 30 December 1899, day 0 of the dates in a TRC file, in ms since 1970. */
const DAY_0_MS = Date.UTC(1899, 11, 30);
const columnsOf = (letters: string): TrcColumn[] => [...letters] as TrcColumn[];

/** Columns by version. A file of version 2.0 or later lists its columns; the columns here are the default. */
const COLUMNS: Readonly<Record<string, readonly TrcColumn[]>> = {
  '1.0': columnsOf('NOILD'),
  '1.1': columnsOf('NOTILD'),
  '1.2': columnsOf('NOBTILD'),
  '1.3': columnsOf('NOBTIRLD'),
  '2.0': columnsOf('NOTIdlD'),
  '2.1': columnsOf('NOTBIdRLD'),
};

const SETTING = /^;\s*\$(\w+)\s*=(.*)$/;
/** Pattern of the comment with the start of the log. A file of version 1.0 contains its start only there. */
const START_COMMENT = /^;\s*Start time:\s*(\d{2})\.(\d{2})\.(\d{4}) (\d{2}):(\d{2}):(\d{2})\.(\d{3})/i;

/** Reads the header lines of a TRC file. */
export class TrcHeader {
  columns: readonly TrcColumn[] = COLUMNS['1.0'] as readonly TrcColumn[];
  /** Start in milliseconds since 1970; 0 when the file does not contain it. */
  startMs = 0;
  #hasStart = false;
  readonly #clock: HeaderTimeConverter;

  constructor(utcStartMs: number | undefined) {
    this.#clock = new HeaderTimeConverter(utcStartMs);
  }

  /** Reads a line that begins with a semicolon. */
  read(line: Uint8Array): void {
    const text = decodeText(line).trimEnd();
    const [, name = '', written = ''] = SETTING.exec(text) ?? [];
    const value = written.trimStart();
    if (name === 'FILEVERSION')
      this.columns = (Object.hasOwn(COLUMNS, value) && COLUMNS[value]) || this.columns;
    else if (name === 'COLUMNS') this.#readColumns(value);
    else if (name === 'STARTTIME') this.#readStart(value);
    else if (!this.#hasStart) this.#readComment(text);
  }

  #readColumns(value: string): void {
    const letters = value.split(',').map((letter) => letter.trim());
    const fits = letters.every((letter) => letter.length === 1 && KNOWN.includes(letter));
    if (fits && letters.includes('O') && letters.includes('I')) this.columns = letters as TrcColumn[];
  }

  /** Reads days since 30 December 1899. Writers use ten decimals, the last of which stands for about 0.01 ms. */
  #readStart(value: string): void {
    const days = /^\d{1,6}(?:\.\d{1,20})?$/.test(value) ? Number(value) : undefined;
    if (days === undefined) return;
    this.#hasStart = true;
    this.startMs = this.#clock.instant(DAY_0_MS + Math.round(days * DAY_MS * 100) / 100);
  }

  #readComment(text: string): void {
    const numbers = START_COMMENT.exec(text)?.slice(1).map(Number);
    if (numbers === undefined) return;
    const [day = 0, month = 0, year = 0, hour, minute, second, ms] = numbers;
    this.startMs = this.#clock.instant(Date.UTC(year, month - 1, day, hour, minute, second, ms));
  }
}
