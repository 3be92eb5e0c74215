import { deflateSync } from 'node:zlib';
import { chainBlocks, type Mf4TestBlock, mf4Block } from './written-mf4.ts';

export type BlockCompression = 'none' | 'zlib' | 'transposed';

/** Returns a data block, compressed or not. */
export function dataBlock(
  id: 'DT' | 'SD' | 'DV',
  data: Buffer,
  packing: BlockCompression,
  columns: number,
  statedBytes = data.length,
): Mf4TestBlock {
  if (packing === 'none') return mf4Block(id, data);
  const sorted = packing === 'transposed' ? transposed(data, columns) : data;
  const packed = deflateSync(sorted);
  const head = Buffer.alloc(24);
  head.write(id);
  head[2] = packing === 'transposed' ? 1 : 0;
  head.writeUInt32LE(columns, 4);
  head.writeBigUInt64LE(BigInt(statedBytes), 8);
  head.writeBigUInt64LE(BigInt(packed.length), 16);
  return mf4Block('DZ', Buffer.concat([head, packed]));
}

function transposed(data: Buffer, columns: number): Buffer {
  const rows = Math.floor(data.length / columns);
  const turned = Buffer.from(data);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned[column * rows + row] = data[row * columns + column] as number;
  return turned;
}

/** Splits data into blocks, and returns the list of the blocks. */
export function listedDataBlocks(
  id: 'DT' | 'SD',
  data: Buffer,
  blockBytes: number,
  packing: BlockCompression,
  columns: number,
): Mf4TestBlock {
  const blocks: Mf4TestBlock[] = [];
  for (let at = 0; at < data.length; at += blockBytes)
    blocks.push(dataBlock(id, data.subarray(at, at + blockBytes), packing, columns));
  return headed(
    halves(blocks).map((some) => mf4Block('DL', Buffer.alloc(24), undefined, ...some)),
    packing,
  );
}

/** Divides the blocks between two lists, if there are at least two blocks, so that the file contains chained lists. */
function halves<T>(blocks: readonly T[]): T[][] {
  const half = Math.ceil(blocks.length / 2);
  return [blocks.slice(0, half), blocks.slice(half)].filter(({ length }) => length > 0);
}

function headed(lists: readonly Mf4TestBlock[], packing: BlockCompression): Mf4TestBlock {
  const first = chainBlocks(lists) as Mf4TestBlock;
  return packing === 'none' ? first : mf4Block('HL', Buffer.alloc(8), first);
}

/** How an LD refers to its blocks: by one length, by offsets, or with separate invalidation bytes. */
export type BlockReferenceStyle = 'equal' | 'offsets' | 'invalidation';

/** Splits records into DV blocks, and returns their LD lists. */
export function listedValueBlocks(
  data: Buffer,
  blockBytes: number,
  packing: BlockCompression,
  columns: number,
  list: BlockReferenceStyle,
): Mf4TestBlock {
  const blocks: { readonly offset: number; readonly block: Mf4TestBlock; readonly invalid: Mf4TestBlock }[] =
    [];
  for (let at = 0; at < data.length; at += blockBytes) {
    const bytes = data.subarray(at, at + blockBytes);
    const invalid = mf4Block('DI', Buffer.alloc(Math.ceil(bytes.length / columns), 0xff));
    blocks.push({ offset: at, block: dataBlock('DV', bytes, packing, columns), invalid });
  }
  const lists = halves(blocks).map((some) => {
    const head = Buffer.alloc(list === 'offsets' ? 8 + 8 * some.length : 16);
    head.writeUInt32LE(list === 'offsets' ? 0 : list === 'equal' ? 1 : 0x8000_0001, 0);
    head.writeUInt32LE(some.length, 4);
    if (list !== 'offsets') head.writeBigUInt64LE(BigInt(blockBytes), 8);
    else for (const [n, { offset }] of some.entries()) head.writeBigUInt64LE(BigInt(offset), 8 + 8 * n);
    const invalid = list === 'invalidation' ? some.map((one) => one.invalid) : [];
    return mf4Block('LD', head, undefined, ...some.map(({ block }) => block), ...invalid);
  });
  return headed(lists, packing);
}
