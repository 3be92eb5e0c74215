import type { LineWords } from './line-words.ts';
import { WallClock } from './wall-clock.ts';

const OPEN = 40;
const CLOSE = 41;

/**
 * Reads the time with which candump begins a line on a terminal: seconds since 1970 (`-t a`), since the first line (`-t
 * z`) or since the previous line (`-t d`), or a date and time (`-t A`). The date is local time of the recording
 * computer (candump.c calls `localtime`) without a zone; it is read as Europe/Amsterdam.
 */
export class CandumpTime {
  readonly #words: LineWords;
  readonly #clock = new WallClock();
  /** The time that was read last, in milliseconds. */
  timeMs = 0;

  constructor(words: LineWords) {
    this.#words = words;
  }

  /** Reads the time at the beginning of the line and moves to the word after it. */
  read(): 'time' | 'none' | 'bad' {
    const words = this.#words;
    if (words.firstCode !== OPEN) return 'none';
    words.dropFirst();
    return words.lastCode === CLOSE ? this.#readSeconds() : this.#readDate();
  }

  #readSeconds(): 'time' | 'bad' {
    const words = this.#words;
    words.dropLast();
    const digits = words.leadingDigits;
    this.timeMs = words.real(1000);
    if (this.timeMs < 0 || digits === words.length || !words.next()) return 'bad';
    return 'time';
  }

  /** Format: `2026-11-27 08:00:00.123456)`. */
  #readDate(): 'time' | 'bad' {
    const words = this.#words;
    const year = words.digits(0, 4);
    const month = words.digits(5, 2);
    const day = words.digits(8, 2);
    if (words.length !== 10 || year < 0 || month < 1 || month > 12 || day < 1 || day > 31) return 'bad';
    if (!words.next() || words.lastCode !== CLOSE) return 'bad';
    words.dropLast();
    const hour = words.digits(0, 2);
    const minute = words.digits(3, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return 'bad';
    words.from += 6;
    const secondsMs = words.real(1000);
    if (secondsMs < 0 || secondsMs >= 61_000 || !words.next()) return 'bad';
    const minuteMs = this.#clock.instant(Date.UTC(year, month - 1, day, hour, minute));
    this.timeMs = minuteMs + secondsMs;
    return 'time';
  }
}
