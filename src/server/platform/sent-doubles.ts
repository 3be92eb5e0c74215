/** Dimensions, whether there are nulls, type; of the one dimension length and lower bound (array_send in PostgreSQL's arrayfuncs.c). */
const HEAD_BYTES = 20;
const LENGTH_AT = 12;

/**
 * What `array_send(array_agg(…::float8))` says: a number that becomes text on its way costs more than everything else.
 * @param bytes null: there was no row
 * @returns NaN for null
 */
export function sentDoubles(bytes: Buffer | null): Float64Array {
  if (!bytes) return new Float64Array();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(view.getInt32(LENGTH_AT));
  let at = HEAD_BYTES;
  for (let n = 0; n < values.length; n += 1) {
    // Its length, -1 for null, and then the value.
    const isNull = view.getInt32(at) < 0;
    values[n] = isNull ? Number.NaN : view.getFloat64(at + 4);
    at += isNull ? 4 : 12;
  }
  return values;
}
