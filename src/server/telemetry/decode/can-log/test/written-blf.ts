import { deflateSync } from 'node:zlib';

/** Returns an object of a BLF: header of version 1 (or 2), time in nanoseconds (or 10 us), body, and padding. */
export function blfObject(
  type: number,
  body: Uint8Array,
  { version = 1, flags = 2, time = 0, padding = body.length % 4 } = {},
): Buffer {
  const headerBytes = version === 1 ? 32 : 40;
  const header = Buffer.alloc(headerBytes);
  header.write('LOBJ');
  header.writeUInt16LE(headerBytes, 4);
  header.writeUInt16LE(version, 6);
  header.writeUInt32LE(headerBytes + body.length, 8);
  header.writeUInt32LE(type, 12);
  header.writeUInt32LE(flags, 16);
  header.writeBigUInt64LE(BigInt(time), 24);
  return Buffer.concat([header, body, Buffer.alloc(padding)]);
}

/** Returns a container of a BLF. @param content bytes in the container; they may begin and end inside an object */
export function blfContainer(content: Uint8Array, method: 0 | 2 = 2, statedBytes = content.length): Buffer {
  const packed = method === 2 ? deflateSync(content) : Buffer.from(content);
  const header = Buffer.alloc(32);
  header.write('LOBJ');
  header.writeUInt16LE(16, 4);
  header.writeUInt16LE(1, 6);
  header.writeUInt32LE(32 + packed.length, 8);
  header.writeUInt32LE(10, 12);
  header.writeUInt16LE(method, 16);
  header.writeUInt32LE(statedBytes, 24);
  return Buffer.concat([header, packed, Buffer.alloc(packed.length % 4)]);
}

/** Returns the header of a BLF whose clock showed 2026-07-01 10:00:00.000. */
export function blfHeader(): Buffer {
  const header = Buffer.alloc(144);
  header.write('LOGG');
  header.writeUInt32LE(144, 4);
  for (const [index, part] of [2026, 7, 3, 1, 10, 0, 0, 0].entries())
    header.writeUInt16LE(part, 40 + 2 * index);
  return header;
}

/** Returns the body of an object of type 1 or 86, which is a CAN message. */
export function blfMessage(channel: number, id: number, data: readonly number[], flags = 0): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt16LE(channel, 0);
  body[2] = flags;
  body[3] = data.length;
  body.writeUInt32LE(id, 4);
  body.set(data, 8);
  return body;
}
