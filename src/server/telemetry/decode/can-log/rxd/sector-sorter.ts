import { readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { SECTOR_BYTES } from './structure.ts';

/** Maximum number of sectors that are held in memory, 4 MiB together. */
const MAX_HELD_SECTORS = 8192;
/** Maximum number of sectors of a pre-buffer (1 GiB); a Trigger record with more is damaged. */
const MAX_SECTORS = 2 ** 21;

/**
 * Receives a sector.
 * @param at offset of the sector in `bytes`
 * @param byteOffset offset of the sector in the file, or of the ring that contains it: reading cannot resume within a ring
 */
type ReadSector = (bytes: Uint8Array, at: number, byteOffset: number, isOfRing: boolean) => void;

/**
 * Puts the sectors of a file into chronological order. A pre-buffer is a ring buffer that the logger leaves in the file as it is:
 * first a sector with a Trigger record, then the ring. The oldest sector of the ring follows the sector that was written last
 * (PreBufferCollection.cs, RecPreBuffer.cs). So the newer sectors come first in the file, and are held until the older ones are
 * read. A ring with too many newer sectors is skipped.
 */
export class SectorSorter {
  readonly #read: ReadSector;
  /** The newer sectors of the ring, held until the older ones have been read. */
  #held = new Uint8Array(0);
  #heldSectors = 0;
  /** Number of newer sectors of the ring that have not arrived yet; they arrive before the older ones. */
  #newer = 0;
  /** Number of older sectors of the ring that have not arrived yet. */
  #older = 0;
  #isSkipped = false;
  #ringOffset = 0;

  /** Number of pre-buffers that were too large to reorder; their records are missing. */
  skippedPreBuffers = 0;

  constructor(read: ReadSector) {
    this.#read = read;
  }

  /** Offset of the current ring in the file; undefined outside a ring. */
  get pending(): number | undefined {
    return this.#newer + this.#older > 0 ? this.#ringOffset : undefined;
  }

  /**
   * Reads a Trigger record: the sectors that follow are a ring.
   * @param at offset of the record's info: a tick, then the numbers of the ring's first sector, its last written sector and its
   * last sector, which count from an unknown sector of the logger's card
   * @param ringOffset offset in the file of the sector after the one with the record
   */
  beginRing(bytes: Uint8Array, at: number, ringOffset: number): void {
    const [first, written, last] = [
      readUint32(bytes, at + 4),
      readUint32(bytes, at + 8),
      readUint32(bytes, at + 12),
    ];
    const isRing = first > 0 && first <= written && written < last && last - first < MAX_SECTORS;
    if (!isRing) return;
    this.#ringOffset = ringOffset;
    this.#newer = written - first + 1;
    this.#older = last - written;
    this.#isSkipped = this.#newer > MAX_HELD_SECTORS;
    if (this.#isSkipped) this.skippedPreBuffers += 1;
  }

  sector(bytes: Uint8Array, at: number, byteOffset: number): void {
    if (this.#newer > 0) {
      if (!this.#isSkipped) this.#hold(bytes, at);
      this.#newer -= 1;
    } else if (this.#older > 0) {
      if (!this.#isSkipped) this.#read(bytes, at, this.#ringOffset, true);
      this.#older -= 1;
      if (this.#older === 0) this.#release();
    } else this.#read(bytes, at, byteOffset, false);
  }

  /** Reads the held sectors, if the file ends in a ring. */
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
