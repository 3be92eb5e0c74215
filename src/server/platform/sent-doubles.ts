/**
 * Size of the head of an array: number of dimensions, null flag, type, and length and lower bound of the one dimension (array_send in
 * PostgreSQL's arrayfuncs.c).
 */
const HEAD_BYTES = 20;
const LENGTH_AT = 12;

/**
 * Decodes `array_send(array_agg(…::float8))`, because sending numbers as text would cost more than everything else.
 * @param bytes the array; null if the query gave no row
 * @returns the numbers, with NaN for each null
 */
export function decodeDoubleArray(bytes: Buffer | null): Float64Array {
  if (!bytes) return new Float64Array();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(view.getInt32(LENGTH_AT));
  let at = HEAD_BYTES;
  for (let n = 0; n < values.length; n += 1) {
    // Each value follows its length; -1 stands for null.
    const isNull = view.getInt32(at) < 0;
    values[n] = isNull ? Number.NaN : view.getFloat64(at + 4);
    at += isNull ? 4 : 12;
  }
  return values;
}
