import type { Said } from '#server/telemetry/decode/log-outcome.ts';
import { EARLIEST_MS } from '#server/telemetry/decode/reading-rules.ts';
import type { RxdClock } from './clock.ts';
import { KIND } from './configuration.ts';
import { u32 } from './little-endian.ts';
import { MiddleValue } from './middle-value.ts';
import { RxdRecords } from './records.ts';

/** A logger whose clock is off by more says so. */
const CLOCK_ERROR_MS = 2_000;

function clockErrorWords(nameBehindMs: number): Said {
  const seconds = Math.round(Math.abs(nameBehindMs) / 1000);
  const [nl, en] = nameBehindMs > 0 ? ['achter', 'behind'] : ['voor', 'ahead of'];
  return {
    nl: `de klok van de logger loopt ${seconds} s ${nl} op GPS`,
    en: `the logger's clock is ${seconds} s ${en} GPS`,
  };
}

/**
 * Finds a file's clock, which `RxdReader` needs before its first frame: a first pass over the whole file. A file with
 * DATETIME records (UTC by GNSS) has the median of what these say. Any other begins at the time in its name, by the
 * logger's own clock.
 */
export class RxdSurvey {
  readonly #startMs: number | undefined;
  readonly #records: RxdRecords;
  /** UTC less the time since tick 0, milliseconds. */
  readonly #zeros = new MiddleValue();

  /** @param startMs the time in the file's name (`startFromFileName`) */
  constructor(startMs?: number) {
    this.#startMs = startMs;
    this.#records = new RxdRecords((kind, _uid, ticks, bytes, _info, data) => {
      if (kind !== KIND.dateTime) return;
      const utcMs = u32(bytes, data) * 1000;
      if (utcMs >= EARLIEST_MS) this.#zeros.add(utcMs - ticks * this.#records.tickMs);
    });
  }

  /** @throws LogError when this is no .rxd file */
  push(piece: Uint8Array): void {
    this.#records.push(piece);
  }

  /** @throws LogError when the file has no whole configuration */
  end(isCut: boolean): void {
    this.#records.end(isCut);
  }

  get remarks(): readonly Said[] {
    const { nameBehindMs = 0 } = this.clock;
    return Math.abs(nameBehindMs) > CLOCK_ERROR_MS ? [clockErrorWords(nameBehindMs)] : [];
  }

  /** The clock as far as the file was read. */
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

  /** The tick at the time in the file's name. */
  get #firstTick(): number {
    const { firstTick = 0, initialTick } = this.#records;
    // The initial tick is before the first one, possibly before the counter started again.
    return initialTick === undefined ? firstTick : firstTick - ((firstTick - initialTick) >>> 0);
  }
}
