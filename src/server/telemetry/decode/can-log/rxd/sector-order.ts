import { u32 } from './little-endian.ts';
import { SECTOR_BYTES } from './structure.ts';

/** Sectors of a pre-buffer that are kept back: 4 MiB. */
const MOST_HELD = 8192;
/** A pre-buffer of more than 1 GiB is a damaged record. */
const MOST_SECTORS = 2 ** 21;

/**
 * @param at where the sector begins in `bytes`
 * @param byteOffset of the sector; of one of a ring, where the ring begins, since reading cannot begin again within it
 */
type ReadSector = (bytes: Uint8Array, at: number, byteOffset: number, isOfRing: boolean) => void;

/**
 * Puts the sectors of a file into the order of their time. A pre-buffer is a ring that ends up in the file as it is: the
 * sector with its Trigger record, then the ring, of which the oldest sector is the one after the sector that was written last
 * (PreBufferCollection.cs, RecPreBuffer.cs). The sectors that are older come later in the file, so the newer ones wait
 * for them. Rings with too many newer sectors are passed.
 */
export class SectorOrder {
  readonly #read: ReadSector;
  /** The newer sectors of the ring, one after the other. */
  #held = new Uint8Array(0);
  #heldSectors = 0;
  /** Newer sectors that are still to come, first of all. */
  #newer = 0;
  #older = 0;
  #isPassed = false;
  #ringOffset = 0;

  /** Pre-buffers that were too large to put into their order: their records are missing. */
  skippedPreBuffers = 0;

  constructor(read: ReadSector) {
    this.#read = read;
  }

  /** Where the ring begins that is not handed on as a whole; undefined: there is none. */
  get pending(): number | undefined {
    return this.#newer + this.#older > 0 ? this.#ringOffset : undefined;
  }

  /**
   * Takes a Trigger record: the sectors that follow are a ring.
   * @param at of its tick: after it come the first, the last written and the last sector of the ring, counted from anywhere
   * @param ringOffset of the sector after the one with this record
   */
  beginRing(bytes: Uint8Array, at: number, ringOffset: number): void {
    const [first, written, last] = [u32(bytes, at + 4), u32(bytes, at + 8), u32(bytes, at + 12)];
    const isRing = first > 0 && first <= written && written < last && last - first < MOST_SECTORS;
    if (!isRing || this.pending !== undefined) return;
    this.#ringOffset = ringOffset;
    this.#newer = written - first + 1;
    this.#older = last - written;
    this.#isPassed = this.#newer > MOST_HELD;
    if (this.#isPassed) this.skippedPreBuffers += 1;
  }

  sector(bytes: Uint8Array, at: number, byteOffset: number): void {
    if (this.#newer > 0) {
      if (!this.#isPassed) this.#hold(bytes, at);
      this.#newer -= 1;
    } else if (this.#older > 0) {
      if (!this.#isPassed) this.#read(bytes, at, this.#ringOffset, true);
      this.#older -= 1;
      if (this.#older === 0) this.#release();
    } else this.#read(bytes, at, byteOffset, false);
  }

  /** Hands on what still waits: the file ends within the ring. */
  end(): void {
    this.#release();
    this.#newer = 0;
    this.#older = 0;
  }

  #hold(bytes: Uint8Array, at: number): void {
    const end = this.#heldSectors * SECTOR_BYTES;
    if (end === this.#held.length) {
      const larger = new Uint8Array(Math.max(16 * SECTOR_BYTES, 2 * end));
      larger.set(this.#held);
      this.#held = larger;
    }
    this.#held.set(bytes.subarray(at, at + SECTOR_BYTES), end);
    this.#heldSectors += 1;
  }

  #release(): void {
    const held = this.#held.subarray(0, this.#heldSectors * SECTOR_BYTES);
    this.#held = new Uint8Array(0);
    this.#heldSectors = 0;
    for (let at = 0; at < held.length; at += SECTOR_BYTES) this.#read(held, at, this.#ringOffset, true);
  }
}
