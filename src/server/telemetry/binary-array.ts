/**
 * One-dimensional arrays in PostgreSQL's binary format (array_send in its arrayfuncs.c), which `pg` passes on as it is:
 * dimensions, whether an element may be null, the element's type (pg_type.dat), length, lower bound; then each element
 * behind its length, -1 for null. All of it is big-endian.
 */
const TYPE = { jsonb: 3802, json: 114, integer: 23, double: 701, timestamptz: 1184, uuid: 2950 } as const;
const HEAD = 20;
const NULL = -1;
const WORD = 2 ** 32;
/** 2000-01-01, where PostgreSQL's timestamps count from, in ms since 1970. */
const EPOCH_MS = 946_684_800_000;

function head(array: Buffer, type: number, length: number): Buffer {
  array.writeInt32BE(1, 0);
  array.writeInt32BE(1, 4);
  array.writeInt32BE(type, 8);
  array.writeInt32BE(length, 12);
  array.writeInt32BE(1, 16);
  return array;
}

/** `integer[]` */
export function integers(values: readonly number[]): Buffer {
  const array = head(Buffer.allocUnsafe(HEAD + 8 * values.length), TYPE.integer, values.length);
  let at = HEAD;
  for (const value of values) at = array.writeInt32BE(value, array.writeInt32BE(4, at));
  return array;
}

/** `timestamptz[]` of ms since 1970; parts of a ms are cut off. @throws RangeError for what is no time */
export function instants(values: readonly number[]): Buffer {
  const array = head(Buffer.allocUnsafe(HEAD + 12 * values.length), TYPE.timestamptz, values.length);
  let at = HEAD;
  for (const ms of values) {
    const micros = (Math.trunc(ms) - EPOCH_MS) * 1000;
    if (!Number.isSafeInteger(micros)) throw new RangeError(`${ms} is no time in ms.`);
    // 64 bits in two words: a BigInt for each costs more than all the rest.
    const high = Math.floor(micros / WORD);
    at = array.writeInt32BE(high, array.writeInt32BE(8, at));
    at = array.writeUInt32BE(micros - high * WORD, at);
  }
  return array;
}

/** `double precision[]`; undefined is null. */
export function doubles(values: readonly (number | undefined)[]): Buffer {
  const array = head(Buffer.allocUnsafe(HEAD + 12 * values.length), TYPE.double, values.length);
  let at = HEAD;
  for (const value of values) {
    if (value === undefined) at = array.writeInt32BE(NULL, at);
    else at = array.writeDoubleBE(value, array.writeInt32BE(8, at));
  }
  return array.subarray(0, at);
}

/** `json[]` or `jsonb[]` of JSON texts; undefined is null. */
export function documents(type: 'json' | 'jsonb', texts: readonly (string | undefined)[]): Buffer {
  // A UTF-16 unit is 3 bytes of UTF-8 at most.
  const most = texts.reduce((sum, text) => sum + 5 + 3 * (text?.length ?? 0), HEAD);
  const array = head(Buffer.allocUnsafe(most), TYPE[type], texts.length);
  let at = HEAD;
  for (const text of texts) {
    if (text === undefined) {
      at = array.writeInt32BE(NULL, at);
      continue;
    }
    let end = at + 4;
    if (type === 'jsonb') end = array.writeUInt8(1, end); // version of the format
    end += array.write(text, end);
    array.writeInt32BE(end - at - 4, at);
    at = end;
  }
  return array.subarray(0, at);
}

/** `uuid[]` of 16 bytes each; undefined is null. */
export function digests(values: readonly (Buffer | undefined)[]): Buffer {
  const array = head(Buffer.allocUnsafe(HEAD + 20 * values.length), TYPE.uuid, values.length);
  let at = HEAD;
  for (const value of values) {
    at = array.writeInt32BE(value?.length ?? NULL, at);
    if (value) at += value.copy(array, at);
  }
  return array.subarray(0, at);
}
