import { u16, u32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { HeaderClock } from '#server/telemetry/decode/can-log/wall-clock.ts';
import { LogError } from '#server/telemetry/decode/log-outcome.ts';

const SIGNATURE = Buffer.from('LOGG');
/** Size of the header of all known writers; the file states the size of its own. */
const LEAST_BYTES = 72;
const MOST_BYTES = 4096;
const SIZE_AT = 4;
/** SYSTEMTIME: year, month, day of the week, day, hour, minute, second, millisecond. */
const START_AT = 40;

/** Collects the header of a BLF and reads the start of its log, a local time without a zone (see HeaderClock). */
export class BlfHeader {
  #bytes: Buffer = Buffer.alloc(0);

  /**
   * Takes the next bytes of the file; returns the bytes after the header, or undefined while the header is incomplete.
   * @throws LogError 'header' when the file is no BLF
   */
  push(piece: Uint8Array): Uint8Array | undefined {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    const begins = this.#bytes.subarray(0, SIGNATURE.length);
    if (!begins.equals(SIGNATURE.subarray(0, begins.length))) throw noBlf();
    if (this.#bytes.length < LEAST_BYTES) return undefined;
    const size = u32(this.#bytes, SIZE_AT);
    if (size < LEAST_BYTES || size > MOST_BYTES) throw noBlf();
    return this.#bytes.length < size ? undefined : this.#bytes.subarray(size);
  }

  /** Returns the start in milliseconds since 1970; 0 when the file does not contain it. */
  startMs(utcStartMs: number | undefined): number {
    const [year = 0, month = 0, , day = 0, hour, minute, second, ms] = Array.from({ length: 8 }, (_, index) =>
      u16(this.#bytes, START_AT + 2 * index),
    );
    if (year === 0) return 0;
    return new HeaderClock(utcStartMs).instant(Date.UTC(year, month - 1, day, hour, minute, second, ms));
  }
}

const noBlf = (): LogError =>
  new LogError('header', {
    nl: 'Dit is geen BLF: het bestand begint niet met de kop van een BLF.',
    en: 'This is no BLF: the file does not begin with the header of a BLF.',
  });
