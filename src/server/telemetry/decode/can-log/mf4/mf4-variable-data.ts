import { readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import type { BufferBudget } from './buffer-budget.ts';

const LENGTH_BYTES = 4;

/**
 * Holds the data of variable length that records point to: a stream in which each item is a length (32 bits) followed by as many
 * bytes. Records use their data in the order of the stream; data before the most recently used item are dropped.
 */
export class Mf4VariableData {
  bytes: Uint8Array = new Uint8Array();
  /** Range of the held data in `bytes`. */
  #start = 0;
  #end = 0;
  /** Offset of `#start` in the stream. */
  #offset = 0;
  /** The buffer that this object owns, set while `bytes` is a buffer of the caller (see `lend`). */
  #own: Uint8Array | undefined;
  readonly #budget: BufferBudget;

  constructor(budget: BufferBudget) {
    this.#budget = budget;
  }

  /** Adds bytes. @throws LogError 'too large' when no record uses the data */
  push(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (this.#start === this.#end) {
      this.#start = 0;
      this.#end = 0;
    }
    if (this.#end + length > this.bytes.length) this.#makeRoom(length);
    const held = this.bytes;
    const end = this.#end;
    // Copies short data byte by byte, because a view for each frame would be work for the garbage collector.
    if (length <= 64)
      for (let byte = 0; byte < length; byte++) held[end + byte] = bytes[from + byte] as number;
    else held.set(bytes.subarray(from, to), end);
    this.#end = end + length;
  }

  /** Like `push`, but does not copy the bytes until `keep`: most data are used immediately and need no copy. */
  lend(bytes: Uint8Array, from: number, to: number): void {
    if (this.#start < this.#end) this.push(bytes, from, to);
    else {
      this.#own = this.bytes;
      this.bytes = bytes;
      this.#start = from;
      this.#end = to;
    }
  }

  /** Copies the rest of lent bytes. @throws LogError 'too large' when no record uses the data */
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
   * @returns the index of the item's length in `bytes`; 'waits' when the data have not arrived yet, 'gone' when they were dropped
   */
  find(offset: number): number | 'waits' | 'gone' {
    if (offset < this.#offset) return 'gone';
    const at = this.#start + offset - this.#offset;
    if (at + LENGTH_BYTES > this.#end) return 'waits';
    const length = readUint32(this.bytes, at);
    return at + LENGTH_BYTES + length > this.#end ? 'waits' : at;
  }

  /** Drops the data found at an index, and all data before it. */
  dropTo(at: number): void {
    const end = at + LENGTH_BYTES + readUint32(this.bytes, at);
    this.#offset += end - this.#start;
    this.#start = end;
  }

  #makeRoom(length: number): void {
    const held = this.#end - this.#start;
    const isRoomy = held + length <= this.bytes.length / 2;
    const next = isRoomy ? this.bytes : this.#budget.larger(this.bytes, 2 * (held + length));
    next.set(this.bytes.subarray(this.#start, this.#end));
    this.bytes = next;
    this.#start = 0;
    this.#end = held;
  }
}
