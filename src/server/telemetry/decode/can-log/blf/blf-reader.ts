import { CanFrame } from '#server/telemetry/decode/can-log/can-frame.ts';
import { CountedFrames } from '#server/telemetry/decode/can-log/counted-frames.ts';
import type { FrameReader, FrameSink } from '#server/telemetry/decode/can-log/frame-reader.ts';
import { u16, u32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { requireUnpackable, unpack } from '#server/telemetry/decode/can-log/unpack.ts';
import type { LogStats } from '#server/telemetry/decode/log-outcome.ts';
import type { LogPlace } from '#server/telemetry/decode/second-readings.ts';
import { isBlfFrame, readBlfFrame } from './blf-frame.ts';
import { BlfHeader } from './blf-header.ts';
import { BlfObjects } from './blf-objects.ts';

const LOG_CONTAINER = 10;
const CONTAINER_HEADER_BYTES = 32;
const NOT_PACKED = 0;
const ZLIB = 2;

type BlfOptions = {
  /** Start of the log by the name of its file. */
  readonly utcStartMs?: number | undefined;
  /** Frames before this place were read earlier and are passed. */
  readonly from?: LogPlace;
};

/**
 * Reads a BLF of Vector's programs: objects, most of them in packed containers, whose borders they cross. Objects and
 * containers that cannot be read count as bad lines.
 */
export class BlfReader implements FrameReader {
  readonly #frames: CountedFrames;
  readonly #stats: LogStats;
  readonly #utcStartMs: number | undefined;
  readonly #frame = new CanFrame();
  readonly #header = new BlfHeader();
  #startMs: number | undefined;
  #damaged = 0;

  constructor(sink: FrameSink, stats: LogStats, { utcStartMs, from }: BlfOptions = {}) {
    this.#frames = new CountedFrames(sink, from ?? { byteOffset: 0, line: 0 });
    this.#stats = stats;
    this.#utcStartMs = utcStartMs;
  }

  get place(): LogPlace {
    return this.#frames.place;
  }

  push(piece: Uint8Array): void {
    let bytes = piece;
    if (this.#startMs === undefined) {
      const behind = this.#header.push(piece);
      if (behind === undefined) return;
      this.#startMs = this.#header.startMs(this.#utcStartMs);
      bytes = behind;
    }
    try {
      this.#inFile.push(bytes);
    } finally {
      this.#countDamaged();
    }
  }

  end(_isCut: boolean): void {
    const cut = this.#inFile.cutObject;
    if (cut !== undefined && cut.length > CONTAINER_HEADER_BYTES && u32(cut, 12) === LOG_CONTAINER)
      this.#readContainer(cut);
    this.#countDamaged();
  }

  readonly #inFile = new BlfObjects(
    (type, size) => {
      if (type === LOG_CONTAINER) requireUnpackable(size);
      return type === LOG_CONTAINER || isBlfFrame(type, size);
    },
    (type, bytes, start, end) => {
      if (type === LOG_CONTAINER) this.#readContainer(bytes.subarray(start, end));
      else this.#readFrame(type, bytes, start, end);
    },
  );

  readonly #inContainers = new BlfObjects(isBlfFrame, (type, bytes, start, end) =>
    this.#readFrame(type, bytes, start, end),
  );

  #readContainer(container: Uint8Array): void {
    const content = container.subarray(CONTAINER_HEADER_BYTES);
    const method = container.length > CONTAINER_HEADER_BYTES ? u16(container, 16) : -1;
    const objects = method === ZLIB ? unpack(content, u32(container, 24)) : content;
    if ((method !== ZLIB && method !== NOT_PACKED) || objects === undefined) this.#damaged += 1;
    else this.#inContainers.push(objects);
  }

  #readFrame(type: number, bytes: Uint8Array, start: number, end: number): void {
    const kind = readBlfFrame(type, bytes, start, end, this.#startMs ?? 0, this.#frame);
    if (kind === 'bad') this.#damaged += 1;
    else this.#frames.give(kind, this.#frame);
  }

  #countDamaged(): void {
    const damaged = this.#damaged + this.#inFile.damaged + this.#inContainers.damaged;
    this.#stats.badLines += damaged;
    this.#damaged = 0;
    this.#inFile.damaged = 0;
    this.#inContainers.damaged = 0;
  }
}
