import { deflateSync } from 'node:zlib';
import { chained, type Part, part } from './written-mf4.ts';

export type Packing = 'none' | 'zlib' | 'transposed';

/** Makes a data block (DT or SD), packed or not. */
export function dataBlock(
  id: 'DT' | 'SD',
  data: Buffer,
  packing: Packing,
  columns: number,
  statedBytes = data.length,
): Part {
  if (packing === 'none') return part(id, data);
  const sorted = packing === 'transposed' ? transposed(data, columns) : data;
  const packed = deflateSync(sorted);
  const head = Buffer.alloc(24);
  head.write(id);
  head[2] = packing === 'transposed' ? 1 : 0;
  head.writeUInt32LE(columns, 4);
  head.writeBigUInt64LE(BigInt(statedBytes), 8);
  head.writeBigUInt64LE(BigInt(packed.length), 16);
  return part('DZ', Buffer.concat([head, packed]));
}

function transposed(data: Buffer, columns: number): Buffer {
  const rows = Math.floor(data.length / columns);
  const turned = Buffer.from(data);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned[column * rows + row] = data[row * columns + column] as number;
  return turned;
}

/** Cuts data into blocks, and makes the list of them. */
export function listed(
  id: 'DT' | 'SD',
  data: Buffer,
  blockBytes: number,
  packing: Packing,
  columns: number,
): Part {
  const blocks: Part[] = [];
  for (let at = 0; at < data.length; at += blockBytes)
    blocks.push(dataBlock(id, data.subarray(at, at + blockBytes), packing, columns));
  // Two lists, so that they are chained.
  const half = Math.ceil(blocks.length / 2);
  const lists = [blocks.slice(0, half), blocks.slice(half)].map((some) =>
    part('DL', Buffer.alloc(24), undefined, ...some),
  );
  const first = chained(lists) as Part;
  return packing === 'none' ? first : part('HL', Buffer.alloc(8), first);
}
