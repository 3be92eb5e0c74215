import { CanFrame } from '#server/telemetry/decode/can-log/can-frame.ts';
import { FrameCounter } from '#server/telemetry/decode/can-log/counted-frames.ts';
import type { FrameReader, FrameSink } from '#server/telemetry/decode/can-log/frame-reader.ts';
import { readUint16, readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { decompressBlock, requireAllowedUnpackedSize } from '#server/telemetry/decode/can-log/unpack.ts';
import { HeaderTimeConverter } from '#server/telemetry/decode/can-log/wall-clock.ts';
import { LogError, skippedPartFinding } from '#server/telemetry/decode/log-outcome.ts';
import type { LogOffset } from '#server/telemetry/decode/second-readings.ts';
import type { FormatFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { isBlfFrame, readBlfFrame } from './blf-frame.ts';
import { BlfObjects } from './blf-objects.ts';

const SIGNATURE = Buffer.from('LOGG');
/** Minimum size of the header, which is the size that all known writers use. The file states the size of its header. */
const MIN_SIZE_BYTES = 72;
const MAX_SIZE_BYTES = 4096;
const SIZE_AT = 4;
/** Offset of the start of the log, a SYSTEMTIME: year, month, day of the week, day, hour, minute, second, millisecond. */
const START_AT = 40;

/** Collects the header of a BLF and reads the start of the log, a local time without a zone (HeaderTimeConverter converts it). */
class BlfHeader {
  #bytes: Buffer = Buffer.alloc(0);

  /**
   * Takes the next bytes of the file; returns the bytes after the header, or undefined while the header is incomplete.
   * @throws LogError 'header' when the file is no BLF
   */
  push(piece: Uint8Array): Uint8Array | undefined {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    const begins = this.#bytes.subarray(0, SIGNATURE.length);
    if (!begins.equals(SIGNATURE.subarray(0, begins.length))) throw noBlf();
    if (this.#bytes.length < MIN_SIZE_BYTES) return undefined;
    const size = readUint32(this.#bytes, SIZE_AT);
    if (size < MIN_SIZE_BYTES || size > MAX_SIZE_BYTES) throw noBlf();
    return this.#bytes.length < size ? undefined : this.#bytes.subarray(size);
  }

  /** Returns the start in milliseconds since 1970; 0 when the file does not contain it. */
  startMs(utcStartMs: number | undefined): number {
    const [year = 0, month = 0, , day = 0, hour, minute, second, ms] = Array.from({ length: 8 }, (_, index) =>
      readUint16(this.#bytes, START_AT + 2 * index),
    );
    if (year === 0) return 0;
    return new HeaderTimeConverter(utcStartMs).instant(
      Date.UTC(year, month - 1, day, hour, minute, second, ms),
    );
  }
}

const noBlf = (): LogError => new LogError('header', { kind: 'no-blf' });

const LOG_CONTAINER = 10;
const CONTAINER_HEADER_BYTES = 32;
const NOT_PACKED = 0;
const ZLIB = 2;

/**
 * Reads a BLF of Vector's programs. Most objects are in compressed containers, and an object may continue in the next container.
 * Counts objects and containers that cannot be read.
 */
export class BlfReader implements FrameReader {
  readonly #frames: FrameCounter;
  readonly #utcStartMs: number | undefined;
  readonly #frame = new CanFrame();
  readonly #header = new BlfHeader();
  #startMs: number | undefined;
  #damaged = 0;

  /** Creates the reader. @param utcStartMs start of the log according to its file name */
  constructor(sink: FrameSink, utcStartMs?: number) {
    this.#frames = new FrameCounter(sink);
    this.#utcStartMs = utcStartMs;
  }

  get place(): LogOffset {
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
    if (cut !== undefined && cut.length > CONTAINER_HEADER_BYTES && readUint32(cut, 12) === LOG_CONTAINER)
      this.#readContainer(cut);
  }

  get damaged(): number {
    return this.#damaged + this.#inFile.damaged + this.#inContainers.damaged;
  }

  get remarks(): readonly FormatFinding[] {
    return skippedPartFinding('damaged-objects', this.damaged);
  }

  readonly #inFile = new BlfObjects(
    (type, size) => {
      if (type === LOG_CONTAINER) requireAllowedUnpackedSize(size);
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
    const method = container.length > CONTAINER_HEADER_BYTES ? readUint16(container, 16) : -1;
    const objects = method === ZLIB ? decompressBlock(content, readUint32(container, 24)) : content;
    if ((method !== ZLIB && method !== NOT_PACKED) || objects === undefined) this.#damaged += 1;
    else this.#inContainers.push(objects);
  }

  #readFrame(type: number, bytes: Uint8Array, start: number, end: number): void {
    const kind = readBlfFrame(type, bytes, start, end, this.#startMs ?? 0, this.#frame);
    if (kind === 'bad') this.#damaged += 1;
    else this.#frames.give(kind, this.#frame);
  }
}
