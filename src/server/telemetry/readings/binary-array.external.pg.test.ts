import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bigintArray,
  byteaArray,
  columnArrays,
  instantArray,
  integerArray,
  textArray,
} from '#server/platform/binary-array.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const TEXTS = ['{}', '{"a": [1.5, -2]}', undefined, '{"Ölstand 油 🚜": "a\\"b\\\\c"}'];
const NUMBERS = [0, -1.5, undefined, 1e308, 5e-324, 0.1 + 0.2];
const TIMES = [0, 946_684_800_000, Date.UTC(2026, 2, 29, 1, 0, 0, 123), -1];
const DIGESTS = [Buffer.from('00112233445566778899aabbccddeeff', 'hex'), undefined];

test.each<[type: string, array: Buffer, shown: unknown[]]>([
  ['integer', integerArray([1, -1, 2_147_483_647]), [1, -1, 2_147_483_647]],
  ['timestamptz', instantArray(TIMES), TIMES.map((ms) => new Date(ms))],
  ...columnArrays('double', NUMBERS, 2, (value, column) => (column === 0 ? value : undefined)).map(
    (array, column): [string, Buffer, unknown[]] => [
      'float8',
      array,
      NUMBERS.map((number) => (column === 0 ? (number ?? null) : null)),
    ],
  ),
  [
    'int8',
    bigintArray([0, -1, undefined, 2 ** 53 - 1, -(2 ** 53 - 1)]),
    ['0', '-1', null, '9007199254740991', '-9007199254740991'],
  ],
  ['jsonb', textArray('jsonb', TEXTS), TEXTS.map((text) => (text ? JSON.parse(text) : null))],
  ['json', textArray('json', TEXTS), TEXTS.map((text) => (text ? JSON.parse(text) : null))],
  ['uuid', byteaArray('uuid', DIGESTS), ['00112233-4455-6677-8899-aabbccddeeff', null]],
  ['text', textArray('text', TEXTS), TEXTS.map((text) => text ?? null)],
  ['bytea', byteaArray('bytea', [...DIGESTS, Buffer.alloc(0)]), [DIGESTS[0], null, Buffer.alloc(0)]],
  ['integer', integerArray([]), []],
  ['jsonb', textArray('jsonb', []), []],
])('PostgreSQL reads a binary array of %s with the same values (INGEST-03)', async (type, array, shown) => {
  const { rows } = await database.pool.query(`select v from unnest($1::${type}[]) as v`, [array]);
  expect(rows.map(({ v }) => v)).toEqual(shown);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300])('%d is rejected as a time (INGEST-03)', (ms) => {
  expect(() => instantArray([0, ms])).toThrow(RangeError);
});
