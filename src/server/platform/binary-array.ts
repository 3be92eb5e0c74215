/**
 * Encodes one-dimensional arrays in PostgreSQL's binary format (array_send in its arrayfuncs.c), which `pg` passes on unchanged:
 * number of dimensions, whether an element may be null, the element's type (pg_type.dat), length, lower bound; then each element,
 * preceded by its length (-1 for null). All numbers are big-endian.
 */
const TYPE = {
  bytea: 17,
  bigint: 20,
  integer: 23,
  text: 25,
  json: 114,
  double: 701,
  timestamptz: 1184,
  uuid: 2950,
  jsonb: 3802,
} as const;
const HEAD = 20;
const NULL = -1;
const WORD = 2 ** 32;
/** 2000-01-01, the epoch of PostgreSQL's timestamps, in ms since 1970. */
const EPOCH_MS = 946_684_800_000;

/** Allocates an array of `length` elements that take `bytes` together, with the length before each. */
function makeRoom(type: number, length: number, bytes: number): { array: Buffer; view: DataView } {
  const array = Buffer.allocUnsafe(HEAD + bytes);
  // A DataView is several times as fast as the Buffer's own methods.
  const view = new DataView(array.buffer, array.byteOffset, array.length);
  writeHead(view, 0, type, length);
  return { array, view };
}

function writeHead(view: DataView, at: number, type: number, length: number): void {
  view.setInt32(at, 1);
  view.setInt32(at + 4, 1);
  view.setInt32(at + 8, type);
  view.setInt32(at + 12, length);
  view.setInt32(at + 16, 1);
}

/** Returns an `integer[]`. */
export function integerArray(values: readonly number[]): Buffer {
  const { array, view } = makeRoom(TYPE.integer, values.length, 8 * values.length);
  let at = HEAD;
  for (const value of values) {
    view.setInt32(at, 4);
    view.setInt32(at + 4, value);
    at += 8;
  }
  return array;
}

/** Returns a `bigint[]` of whole numbers; undefined becomes null. */
export const bigintArray = (values: readonly (number | undefined)[]): Buffer =>
  columnArrays('bigint', values, 1, (value) => value)[0] as Buffer;

/** Writes 64 bits as two words, because a BigInt for each number would cost more than everything else. */
function setWhole(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / WORD);
  view.setInt32(at, high);
  view.setUint32(at + 4, value - high * WORD);
}

/** Returns a `timestamptz[]` from ms since 1970; fractions of a ms are cut off. @throws RangeError for an invalid time */
export function instantArray(values: readonly number[]): Buffer {
  const { array, view } = makeRoom(TYPE.timestamptz, values.length, 12 * values.length);
  let at = HEAD;
  for (const ms of values) {
    const micros = (Math.trunc(ms) - EPOCH_MS) * 1000;
    if (!Number.isSafeInteger(micros)) throw new RangeError(`${ms} is no time in ms.`);
    view.setInt32(at, 8);
    setWhole(view, at + 4, micros);
    at += 12;
  }
  return array;
}

/**
 * Returns a `bigint[]` or `double precision[]` for each of `count` columns; undefined becomes null. Walks over the rows
 * once: a list of values for each column would cost several times as much.
 */
export function columnArrays<Row>(
  type: 'bigint' | 'double',
  rows: readonly Row[],
  count: number,
  of: (row: Row, column: number) => number | undefined,
): Buffer[] {
  const each = HEAD + 12 * rows.length;
  const all = Buffer.allocUnsafe(count * each);
  const view = new DataView(all.buffer, all.byteOffset, all.length);
  const ends = Float64Array.from({ length: count }, (_, column) => column * each + HEAD);
  for (let column = 0; column < count; column += 1) writeHead(view, column * each, TYPE[type], rows.length);
  for (const row of rows) {
    for (let column = 0; column < count; column += 1) {
      const value = of(row, column);
      const at = ends[column] as number;
      view.setInt32(at, value === undefined ? NULL : 8);
      ends[column] = at + (value === undefined ? 4 : 12);
      if (value === undefined) continue;
      if (type === 'double') view.setFloat64(at + 4, value);
      else setWhole(view, at + 4, value);
    }
  }
  return Array.from(ends, (end, column) => all.subarray(column * each, end));
}

/** Returns a `json[]` or `jsonb[]` from JSON texts, or a `text[]`; undefined becomes null. */
export function textArray(type: 'json' | 'jsonb' | 'text', values: readonly (string | undefined)[]): Buffer {
  // A UTF-16 unit takes 3 bytes of UTF-8 at most.
  const most = values.reduce((sum, value) => sum + 5 + 3 * (value?.length ?? 0), 0);
  const { array, view } = makeRoom(TYPE[type], values.length, most);
  let at = HEAD;
  for (const value of values) {
    if (value === undefined) {
      view.setInt32(at, NULL);
      at += 4;
      continue;
    }
    let end = at + 4;
    if (type === 'jsonb') array[end++] = 1; // version of the format
    end += array.write(value, end);
    view.setInt32(at, end - at - 4);
    at = end;
  }
  return array.subarray(0, at);
}

/** Returns a `uuid[]` from 16 bytes each, or a `bytea[]`; undefined becomes null. */
export function byteaArray(type: 'uuid' | 'bytea', values: readonly (Buffer | undefined)[]): Buffer {
  const most = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 0);
  const { array, view } = makeRoom(TYPE[type], values.length, most);
  let at = HEAD;
  for (const value of values) {
    view.setInt32(at, value?.length ?? NULL);
    at += 4;
    if (value) at += value.copy(array, at);
  }
  return array;
}
