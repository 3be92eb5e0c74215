import { amsterdamInstant } from '#shared/domain/amsterdam-time.ts';

const HOUR_MS = 3_600_000;
/** A time that is further back than this shows that summer time ended (clocks go back an hour). A smaller step is disorder in the log. */
const WENT_BACK_MS = HOUR_MS / 2;
/** Start of the year 10000; a log has no later date. */
const LATEST_MS = 253_402_300_800_000;
/** Start times in a header and in the file's name, which has whole seconds, count as equal up to this difference. */
const SAME_START_MS = 2000;

/**
 * Converts times on the clock of a recording computer to instants in the zone Europe/Amsterdam. In the hour that occurs twice in
 * October the order of the log decides. Times are in milliseconds; the time on the clock is expressed as if it were UTC.
 */
export class LocalTimeConverter {
  #hour = Number.NaN;
  /** Offsets that give the instant when added to a clock time of the current hour: in the first and in the last occurrence of that hour. */
  #firstOffset = 0;
  #lastOffset = 0;
  #isLast = false;
  #previousMs = Number.NEGATIVE_INFINITY;

  instant(wallMs: number): number {
    if (!(wallMs >= 0 && wallMs < LATEST_MS)) return wallMs;
    const hour = Math.floor(wallMs / HOUR_MS);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#isLast = false;
      const shown = new Date(hour * HOUR_MS).toISOString().slice(0, 16);
      this.#firstOffset = (amsterdamInstant(shown, 'first') ?? hour * HOUR_MS) - hour * HOUR_MS;
      this.#lastOffset = (amsterdamInstant(shown, 'last') ?? hour * HOUR_MS) - hour * HOUR_MS;
    }
    if (wallMs + this.#firstOffset < this.#previousMs - WENT_BACK_MS) this.#isLast = true;
    this.#previousMs = wallMs + (this.#isLast ? this.#lastOffset : this.#firstOffset);
    return this.#previousMs;
  }
}

/**
 * Converts the date in a log's header to an instant. Vector (ASC, BLF) and PEAK (TRC) write local time of the recording computer
 * without a zone, and python-can reads it as local time; here that zone is Europe/Amsterdam. The ReXgen exporter writes UTC into
 * the same headers and into the name of the file, so a header with the same time as the file's name is in UTC.
 */
export class HeaderTimeConverter {
  readonly #utcStartMs: number | undefined;
  #isUtc = false;

  /** Creates the converter. @param utcStartMs start of the log according to its file name, see parseLogStartMs */
  constructor(utcStartMs: number | undefined) {
    this.#utcStartMs = utcStartMs;
  }

  instant(wallMs: number): number {
    if (this.#utcStartMs !== undefined && Math.abs(wallMs - this.#utcStartMs) < SAME_START_MS)
      this.#isUtc = true;
    return this.#isUtc ? wallMs : new LocalTimeConverter().instant(wallMs);
  }
}
