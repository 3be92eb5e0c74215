import { u32, u64 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { requireUnpackable, unpack } from '#server/telemetry/decode/can-log/unpack.ts';

/** A DZ block begins with two letters for the kind of block, the compression method, and lengths. */
export const PACKED_HEADER_BYTES = 24;
const TRANSPOSED = 1;
const ROWS_AT_ONCE = 512;

export type PackedHeader = {
  readonly method: number;
  /** Bytes of a row in transposed data. */
  readonly columns: number;
  readonly unpackedBytes: number;
  readonly packedBytes: number;
};

/** @throws LogError 'too large' for more bytes than a writer packs */
export function readPackedHeader(bytes: Uint8Array): PackedHeader {
  const header = {
    method: bytes[2] as number,
    columns: u32(bytes, 4),
    unpackedBytes: u64(bytes, 8),
    packedBytes: u64(bytes, 16),
  };
  requireUnpackable(header.unpackedBytes);
  requireUnpackable(header.packedBytes);
  return header;
}

/**
 * Decompresses the data of a DZ block, or of its beginning; returns undefined when the block is damaged or has another
 * compression method.
 */
export function unpackBlock(
  { method, columns, unpackedBytes }: PackedHeader,
  packed: Uint8Array,
): Uint8Array | undefined {
  if (method > TRANSPOSED) return undefined;
  const data = unpack(packed, unpackedBytes);
  if (data === undefined || method !== TRANSPOSED) return data;
  // A truncated part lacks the last columns of every row.
  return data.length === unpackedBytes && columns > 0 ? transposedBack(data, columns) : undefined;
}

/**
 * Undoes the writer's transposition: first bytes of all rows, second bytes, and so on. A partial row at the end stays
 * last.
 */
function transposedBack(data: Uint8Array, columns: number): Uint8Array {
  const rows = Math.floor(data.length / columns);
  const back = new Uint8Array(data.length);
  // Transposes a few rows at a time, which fit into the processor's cache.
  for (let first = 0; first < rows; first += ROWS_AT_ONCE) {
    const end = Math.min(first + ROWS_AT_ONCE, rows);
    for (let column = 0, to = first * columns; column < columns; column++, to = first * columns + column)
      for (let row = first, from = column * rows; row < end; row++, to += columns)
        back[to] = data[from + row] as number;
  }
  back.set(data.subarray(rows * columns), rows * columns);
  return back;
}
