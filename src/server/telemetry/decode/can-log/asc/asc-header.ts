import { HeaderClock } from '#server/telemetry/decode/can-log/wall-clock.ts';
import { decodeText } from '#server/telemetry/decode/file-text.ts';
import { readAscDate } from './asc-date.ts';

/** Header lines of Vector's programs that do not affect how frames are read. */
const PASSED = /^(?:internal|no\s+internal)\s+events\s+logged|^end\s+triggerblock|^version\b|^\/\//i;
const DATED = /^(?:date|begin\s+triggerblock)\b(.*)$/i;
const BASE = /^base\s+(hex|dec)(?:\s+timestamps\s+(absolute|relative))?/i;

/**
 * Follows the header lines of an ASC file: the base of its numbers, and the instant from which its times count. Times
 * count from the last date before them, in the header or in a trigger block; but a later trigger block whose times
 * continue counts from the date before it.
 */
export class AscHeader {
  isDecimal = false;
  #isRelative = false;
  readonly #clock: HeaderClock;
  #baseMs = 0;
  #elapsedMs = 0;
  #isFirst = true;
  #nextBaseMs: number | undefined;

  constructor(utcStartMs: number | undefined) {
    this.#clock = new HeaderClock(utcStartMs);
  }

  /** Reads a line that does not begin with a time; returns false when an ASC file cannot contain it. */
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
    if (wallMs !== undefined) this.#nextBaseMs = this.#clock.instant(wallMs);
    return wallMs !== undefined || !/^date/i.test(text);
  }

  /**
   * Returns the instant of a line in milliseconds since 1970. Call it for every line that has a time: relative times
   * add up.
   */
  instant(written: number): number {
    if (this.#nextBaseMs !== undefined) {
      if (this.#isFirst || this.#isRelative || written < this.#elapsedMs) {
        this.#baseMs = this.#nextBaseMs;
        this.#elapsedMs = 0;
      }
      this.#nextBaseMs = undefined;
    }
    this.#isFirst = false;
    this.#elapsedMs = this.#isRelative ? this.#elapsedMs + written : written;
    return this.#baseMs + this.#elapsedMs;
  }
}
