import { deflateSync } from 'node:zlib';
import { GIVEN_START_MS, type GivenFrame } from './given-frames.ts';

/** A block of an MF4 with links to others. */
export type Part = { readonly id: string; readonly links: (Part | undefined)[]; readonly data: Buffer };

export const part = (id: string, data: Buffer, ...links: (Part | undefined)[]): Part => ({ id, links, data });

/** Puts blocks into a file, the first one at 64, each at a multiple of 8; before the last one bytes that are no block. */
export function mf4File(parts: readonly Part[], name = 'MDF     ', gap = Buffer.alloc(0)): Buffer {
  const offsets = new Map<Part, number>();
  const bytesOf = ({ links, data }: Part) => 24 + 8 * links.length + data.length;
  let end = 64;
  const last = parts.at(-1);
  for (const one of parts) {
    if (one === last) end += gap.length;
    offsets.set(one, end);
    end += Math.ceil(bytesOf(one) / 8) * 8;
  }
  const file = Buffer.alloc(end);
  if (last !== undefined) gap.copy(file, (offsets.get(last) as number) - gap.length);
  file.write(`${name}4.11    test    `, 'latin1');
  for (const one of parts) {
    const at = offsets.get(one) as number;
    file.write(`##${one.id}`, at);
    file.writeBigUInt64LE(BigInt(bytesOf(one)), at + 8);
    file.writeBigUInt64LE(BigInt(one.links.length), at + 16);
    for (const [index, link] of one.links.entries())
      file.writeBigUInt64LE(
        BigInt(link === undefined ? 0 : (offsets.get(link) as number)),
        at + 24 + 8 * index,
      );
    one.data.copy(file, at + 24 + 8 * one.links.length);
  }
  return file;
}

/** Returns a block and all that it links to, the next one of its chain last. */
export function withLinked(first: Part, parts = new Set<Part>()): Set<Part> {
  if (parts.has(first)) return parts;
  parts.add(first);
  const [next, ...inside] = first.links;
  for (const link of [...inside, next]) if (link !== undefined) withLinked(link, parts);
  return parts;
}

export const text = (content: string): Part => part('TX', Buffer.from(`${content}\0`));

export type WrittenChannel = {
  readonly type?: number;
  readonly dataType?: number;
  readonly byte: number;
  readonly bit?: number;
  readonly bits: number;
  readonly conversion?: Part;
  readonly data?: Part;
  readonly parts?: Part;
};

export function channel(name: string, given: WrittenChannel): Part {
  const data = Buffer.alloc(72);
  data.set([given.type ?? 0, given.type === 2 ? 1 : 0, given.dataType ?? 0, given.bit ?? 0]);
  data.writeUInt32LE(given.byte, 4);
  data.writeUInt32LE(given.bits, 8);
  return part(
    'CN',
    data,
    undefined,
    given.parts,
    text(name),
    undefined,
    given.conversion,
    given.data,
    undefined,
    undefined,
  );
}

/** Chains blocks by their first link and returns the first one. */
export function chained(parts: readonly Part[]): Part | undefined {
  for (const [index, one] of parts.entries()) one.links[0] = parts[index + 1];
  return parts[0];
}

export function conversion(type: number, values: readonly number[]): Part {
  const data = Buffer.alloc(24 + 8 * values.length);
  data[0] = type;
  data.writeUInt16LE(values.length, 6);
  for (const [index, value] of values.entries()) data.writeDoubleLE(value, 24 + 8 * index);
  return part('CC', data, undefined, undefined, undefined, undefined);
}

export function group(
  recordId: number,
  bytes: number,
  channels: readonly Part[],
  name = '',
  flags = 0,
): Part {
  const data = Buffer.alloc(32);
  data.writeBigUInt64LE(BigInt(recordId));
  data.writeUInt16LE(flags, 16);
  data.writeUInt32LE(bytes, 24);
  const named = name === '' ? undefined : text(name);
  return part('CG', data, undefined, chained(channels), named, undefined, undefined, undefined);
}

export function dataGroup(idBytes: number, groups: readonly Part[], data: Part | undefined): Part {
  const header = Buffer.alloc(8);
  header[0] = idBytes;
  return part('DG', header, undefined, chained(groups), data, undefined);
}

export function header(groups: readonly Part[], startMs = GIVEN_START_MS, timeFlags = 0): Part {
  const data = Buffer.alloc(32);
  data.writeBigUInt64LE(BigInt(startMs) * 1_000_000n);
  data[12] = timeFlags;
  return part('HD', data, chained(groups), undefined, undefined, undefined, undefined, undefined);
}

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

export const microseconds = conversion(1, [0, 1e-6]);

/** The channels of a record of 16 bytes and its data: time, bus, identifier, flag, length code, length. */
export function frameChannels(frame: string, data?: WrittenChannel): Part[] {
  const inside = [
    channel(`${frame}.BusChannel`, { byte: 8, bits: 8 }),
    channel(`${frame}.ID`, { byte: 9, bits: 29 }),
    channel(`${frame}.IDE`, { byte: 13, bit: 3, bits: 1 }),
    channel(`${frame}.DLC`, { byte: 14, bits: 8 }),
    channel(`${frame}.DataLength`, { byte: 15, bits: 7 }),
    ...(data === undefined ? [] : [channel(`${frame}.DataBytes`, data)]),
  ];
  return [
    channel('Timestamp', { type: 2, byte: 0, bits: 64, conversion: microseconds }),
    channel(frame, { byte: 8, bits: 64, dataType: 10, parts: chained(inside) as Part }),
  ];
}

/** Makes a record of the channels above, without its data. */
export function frameRecord({ us, bus, id, extended, data }: GivenFrame): Buffer {
  const record = Buffer.alloc(16);
  record.writeBigUInt64LE(BigInt(us - GIVEN_START_MS * 1000));
  record[8] = bus;
  // The highest bits belong to no channel.
  record.writeUInt32LE((id | 0xe000_0000) >>> 0, 9);
  record[13] = extended ? 0xff : 0xf7;
  record[14] = data.length;
  record[15] = data.length | 0x80;
  return record;
}

/** Makes a length and so many bytes, as data of variable length stand in a stream. */
export function variableData(data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([length, data]);
}
