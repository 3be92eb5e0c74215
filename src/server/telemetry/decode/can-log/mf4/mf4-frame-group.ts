import { CanFrame, MAX_STANDARD_ID } from '#server/telemetry/decode/can-log/can-frame.ts';
import type { FrameCounter } from '#server/telemetry/decode/can-log/counted-frames.ts';
import { dataLengthOf } from '#server/telemetry/decode/can-log/data-length.ts';
import { readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import type { BufferBudget } from './buffer-budget.ts';
import { decodeCanedgeGnss } from './canedge-receiver.ts';
import type { FrameChannels } from './mf4-frame-channels.ts';
import type { Mf4VariableData } from './mf4-variable-data.ts';

/** Some writers mark an extended identifier with its highest bit. */
const EXTENDED_FLAG = 0x8000_0000;
const ID_MASK = 0x1fff_ffff;
const MAX_CLASSICAL_FRAME_BYTES = 8;
const LENGTH_BYTES = 4;

/** Reads the records of one group of CAN frames. */
export class Mf4FrameGroup {
  readonly #channels: FrameChannels;
  readonly #recordBytes: number;
  readonly #startMs: number;
  readonly #data: Mf4VariableData | undefined;
  readonly #budget: BufferBudget;
  readonly #frames: FrameCounter;
  readonly #frame = new CanFrame();
  /** Records whose data have not arrived yet, one after the other. */
  #waiting: Uint8Array = new Uint8Array();
  #waitingStart = 0;
  #waitingEnd = 0;
  /** The record that waits for its data and is not copied yet; set only while no other record waits. */
  #last: Uint8Array | undefined;
  #lastAt = 0;
  #index = 0;
  /** Number of frames whose data are missing or impossible. */
  damaged = 0;

  /** Creates the reader of a group. @param data undefined when the records contain their data */
  constructor(
    channels: FrameChannels,
    recordBytes: number,
    startMs: number,
    frames: FrameCounter,
    data: Mf4VariableData | undefined,
    budget: BufferBudget,
  ) {
    this.#channels = channels;
    this.#recordBytes = recordBytes;
    this.#startMs = startMs;
    this.#frames = frames;
    this.#data = data;
    this.#budget = budget;
  }

  /** Reads the record at `at`. @throws LogError 'too large' when too many records wait for their data */
  read(bytes: Uint8Array, at: number): void {
    this.keepLast();
    if (this.#waitingStart < this.#waitingEnd) this.#wait(bytes, at);
    else if (this.#readOne(bytes, at)) this.#index += 1;
    else {
      this.#last = bytes;
      this.#lastAt = at;
    }
  }

  /**
   * Copies the last record if it waits for its data, because its bytes are valid during the call only.
   * @throws LogError 'too large'
   */
  keepLast(): void {
    if (this.#last === undefined) return;
    const bytes = this.#last;
    this.#last = undefined;
    this.#wait(bytes, this.#lastAt);
  }

  /** Reads the waiting records whose data have arrived. */
  readWaiting(): void {
    if (this.#last !== undefined && this.#readOne(this.#last, this.#lastAt)) {
      this.#last = undefined;
      this.#index += 1;
    }
    while (this.#waitingStart < this.#waitingEnd && this.#readOne(this.#waiting, this.#waitingStart)) {
      this.#waitingStart += this.#recordBytes;
      this.#index += 1;
    }
  }

  /** Counts the records whose data never arrived as damaged. */
  end(): void {
    this.damaged += (this.#waitingEnd - this.#waitingStart) / this.#recordBytes;
    this.#waitingStart = this.#waitingEnd;
  }

  /** Reads a record; returns false when its data have not arrived yet. */
  #readOne(bytes: Uint8Array, at: number): boolean {
    const channels = this.#channels;
    const frame = this.#frame;
    const index = this.#index;
    let isGood = true;
    if (channels.variable !== undefined) {
      const data = this.#data as Mf4VariableData;
      const found = data.find(channels.variable.offset.read(bytes, at, index));
      if (found === 'waits') return false;
      if (found === 'gone') isGood = false;
      else {
        const length = Math.min(readUint32(data.bytes, found), this.#statedLength(bytes, at));
        isGood = this.#copyData(data.bytes, found + LENGTH_BYTES, length);
        data.dropTo(found);
      }
    } else if (channels.fixed !== undefined) {
      const length = Math.min(channels.fixed.bytes, this.#statedLength(bytes, at));
      isGood = this.#copyData(bytes, at + channels.fixed.byte, length);
    }
    frame.timeMs = this.#startMs + channels.time.read(bytes, at, index) * 1000;
    isGood &&= Number.isFinite(frame.timeMs);
    let { kind } = channels;
    if (kind === 'frame') {
      if (channels.isRemote !== undefined && channels.isRemote.read(bytes, at, index) === 1) kind = 'remote';
      this.#readId(bytes, at);
    }
    const values = isGood && kind === 'frame' ? decodeCanedgeGnss(frame) : undefined;
    if (values !== undefined) this.#frames.giveValues(values, frame.timeMs);
    else if (isGood) this.#frames.give(kind, frame);
    else this.damaged += 1;
    return true;
  }

  #readId(bytes: Uint8Array, at: number): void {
    const { id, isExtended, bus, firstBus, busOfName } = this.#channels;
    const frame = this.#frame;
    const index = this.#index;
    const raw = id === undefined ? 0 : id.read(bytes, at, index);
    frame.id = raw & ID_MASK;
    frame.extended =
      raw >= EXTENDED_FLAG ||
      (isExtended === undefined ? frame.id > MAX_STANDARD_ID : isExtended.read(bytes, at, index) === 1);
    const number = bus === undefined ? busOfName : bus.read(bytes, at, index);
    frame.bus = Math.max(number - firstBus, 0);
  }

  /**
   * Returns the number of data bytes: from the length channel, otherwise from the length code; the fixed length when both are
   * missing.
   */
  #statedLength(bytes: Uint8Array, at: number): number {
    const { length, code, fixed } = this.#channels;
    const stated = length === undefined ? Number.NaN : length.read(bytes, at, this.#index);
    if (!Number.isNaN(stated)) return stated;
    if (code === undefined) return this.#frame.data.length;
    const isClassical = fixed !== undefined && fixed.bytes <= MAX_CLASSICAL_FRAME_BYTES;
    return isClassical
      ? Math.min(code.read(bytes, at, this.#index), MAX_CLASSICAL_FRAME_BYTES)
      : dataLengthOf(code.read(bytes, at, this.#index));
  }

  #copyData(bytes: Uint8Array, from: number, length: number): boolean {
    const { data } = this.#frame;
    if (!(length >= 0 && length <= data.length)) return false;
    for (let index = 0; index < length; index++) data[index] = bytes[from + index] as number;
    this.#frame.length = length;
    return true;
  }

  #wait(bytes: Uint8Array, at: number): void {
    const held = this.#waitingEnd - this.#waitingStart;
    if (held === 0) {
      this.#waitingStart = 0;
      this.#waitingEnd = 0;
    }
    if (this.#waitingEnd + this.#recordBytes > this.#waiting.length) {
      const next = this.#budget.larger(this.#waiting, 2 * (held + this.#recordBytes));
      next.set(this.#waiting.subarray(this.#waitingStart, this.#waitingEnd));
      this.#waiting = next;
      this.#waitingStart = 0;
      this.#waitingEnd = held;
    }
    // Copies byte by byte, because a view for each record would be work for the garbage collector.
    const waiting = this.#waiting;
    const end = this.#waitingEnd;
    for (let byte = 0; byte < this.#recordBytes; byte++) waiting[end + byte] = bytes[at + byte] as number;
    this.#waitingEnd = end + this.#recordBytes;
  }
}
