import { readUint32, readUint64 } from '#server/telemetry/decode/can-log/little-endian.ts';

/** Size of the header of a block: its id `##XX`, 4 reserved bytes, its length and the number of its links. */
export const BLOCK_HEADER_BYTES = 24;
const LINK_BYTES = 8;

export type BlockHeader = {
  /** Two letters: DG, CG, … */
  readonly id: string;
  /** Bytes of the whole block. */
  readonly length: number;
  readonly links: number;
};

/** Reads the header of the block at offset `at`; returns undefined when no block begins at that offset. */
export function readBlockHeader(bytes: Uint8Array, at: number): BlockHeader | undefined {
  const isBlock =
    bytes[at] === 35 && bytes[at + 1] === 35 && isLetter(bytes[at + 2]) && isLetter(bytes[at + 3]);
  const length = readUint64(bytes, at + 8);
  const links = readUint64(bytes, at + 16);
  if (
    !isBlock ||
    readUint32(bytes, at + 4) !== 0 ||
    length > Number.MAX_SAFE_INTEGER ||
    BLOCK_HEADER_BYTES + links * LINK_BYTES > length
  )
    return undefined;
  return { id: String.fromCharCode(bytes[at + 2] as number, bytes[at + 3] as number), length, links };
}

const isLetter = (code: number | undefined): boolean => code !== undefined && code >= 65 && code <= 90;

/** A block that is completely in memory. */
export class Mf4Block {
  readonly id: string;
  readonly linkCount: number;
  /** Bytes after the links. */
  readonly data: Uint8Array;
  readonly #bytes: Uint8Array;

  constructor({ id, links }: BlockHeader, bytes: Uint8Array) {
    this.id = id;
    this.linkCount = links;
    this.data = bytes.subarray(BLOCK_HEADER_BYTES + links * LINK_BYTES);
    this.#bytes = bytes;
  }

  /** Returns the offset of another block in the file; 0 for no link. */
  link(index: number): number {
    return index < this.linkCount ? readUint64(this.#bytes, BLOCK_HEADER_BYTES + index * LINK_BYTES) : 0;
  }

  /** Returns the text of a TX or MD block. */
  get text(): string {
    const end = this.data.indexOf(0);
    return new TextDecoder().decode(end === -1 ? this.data : this.data.subarray(0, end));
  }
}
