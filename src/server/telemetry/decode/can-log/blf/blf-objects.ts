import { readUint16, readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';

const SIGNATURE = Buffer.from('LOBJ');
const LETTER_L = 0x4c;
const HEADER_BYTES = 16;
/** Maximum number of padding bytes after an object; writers do not agree on their number. */
const MAX_PADDING_BYTES = 3;

/** Receives an object: its bytes are `start` up to `end`, and are valid during the call only. */
type OnObject = (type: number, bytes: Uint8Array, start: number, end: number) => void;

/**
 * Splits a stream of bytes, which arrives in parts of any size, into the objects of a BLF. Holds at most one object in memory, and
 * skips unwanted objects without holding them.
 */
export class BlfObjects {
  readonly #isWanted: (type: number, size: number) => boolean;
  readonly #onObject: OnObject;
  /** Number of places between objects with bytes that are no padding. */
  damaged = 0;
  /** Bytes that were read but not used, fewer than an object's header has. */
  #rest: Uint8Array = new Uint8Array();
  #held: Buffer | undefined;
  #heldLength = 0;
  #skip = 0;
  /** Number of bytes since the last object: padding, or damage if there are too many. */
  #gap = 0;
  #isLost = false;

  /**
   * Creates the splitter.
   * @param isWanted returns whether `onObject` receives an object of this type and size; its errors reach the caller of `push`
   */
  constructor(isWanted: (type: number, size: number) => boolean, onObject: OnObject) {
    this.#isWanted = isWanted;
    this.#onObject = onObject;
  }

  push(piece: Uint8Array): void {
    let at = this.#hold(piece, 0);
    let bytes = piece;
    if (this.#rest.length > 0) {
      bytes = Buffer.concat([this.#rest, piece.subarray(at)]);
      this.#rest = bytes.subarray(0, 0);
      at = 0;
    }
    while (at < bytes.length) {
      if (this.#skip > 0) {
        const step = Math.min(this.#skip, bytes.length - at);
        this.#skip -= step;
        at += step;
        continue;
      }
      const found = this.#find(bytes, at);
      if (bytes.length - found < HEADER_BYTES) {
        this.#rest = bytes.slice(found);
        return;
      }
      at = this.#readObject(bytes, found);
    }
  }

  /** The beginning of an object in which the file was cut off; undefined when the file ends after an object. */
  get cutObject(): Uint8Array | undefined {
    return this.#held?.subarray(0, this.#heldLength);
  }

  /** Returns the offset of the next object; if there is none, the offset of last bytes with which an object may begin, or the end. */
  #find(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length) {
      const length = Math.min(SIGNATURE.length, bytes.length - at);
      let same = 0;
      while (same < length && bytes[at + same] === SIGNATURE[same]) same += 1;
      if (same === length) break;
      const next = bytes.indexOf(LETTER_L, at + 1);
      at = next === -1 ? bytes.length : next;
    }
    this.#gap += at - from;
    if (this.#gap > MAX_PADDING_BYTES) this.#lose();
    return at;
  }

  #lose(): void {
    if (!this.#isLost) this.damaged += 1;
    this.#isLost = true;
  }

  /** Reads the object at `start`; returns the offset from which to continue. */
  #readObject(bytes: Uint8Array, start: number): number {
    const size = readUint32(bytes, start + 8);
    const type = readUint32(bytes, start + 12);
    if (size < HEADER_BYTES || readUint16(bytes, start + 4) < HEADER_BYTES) {
      this.#lose();
      return start + SIGNATURE.length;
    }
    this.#isLost = false;
    this.#gap = 0;
    if (!this.#isWanted(type, size)) {
      this.#skip = size;
      return start;
    }
    if (start + size <= bytes.length) {
      this.#onObject(type, bytes, start, start + size);
      return start + size;
    }
    this.#held = Buffer.allocUnsafe(size);
    this.#heldLength = 0;
    return this.#hold(bytes, start);
  }

  /** Adds bytes to the held object; returns the offset after them. */
  #hold(bytes: Uint8Array, from: number): number {
    const held = this.#held;
    if (held === undefined) return from;
    const to = Math.min(bytes.length, from + held.length - this.#heldLength);
    held.set(bytes.subarray(from, to), this.#heldLength);
    this.#heldLength += to - from;
    if (this.#heldLength === held.length) {
      this.#held = undefined;
      this.#onObject(readUint32(held, 12), held, 0, held.length);
    }
    return to;
  }
}
