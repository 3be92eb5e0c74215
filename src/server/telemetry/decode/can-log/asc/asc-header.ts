import { HeaderClock } from '#server/telemetry/decode/can-log/wall-clock.ts';
import { decodeText } from '#server/telemetry/decode/file-text.ts';
import { readAscDate } from './asc-date.ts';

/** Lines of Vector's programs that say nothing about frames. */
const PASSED = /^(?:internal|no\s+internal)\s+events\s+logged|^end\s+triggerblock|^version\b|^\/\//i;
const DATED = /^(?:date|begin\s+triggerblock)\b(.*)$/i;
const BASE = /^base\s+(hex|dec)(?:\s+timestamps\s+(absolute|relative))?/i;

/**
 * Follows the header lines of an ASC file: how its numbers are written, and from when its times count. They count from
 * the last date before them, of the header or of a trigger block, but a later trigger block in which the times go on
 * counts from the date before.
 */
export class AscHeader {
  isDecimal = false;
  #isRelative = false;
  readonly #clock: HeaderClock;
  /** Milliseconds. */
  #base = 0;
  #elapsed = 0;
  #isFirst = true;
  #nextBase: number | undefined;

  constructor(utcStartMs: number | undefined) {
    this.#clock = new HeaderClock(utcStartMs);
  }

  /** Reads a line that does not begin with a time; false when it is none of an ASC file. */
  read(line: Uint8Array): boolean {
    const text = decodeText(line).trim();
    const base = BASE.exec(text);
    if (base !== null) {
      this.isDecimal = base[1]?.toLowerCase() === 'dec';
      this.#isRelative = base[2]?.toLowerCase() === 'relative';
      return true;
    }
    const dated = DATED.exec(text);
    if (dated === null) return PASSED.test(text);
    const wallMs = readAscDate(dated[1] ?? '');
    if (wallMs !== undefined) this.#nextBase = this.#clock.instant(wallMs);
    return wallMs !== undefined || !/^date/i.test(text);
  }

  /** Returns the instant of a line in milliseconds since 1970; every line with a time counts, where they are relative. */
  instant(written: number): number {
    if (this.#nextBase !== undefined) {
      if (this.#isFirst || this.#isRelative || written < this.#elapsed) {
        this.#base = this.#nextBase;
        this.#elapsed = 0;
      }
      this.#nextBase = undefined;
    }
    this.#isFirst = false;
    this.#elapsed = this.#isRelative ? this.#elapsed + written : written;
    return this.#base + this.#elapsed;
  }
}
