import { readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import type { Mf4Block } from './mf4-block.ts';

/** The data of an LD block start with flags (uint32), followed by the number of data blocks (uint32). */
const COUNT_AT = 4;

/** Follows the links between the blocks of an MF4. Stops at links that form a circle. */
export class Mf4Blocks {
  readonly #found: ReadonlyMap<number, Mf4Block>;
  readonly #visited = new Set<Mf4Block>();
  /** Whether a link leads to a block that is not in the file. */
  isIncomplete = false;

  constructor(found: ReadonlyMap<number, Mf4Block>) {
    this.#found = found;
  }

  /** Returns the block at an offset; undefined for offset 0 or another kind of block. */
  at(offset: number, id: string): Mf4Block | undefined {
    if (offset === 0) return undefined;
    const block = this.#found.get(offset);
    if (block === undefined) this.isIncomplete = true;
    return block?.id === id ? block : undefined;
  }

  /** Returns the comment at an offset; an empty text when it is missing or too long to be kept. */
  commentAt(offset: number): string {
    return this.#found.get(offset)?.id === 'MD' ? this.textAt(offset) : '';
  }

  textAt(offset: number): string {
    return (this.at(offset, 'TX') ?? this.at(offset, 'MD'))?.text ?? '';
  }

  /** Yields blocks that are chained by their first link, with their offsets. */
  *list(first: number, id: string): Generator<[offset: number, block: Mf4Block]> {
    for (let offset = first; ; ) {
      const block = this.at(offset, id);
      if (block === undefined || this.#visited.has(block)) return;
      this.#visited.add(block);
      yield [offset, block];
      offset = block.link(0);
    }
  }

  /** Yields the offsets of the data blocks that a link leads to: a block, a list (DL or LD), or the head of a list (HL). */
  *dataBlocks(link: number): Generator<number> {
    const block = this.#found.get(link);
    if (link === 0) return;
    if (block === undefined) yield link;
    else yield* this.#listed(this.#firstList(link));
  }

  /** Returns whether a link leads to an LD block. The records in the data blocks of an LD (DV) have no invalidation bytes. */
  isListOfValues(link: number): boolean {
    return this.#found.get(this.#firstList(link))?.id === 'LD';
  }

  #firstList(link: number): number {
    const block = this.#found.get(link);
    return block?.id === 'HL' ? block.link(0) : link;
  }

  *#listed(first: number): Generator<number> {
    const id = this.#found.get(first)?.id === 'LD' ? 'LD' : 'DL';
    for (const [, block] of this.list(first, id)) {
      // The remaining links of an LD block lead to invalidation bytes.
      const last =
        id === 'LD' ? Math.min(readUint32(block.data, COUNT_AT), block.linkCount - 1) : block.linkCount - 1;
      for (let index = 1; index <= last; index++) {
        const offset = block.link(index);
        if (offset !== 0) yield offset;
      }
    }
  }
}
