import { readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { EARLIEST_READING_MS } from '#server/telemetry/decode/reading-rules.ts';
import type { FormatFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { RxdClock } from './clock.ts';
import { RECORD_KIND } from './configuration.ts';
import { BoundedMedian } from './middle-value.ts';
import { RxdRecords } from './records.ts';

/** A clock error larger than this is reported. */
const CLOCK_ERROR_MS = 2_000;

/**
 * Finds the clock of a file in a first pass over the whole file; `RxdReader` needs the clock before its first frame. The clock is
 * the median of DATETIME (UTC, from GNSS) minus tick time. In a file without DATETIME the first tick is at the start time in the
 * file's name, according to the logger's own clock.
 */
export class RxdClockPrescan {
  readonly #startMs: number | undefined;
  readonly #records: RxdRecords;
  /** Differences between DATETIME and tick time, milliseconds. */
  readonly #zeros = new BoundedMedian();

  /** Creates the prescan. @param startMs the start time in the file's name (`parseLogStartMs`) */
  constructor(startMs?: number) {
    this.#startMs = startMs;
    this.#records = new RxdRecords((kind, _uid, ticks, bytes, _info, data) => {
      if (kind !== RECORD_KIND.dateTime) return;
      const utcMs = readUint32(bytes, data) * 1000;
      if (utcMs >= EARLIEST_READING_MS) this.#zeros.add(utcMs - ticks * this.#records.tickMs);
    });
  }

  /** Reads the next bytes. @throws LogError when this is no .rxd file */
  push(piece: Uint8Array): void {
    this.#records.push(piece);
  }

  /** Ends the file. @throws LogError when the file ends within its configuration, unless `isCut` */
  end(isCut: boolean): void {
    this.#records.end(isCut);
  }

  get clockError(): FormatFinding | undefined {
    const { nameBehindMs = 0 } = this.clock;
    const seconds = Math.round(Math.abs(nameBehindMs) / 1000);
    return Math.abs(nameBehindMs) > CLOCK_ERROR_MS
      ? { kind: 'clock-off-gps', seconds: nameBehindMs > 0 ? -seconds : seconds }
      : undefined;
  }

  /** The clock according to the bytes so far. */
  get clock(): RxdClock {
    const byGnss = this.#zeros.median;
    const byName =
      this.#startMs === undefined ? undefined : this.#startMs - this.#firstTick * this.#records.tickMs;
    if (byGnss === undefined) return { zeroMs: byName ?? 0, source: byName === undefined ? 'none' : 'name' };
    return {
      zeroMs: byGnss,
      source: 'gnss',
      ...(byName !== undefined && { nameBehindMs: byGnss - byName }),
    };
  }

  /** The tick at the start time in the file's name. */
  get #firstTick(): number {
    const { firstTick = 0, initialTick } = this.#records;
    // The counter may have wrapped around between the initial tick and the first record's tick.
    return initialTick === undefined ? firstTick : firstTick - ((firstTick - initialTick) >>> 0);
  }
}
