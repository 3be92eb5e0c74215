import { GIVEN_START_MS } from './given-frames.ts';

/** A block of an MF4 with links to others. */
export type Part = { readonly id: string; readonly links: (Part | undefined)[]; readonly data: Buffer };

export const part = (id: string, data: Buffer, ...links: (Part | undefined)[]): Part => ({ id, links, data });

/**
 * Writes blocks to a file: the first one at 64, each at a multiple of 8. `gap` holds bytes before the last block that
 * are not a block.
 */
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

/** Returns a block and all blocks that it links to, the next one of its chain last. */
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
