/** Dimensions, whether there are nulls, type; of the one dimension length and lower bound (array_send in PostgreSQL's arrayfuncs.c). */
const HEAD_BYTES = 20;
const LENGTH_AT = 12;

/** The elements of a float8[], one after the other. */
export type SentDoubles = {
  readonly count: number;
  /** At most `count` times. */
  next(): number | null;
};

/**
 * What `array_send(array_agg(…::float8))` says: a number that becomes text on its way costs more than everything else.
 * @param bytes null: there was no row
 */
export function sentDoubles(bytes: Buffer | null): SentDoubles {
  if (!bytes) return { count: 0, next: () => null };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = HEAD_BYTES;
  return {
    count: view.getInt32(LENGTH_AT),
    next() {
      // Its length, -1 for null, and then the value.
      const isNull = view.getInt32(at) < 0;
      const value = isNull ? null : view.getFloat64(at + 4);
      at += isNull ? 4 : 12;
      return value;
    },
  };
}
