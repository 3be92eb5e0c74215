import { TEST_FRAMES_START_MS } from './given-frames.ts';

/** A block of an MF4 with links to others. */
export type Mf4TestBlock = {
  readonly id: string;
  readonly links: (Mf4TestBlock | undefined)[];
  readonly data: Buffer;
};

export const mf4Block = (id: string, data: Buffer, ...links: (Mf4TestBlock | undefined)[]): Mf4TestBlock => ({
  id,
  links,
  data,
});

/**
 * Writes blocks to a file: the first one at offset 64, each at a multiple of 8.
 * @param gap bytes that are not a block, written before the last block
 */
export function mf4File(parts: readonly Mf4TestBlock[], name = 'MDF     ', gap = Buffer.alloc(0)): Buffer {
  const offsets = new Map<Mf4TestBlock, number>();
  const bytesOf = ({ links, data }: Mf4TestBlock) => 24 + 8 * links.length + data.length;
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

/** Returns a block and all blocks that it links to, the next one of its chain last. */
export function collectLinkedBlocks(first: Mf4TestBlock, parts = new Set<Mf4TestBlock>()): Set<Mf4TestBlock> {
  if (parts.has(first)) return parts;
  parts.add(first);
  const [next, ...inside] = first.links;
  for (const link of [...inside, next]) if (link !== undefined) collectLinkedBlocks(link, parts);
  return parts;
}

export const textBlock = (content: string): Mf4TestBlock => mf4Block('TX', Buffer.from(`${content}\0`));

export type WrittenChannel = {
  readonly type?: number;
  readonly dataType?: number;
  readonly byte: number;
  readonly bit?: number;
  readonly bits: number;
  readonly conversion?: Mf4TestBlock;
  readonly data?: Mf4TestBlock;
  readonly parts?: Mf4TestBlock;
};

export function channelBlock(name: string, given: WrittenChannel): Mf4TestBlock {
  const data = Buffer.alloc(72);
  data.set([given.type ?? 0, given.type === 2 ? 1 : 0, given.dataType ?? 0, given.bit ?? 0]);
  data.writeUInt32LE(given.byte, 4);
  data.writeUInt32LE(given.bits, 8);
  return mf4Block(
    'CN',
    data,
    undefined,
    given.parts,
    textBlock(name),
    undefined,
    given.conversion,
    given.data,
    undefined,
    undefined,
  );
}

/** Chains blocks by their first link and returns the first one. */
export function chainBlocks(parts: readonly Mf4TestBlock[]): Mf4TestBlock | undefined {
  for (const [index, one] of parts.entries()) one.links[0] = parts[index + 1];
  return parts[0];
}

export function conversionBlock(type: number, values: readonly number[]): Mf4TestBlock {
  const data = Buffer.alloc(24 + 8 * values.length);
  data[0] = type;
  data.writeUInt16LE(values.length, 6);
  for (const [index, value] of values.entries()) data.writeDoubleLE(value, 24 + 8 * index);
  return mf4Block('CC', data, undefined, undefined, undefined, undefined);
}

export function channelGroupBlock(
  recordId: number,
  bytes: number,
  channels: readonly Mf4TestBlock[],
  name = '',
  flags = 0,
): Mf4TestBlock {
  const data = Buffer.alloc(32);
  data.writeBigUInt64LE(BigInt(recordId));
  data.writeUInt16LE(flags, 16);
  data.writeUInt32LE(bytes, 24);
  const named = name === '' ? undefined : textBlock(name);
  return mf4Block('CG', data, undefined, chainBlocks(channels), named, undefined, undefined, undefined);
}

export function dataGroupBlock(
  idBytes: number,
  groups: readonly Mf4TestBlock[],
  data: Mf4TestBlock | undefined,
): Mf4TestBlock {
  const header = Buffer.alloc(8);
  header[0] = idBytes;
  return mf4Block('DG', header, undefined, chainBlocks(groups), data, undefined);
}

export function headerBlock(
  groups: readonly Mf4TestBlock[],
  startMs = TEST_FRAMES_START_MS,
  timeFlags = 0,
): Mf4TestBlock {
  const data = Buffer.alloc(32);
  data.writeBigUInt64LE(BigInt(startMs) * 1_000_000n);
  data[12] = timeFlags;
  return mf4Block('HD', data, chainBlocks(groups), undefined, undefined, undefined, undefined, undefined);
}
