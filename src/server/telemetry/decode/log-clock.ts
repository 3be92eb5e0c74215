import type { Range } from '#shared/domain/intervals.ts';
import { LogError } from './log-outcome.ts';
import { checkReadingTime, EARLIEST_READING_MS } from './reading-rules.ts';

export type LogClockOptions = {
  /** Real time of the log's first frame, in milliseconds since 1970. */
  readonly startMs?: number;
  /**
   * `if-before-2015` (default): moves only times before 2015, because a recorder without a set clock counts from
   * power-on. `always`: moves every time, so that the first frame is at `startMs`.
   */
  readonly shift?: 'if-before-2015' | 'always';
  /** Time of the portal's own clock, in milliseconds since 1970. */
  readonly now: number;
};

/** Converts the recorder's time to real time. */
export class LogClock {
  readonly #options: LogClockOptions;
  #firstMs: number | undefined;
  #earliest = Number.POSITIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;

  /** Creates the clock. @param firstMs the recorder's time of the log's first frame, if reading resumes later in the log */
  constructor(options: LogClockOptions, firstMs?: number) {
    this.#options = options;
    this.#firstMs = firstMs;
  }

  get firstMs(): number | undefined {
    return this.#firstMs;
  }

  /** Earliest and latest real time so far, both inclusive; undefined before the first valid time. */
  get span(): Range | undefined {
    return this.#earliest <= this.#latest ? { from: this.#earliest, to: this.#latest } : undefined;
  }

  /**
   * Returns the real time of a frame in milliseconds. Undefined if no reading may have that time: more than 10 minutes in the
   * future, or before 2015 (the recorder's clock was not set yet, and the options have no `startMs`).
   */
  realTime(recordedMs: number): number | undefined {
    this.#firstMs ??= recordedMs;
    const { startMs, shift = 'if-before-2015', now } = this.#options;
    const countsFromPowerOn = this.#firstMs < EARLIEST_READING_MS;
    const moved = shift === 'always' || (countsFromPowerOn && recordedMs < EARLIEST_READING_MS);
    const timeMs = moved && startMs !== undefined ? recordedMs - this.#firstMs + startMs : recordedMs;
    return this.#good(timeMs, now);
  }

  /**
   * Returns the real time for a time that is a date in its format (GPX). Such a time never counts from power-on, so only `always`
   * moves it.
   */
  realDate(recordedMs: number): number | undefined {
    const { shift, now } = this.#options;
    if (shift === 'always') return this.realTime(recordedMs);
    return this.#good(recordedMs, now);
  }

  /** Returns the error of a log whose times are all unusable because the clock was never set; undefined for any other log. */
  get neverSet(): LogError | undefined {
    const isSet =
      this.span !== undefined || this.#firstMs === undefined || this.#firstMs >= EARLIEST_READING_MS;
    if (isSet || this.#options.startMs !== undefined) return undefined;
    return new LogError('needs start', { kind: 'clock-without-start' });
  }

  #good(timeMs: number, now: number): number | undefined {
    if (checkReadingTime(timeMs, now) !== 'good') return undefined;
    if (timeMs < this.#earliest) this.#earliest = timeMs;
    if (timeMs > this.#latest) this.#latest = timeMs;
    return timeMs;
  }
}
