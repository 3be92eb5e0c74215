import { u32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import type { WaitingRoom } from './waiting-room.ts';

const LENGTH_BYTES = 4;

/**
 * Holds the data of variable length that records point to: a stream of a length (32 bits) and so many bytes. Records
 * take their data in the order of the stream; what they have passed is dropped.
 */
export class Mf4VariableData {
  bytes: Uint8Array = new Uint8Array();
  /** In `bytes`, of what is held. */
  #start = 0;
  #end = 0;
  /** In the stream, of `start`. */
  #offset = 0;
  /** The buffer of this object, while `bytes` is a lent one. */
  #own: Uint8Array | undefined;
  readonly #room: WaitingRoom;

  constructor(room: WaitingRoom) {
    this.#room = room;
  }

  /** @throws LogError 'too large' when nothing takes the data */
  push(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (this.#start === this.#end) {
      this.#start = 0;
      this.#end = 0;
    }
    if (this.#end + length > this.bytes.length) this.#makeRoom(length);
    const held = this.bytes;
    const end = this.#end;
    // Byte by byte: a view of each frame's data would be garbage.
    if (length <= 64)
      for (let byte = 0; byte < length; byte++) held[end + byte] = bytes[from + byte] as number;
    else held.set(bytes.subarray(from, to), end);
    this.#end = end + length;
  }

  /** As `push`, but the bytes stay where they are until `keep`: most data is taken at once, and needs no copy. */
  lend(bytes: Uint8Array, from: number, to: number): void {
    if (this.#start < this.#end) this.push(bytes, from, to);
    else {
      this.#own = this.bytes;
      this.bytes = bytes;
      this.#start = from;
      this.#end = to;
    }
  }

  /** Copies what is left of lent bytes. @throws LogError 'too large' when nothing takes the data */
  keep(): void {
    if (this.#own === undefined) return;
    const [bytes, from, to] = [this.bytes, this.#start, this.#end];
    this.bytes = this.#own;
    this.#own = undefined;
    this.#start = 0;
    this.#end = 0;
    if (from < to) this.push(bytes, from, to);
  }

  /**
   * Finds the data at an offset of the stream.
   * @returns where in `bytes` its length stands; 'waits' when it did not come yet, 'gone' when it cannot come any more
   */
  find(offset: number): number | 'waits' | 'gone' {
    if (offset < this.#offset) return 'gone';
    const at = this.#start + offset - this.#offset;
    if (at + LENGTH_BYTES > this.#end) return 'waits';
    const length = u32(this.bytes, at);
    return at + LENGTH_BYTES + length > this.#end ? 'waits' : at;
  }

  /** Drops the data that was found at a place, and all before it. */
  dropTo(at: number): void {
    const end = at + LENGTH_BYTES + u32(this.bytes, at);
    this.#offset += end - this.#start;
    this.#start = end;
  }

  #makeRoom(length: number): void {
    const held = this.#end - this.#start;
    const isRoomy = held + length <= this.bytes.length / 2;
    const next = isRoomy ? this.bytes : this.#room.larger(this.bytes, 2 * (held + length));
    next.set(this.bytes.subarray(this.#start, this.#end));
    this.bytes = next;
    this.#start = 0;
    this.#end = held;
  }
}
