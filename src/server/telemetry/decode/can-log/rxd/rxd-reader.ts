import { CanFrame } from '#server/telemetry/decode/can-log/can-frame.ts';
import type { FrameReader, FrameSink } from '#server/telemetry/decode/can-log/frame-reader.ts';
import { readFloat32, readFloat64, readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { skippedPartFinding } from '#server/telemetry/decode/log-outcome.ts';
import { EARLIEST_READING_MS } from '#server/telemetry/decode/reading-rules.ts';
import type { LogOffset } from '#server/telemetry/decode/second-readings.ts';
import type { FormatFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import type { RxdClock } from './clock.ts';
import { RECORD_KIND, type RxdRecordKind } from './configuration.ts';
import { FRAME_FLAG } from './record-layout.ts';
import { RxdRecords } from './records.ts';

/**
 * Reads the log files of ReXgen loggers (.rxd). The bus of a frame is the physical number of its CANInterface, which is also the
 * portal's bus number: logger-config writes PhysicalNumber 0 for can0. GNSS values and other values get the names that readings
 * use. The sink receives the same frame object and the same place object at each call.
 */
export class RxdReader implements FrameReader {
  readonly #sink: FrameSink;
  readonly #zeroMs: number;
  readonly #records: RxdRecords;
  readonly #frame = new CanFrame();

  /** Number of messages of LIN buses; they are not decoded. */
  linFrames = 0;

  /** Creates the reader. @param clock the result of `RxdClockPrescan` for the same file */
  constructor(sink: FrameSink, clock: RxdClock) {
    this.#sink = sink;
    this.#zeroMs = clock.zeroMs;
    this.#records = new RxdRecords(this.#take);
  }

  push(piece: Uint8Array): void {
    this.#records.push(piece);
  }

  end(isCut: boolean): void {
    this.#records.end(isCut);
  }

  get place(): LogOffset {
    return this.#records.place;
  }

  /** Number of sectors that could not be read, or not completely. */
  get damagedSectors(): number {
    return this.#records.damagedSectors;
  }

  /** Number of pre-buffers that were skipped because they are too large to reorder. */
  get skippedPreBuffers(): number {
    return this.#records.skippedPreBuffers;
  }

  /** Number of records whose uid is not in the configuration. */
  get unknownRecords(): number {
    return this.#records.unknownRecords;
  }

  get remarks(): readonly FormatFinding[] {
    return [
      ...skippedPartFinding('damaged-sectors', this.damagedSectors),
      ...skippedPartFinding('skipped-pre-buffers', this.skippedPreBuffers),
      ...skippedPartFinding('unknown-records', this.unknownRecords),
      ...skippedPartFinding('unread-lin-messages', this.linFrames),
    ];
  }

  readonly #take = (
    kind: RxdRecordKind,
    uid: number,
    ticks: number,
    bytes: Uint8Array,
    info: number,
    data: number,
    dataBytes: number,
  ): void => {
    const place = this.#records.recordPlace;
    const timeMs = this.#zeroMs + ticks * this.#records.tickMs;
    if (kind === RECORD_KIND.lin) this.linFrames += 1;
    else if (kind === RECORD_KIND.can || kind === RECORD_KIND.error) {
      const frame = this.#frame;
      frame.timeMs = timeMs;
      frame.bus = this.#records.configuration.buses[uid] as number;
      const isError = kind === RECORD_KIND.error;
      const flags = isError ? 0 : (bytes[info + 8] as number);
      frame.id = isError ? 0 : readUint32(bytes, info + 4);
      frame.extended = (flags & FRAME_FLAG.extended) !== 0;
      frame.length = isError ? 0 : dataBytes;
      for (let n = 0; n < frame.length; n += 1) frame.data[n] = bytes[data + n] as number;
      const what = (flags & FRAME_FLAG.remote) === 0 ? 'frame' : 'remote';
      this.#sink.frame(isError ? 'error' : what, frame, place);
    } else {
      const value = readValue(kind, bytes, data);
      const name = this.#records.configuration.nameOf(uid);
      if (name !== undefined && value !== undefined) this.#sink.value(name, timeMs, value, place);
    }
  };
}

/** Returns the value in a record's data. Undefined for a date before 2015, because a receiver without a fix reports such dates. */
function readValue(kind: RxdRecordKind, bytes: Uint8Array, data: number): number | undefined {
  switch (kind) {
    case RECORD_KIND.float:
      return readFloat32(bytes, data);
    case RECORD_KIND.double:
      return readFloat64(bytes, data);
    case RECORD_KIND.byte:
      return bytes[data];
    case RECORD_KIND.dateTime:
      return readUint32(bytes, data) * 1000 < EARLIEST_READING_MS ? undefined : readUint32(bytes, data);
    default:
      return readUint32(bytes, data);
  }
}
