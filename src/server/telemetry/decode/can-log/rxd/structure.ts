import { ConfigurationBlocks } from './configuration-blocks.ts';
import { u32 } from './little-endian.ts';
import { endsInConfiguration, notRxd } from './refusals.ts';

export const SECTOR_BYTES = 512;
/** The length of the configuration. */
const LENGTH_BYTES = 4;

/** Takes the parts of a file in its order. All bytes are valid during the call only. */
export type RxdParts = {
  /** Takes a block of the configuration that has a right checksum. */
  block(block: Uint8Array): void;
  /** Is told that no block comes any more. @throws LogError when nothing can be read by this configuration */
  configured(): void;
  /** Takes a whole sector, which begins at `at` in `bytes` and at `byteOffset` in the file. */
  sector(bytes: Uint8Array, at: number, byteOffset: number): void;
};

/** Returns where the first sector begins. */
export const firstSectorAfter = (configurationEnd: number): number =>
  Math.ceil(configurationEnd / SECTOR_BYTES) * SECTOR_BYTES;

/** Cuts an .rxd file into blocks and sectors, whatever the pieces are. Holds one of them at most. */
export class RxdStructure {
  readonly #parts: RxdParts;
  /** The length at the beginning of the file, then each sector that does not come in one piece. */
  readonly #held = new Uint8Array(SECTOR_BYTES);
  #filled = 0;
  #position = 0;
  #configurationEnd = LENGTH_BYTES;
  #firstSector = Number.POSITIVE_INFINITY;
  #blocks: ConfigurationBlocks | undefined;
  #isConfigured = false;

  constructor(parts: RxdParts) {
    this.#parts = parts;
  }

  /** Where the sector begins that has not been handed on yet; 0 before the first. */
  get nextSector(): number {
    return this.#isConfigured ? this.#position - this.#filled : 0;
  }

  /** @throws LogError when this is no .rxd file */
  push(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length) {
      const before = at;
      if (this.#position >= this.#firstSector) at = this.#sector(piece, at);
      else if (this.#blocks === undefined) at = this.#length(piece, at);
      else at = this.#configuration(piece, at);
      this.#position += at - before;
    }
  }

  /** A last sector that is not whole does not count. @throws LogError when the file has no whole configuration */
  end(isCut: boolean): void {
    if (isCut || this.#isConfigured) return;
    throw this.#blocks === undefined ? notRxd() : endsInConfiguration();
  }

  #length(piece: Uint8Array, at: number): number {
    const end = this.#fill(piece, at, LENGTH_BYTES);
    if (this.#filled < LENGTH_BYTES) return end;
    this.#filled = 0;
    const length = u32(this.#held, 0);
    this.#configurationEnd = LENGTH_BYTES + length;
    this.#firstSector = firstSectorAfter(this.#configurationEnd);
    this.#blocks = new ConfigurationBlocks(length, (block) => this.#parts.block(block));
    return end;
  }

  /** Takes blocks and the zeros after them. */
  #configuration(piece: Uint8Array, at: number): number {
    const blocks = this.#blocks as ConfigurationBlocks;
    const blocksEnd = Math.min(piece.length, at + Math.max(0, this.#configurationEnd - this.#position));
    blocks.push(piece, at, blocksEnd);
    if (blocks.isDamaged && blocks.count === 0) throw notRxd();
    const isWhole = this.#position + blocksEnd - at >= this.#configurationEnd;
    if (!isWhole) return blocksEnd;
    if (!this.#isConfigured) {
      if (blocks.count === 0) throw notRxd();
      this.#parts.configured();
      this.#isConfigured = true;
    }
    return Math.min(piece.length, at + this.#firstSector - this.#position);
  }

  #sector(piece: Uint8Array, at: number): number {
    if (this.#filled === 0 && piece.length - at >= SECTOR_BYTES) {
      this.#parts.sector(piece, at, this.#position);
      return at + SECTOR_BYTES;
    }
    const byteOffset = this.#position - this.#filled;
    const end = this.#fill(piece, at, SECTOR_BYTES);
    if (this.#filled < SECTOR_BYTES) return end;
    this.#filled = 0;
    this.#parts.sector(this.#held, 0, byteOffset);
    return end;
  }

  /** Fills `#held` up to `wanted` bytes. @returns where the taken bytes of the piece end */
  #fill(piece: Uint8Array, at: number, wanted: number): number {
    const end = Math.min(piece.length, at + wanted - this.#filled);
    this.#held.set(piece.subarray(at, end), this.#filled);
    this.#filled += end - at;
    return end;
  }
}
