import { readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { ConfigurationBlocks } from './configuration-blocks.ts';
import { notRxdError, truncatedConfigurationError } from './refusals.ts';

export const SECTOR_BYTES = 512;
/** Size of the length of the configuration, a uint32 before the configuration. */
const LENGTH_BYTES = 4;

/** Receives the parts of a file in file order. All bytes are valid during the call only. */
export type RxdPartHandler = {
  /** Receives a block of the configuration with a correct checksum. */
  block(block: Uint8Array): void;
  /** Runs after the last block. @throws LogError when no record can be read with this configuration */
  configured(): void;
  /** Receives a whole sector, which begins at `at` in `bytes` and at `byteOffset` in the file. */
  sector(bytes: Uint8Array, at: number, byteOffset: number): void;
};

/** Returns the offset of the first sector. */
export const firstSectorAfter = (configurationEnd: number): number =>
  Math.ceil(configurationEnd / SECTOR_BYTES) * SECTOR_BYTES;

/** Splits an .rxd file into blocks and sectors, from parts of any size. Holds at most one block or sector in memory. */
export class RxdStructure {
  readonly #parts: RxdPartHandler;
  /** Holds first the length of the configuration, later a sector that arrives in several parts. */
  readonly #held = new Uint8Array(SECTOR_BYTES);
  #filled = 0;
  #position = 0;
  #configurationEnd = LENGTH_BYTES;
  #firstSector = Number.POSITIVE_INFINITY;
  #blocks: ConfigurationBlocks | undefined;
  #isConfigured = false;

  constructor(parts: RxdPartHandler) {
    this.#parts = parts;
  }

  /** Offset of the next sector; 0 while the configuration is read. */
  get nextSector(): number {
    return this.#isConfigured ? this.#position - this.#filled : 0;
  }

  /** Reads the next bytes. @throws LogError when this is no .rxd file */
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

  /** Ends the file; drops an incomplete last sector. @throws LogError when the file ends within its configuration, unless `isCut` */
  end(isCut: boolean): void {
    if (isCut || this.#isConfigured) return;
    throw this.#blocks === undefined ? notRxdError() : truncatedConfigurationError();
  }

  #length(piece: Uint8Array, at: number): number {
    const end = this.#fill(piece, at, LENGTH_BYTES);
    if (this.#filled < LENGTH_BYTES) return end;
    this.#filled = 0;
    const length = readUint32(this.#held, 0);
    this.#configurationEnd = LENGTH_BYTES + length;
    this.#firstSector = firstSectorAfter(this.#configurationEnd);
    this.#blocks = new ConfigurationBlocks((block) => this.#parts.block(block));
    return end;
  }

  /** Reads blocks of the configuration, and the zeros after the last block. */
  #configuration(piece: Uint8Array, at: number): number {
    const blocks = this.#blocks as ConfigurationBlocks;
    const blocksEnd = Math.min(piece.length, at + Math.max(0, this.#configurationEnd - this.#position));
    blocks.push(piece, at, blocksEnd);
    if (blocks.isDamaged && blocks.count === 0) throw notRxdError();
    const isWhole = this.#position + blocksEnd - at >= this.#configurationEnd;
    if (!isWhole) return blocksEnd;
    if (!this.#isConfigured) {
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

  /** Fills `#held` up to `wanted` bytes. @returns the offset in the input after the bytes that were used */
  #fill(piece: Uint8Array, at: number, wanted: number): number {
    const end = Math.min(piece.length, at + wanted - this.#filled);
    this.#held.set(piece.subarray(at, end), this.#filled);
    this.#filled += end - at;
    return end;
  }
}
