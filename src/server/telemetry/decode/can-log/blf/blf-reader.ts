import { CanFrame } from '#server/telemetry/decode/can-log/can-frame.ts';
import { CountedFrames } from '#server/telemetry/decode/can-log/counted-frames.ts';
import type { FrameReader, FrameSink } from '#server/telemetry/decode/can-log/frame-reader.ts';
import { u16, u32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { requireUnpackable, unpack } from '#server/telemetry/decode/can-log/unpack.ts';
import { type BilingualText, countTexts } from '#server/telemetry/decode/log-outcome.ts';
import type { LogPlace } from '#server/telemetry/decode/second-readings.ts';
import { isBlfFrame, readBlfFrame } from './blf-frame.ts';
import { BlfHeader } from './blf-header.ts';
import { BlfObjects } from './blf-objects.ts';

const LOG_CONTAINER = 10;
const CONTAINER_HEADER_BYTES = 32;
const NOT_PACKED = 0;
const ZLIB = 2;

/**
 * Reads a BLF of Vector's programs: objects, most of them in compressed containers, whose borders they cross. Counts
 * objects and containers that cannot be read.
 */
export class BlfReader implements FrameReader {
  readonly #frames: CountedFrames;
  readonly #utcStartMs: number | undefined;
  readonly #frame = new CanFrame();
  readonly #header = new BlfHeader();
  #startMs: number | undefined;
  #damaged = 0;

  /** @param utcStartMs start of the log by the name of its file */
  constructor(sink: FrameSink, utcStartMs?: number) {
    this.#frames = new CountedFrames(sink);
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
    this.#inFile.push(bytes);
  }

  end(_isCut: boolean): void {
    const cut = this.#inFile.cutObject;
    if (cut !== undefined && cut.length > CONTAINER_HEADER_BYTES && u32(cut, 12) === LOG_CONTAINER)
      this.#readContainer(cut);
  }

  get damaged(): number {
    return this.#damaged + this.#inFile.damaged + this.#inContainers.damaged;
  }

  get remarks(): readonly BilingualText[] {
    return countTexts(this.damaged, 'beschadigd object', 'beschadigde objecten', 'damaged objects');
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
}
