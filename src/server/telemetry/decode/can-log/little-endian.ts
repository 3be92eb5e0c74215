/** Little-endian numbers, read without creating a DataView. Bytes after the end count as zero. */

export const readUint16 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

export const readUint32 = (bytes: Uint8Array, at: number): number =>
  (readUint16(bytes, at) | (readUint16(bytes, at + 2) << 16)) >>> 0;

/** Returns a double, so a number of more than 53 bits is rounded. */
export const readUint64 = (bytes: Uint8Array, at: number): number =>
  readUint32(bytes, at) + readUint32(bytes, at + 4) * 0x1_0000_0000;

const scratch = new DataView(new ArrayBuffer(8));

export function readFloat32(bytes: Uint8Array, at: number): number {
  scratch.setUint32(0, readUint32(bytes, at));
  return scratch.getFloat32(0);
}

export function readFloat64(bytes: Uint8Array, at: number): number {
  scratch.setUint32(0, readUint32(bytes, at + 4));
  scratch.setUint32(4, readUint32(bytes, at));
  return scratch.getFloat64(0);
}
