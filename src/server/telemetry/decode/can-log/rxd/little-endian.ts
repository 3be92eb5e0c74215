/** Reads little-endian numbers without allocating a DataView for each. */

export const u16 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

export const u32 = (bytes: Uint8Array, at: number): number =>
  (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0;

const scratch = new DataView(new ArrayBuffer(8));

export function f32(bytes: Uint8Array, at: number): number {
  scratch.setUint32(0, u32(bytes, at));
  return scratch.getFloat32(0);
}

export function f64(bytes: Uint8Array, at: number): number {
  scratch.setUint32(0, u32(bytes, at + 4));
  scratch.setUint32(4, u32(bytes, at));
  return scratch.getFloat64(0);
}

/** Reads an ASCII text of at most 255 bytes. */
export const text = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));
