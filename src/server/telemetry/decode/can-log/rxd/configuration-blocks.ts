import { readUint16 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { BLOCK_TYPE } from './block-types.ts';

/** Size of a block's header: type, version, length and uid. */
const HEADER_BYTES = 8;
/** Size of the header up to the length of the block. */
const BEGIN_BYTES = 6;
/** Maximum length of a block, which is stored in 16 bits. */
const MAX_BLOCK_BYTES = 0xffff;

/** Returns the offset of a block's body. A Config block of a version below 4 has no uid. */
export const blockBodyOffset = (block: Uint8Array): number =>
  readUint16(block, 0) === BLOCK_TYPE.config && readUint16(block, 2) < 4 ? BEGIN_BYTES : HEADER_BYTES;

/** Returns the checksum of a block, which is its last byte: the sum of all bytes before it. */
export function checksumOf(block: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < block.length - 1; at += 1) sum += block[at] as number;
  return sum & 0xff;
}

/**
 * Splits a configuration into blocks, from parts of any size. Holds at most one block in memory. Stops at an invalid block (a wrong
 * length, a wrong checksum, a first block that is no Config), because after it the next block could begin anywhere.
 */
export class ConfigurationBlocks {
  readonly #onBlock: (block: Uint8Array) => void;
  readonly #block = new Uint8Array(MAX_BLOCK_BYTES);
  #filled = 0;

  /** Number of valid blocks so far. */
  count = 0;
  isDamaged = false;

  /** Creates the splitter. @param onBlock receives each block; its bytes are valid during the call only */
  constructor(onBlock: (block: Uint8Array) => void) {
    this.#onBlock = onBlock;
  }

  /** Reads the next bytes of the configuration: `start` up to `end` of the part. */
  push(piece: Uint8Array, start: number, end: number): void {
    let at = start;
    while (at < end && !this.isDamaged) {
      const wanted = this.#filled < BEGIN_BYTES ? BEGIN_BYTES : readUint16(this.#block, 4);
      const taken = Math.min(wanted - this.#filled, end - at);
      this.#block.set(piece.subarray(at, at + taken), this.#filled);
      at += taken;
      this.#filled += taken;
      if (this.#filled < wanted) return;
      if (wanted === BEGIN_BYTES) this.isDamaged = !this.#canBegin();
      else this.#finish(this.#block.subarray(0, wanted));
    }
  }

  #canBegin(): boolean {
    const length = readUint16(this.#block, 4);
    const isExpected = this.count > 0 || readUint16(this.#block, 0) === BLOCK_TYPE.config;
    return isExpected && length > blockBodyOffset(this.#block);
  }

  #finish(block: Uint8Array): void {
    if (block[block.length - 1] !== checksumOf(block)) {
      this.isDamaged = true;
      return;
    }
    this.#filled = 0;
    this.count += 1;
    this.#onBlock(block);
  }
}
