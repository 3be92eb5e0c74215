/** Unsigned numbers in little-endian order; bytes behind the end count as zero. */

export const u16 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

export const u32 = (bytes: Uint8Array, at: number): number =>
  (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0;

/** Rounded where it has more than 53 bits. */
export const u64 = (bytes: Uint8Array, at: number): number =>
  u32(bytes, at) + u32(bytes, at + 4) * 0x1_0000_0000;
