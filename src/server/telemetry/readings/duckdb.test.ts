import { expect, test } from 'vitest';
import { writeParquet } from './parquet-file.ts';
import { duckRows } from './test/duckdb.ts';

const START = Date.UTC(2026, 9, 5);
const COUNT = 40_000;
const numbers = (of: (n: number) => number) => Float64Array.from({ length: COUNT }, (_, n) => of(n));

test.skipIf(!duckRows)(
  'DuckDB reads the same rows from a file, with their times, nulls and negative zeros (45.2)',
  async () => {
    const columns = new Map([
      ['LATITUDE', numbers((n) => 52 + Math.sin(n))],
      ['Soc1', numbers((n) => (n % 3 === 0 ? Number.NaN : n % 100))],
      ['Soc1 (sent)', numbers((n) => (n === 7 ? 1e308 : Number.NaN))],
      ['Olie', numbers((n) => (n % 2 === 0 ? -0 : 0.1 * n))],
    ]);
    const times = numbers((n) => START + n * 997 + (n % 5));
    expect(await duckRows?.(writeParquet({ times, columns }).content)).toEqual({
      types: ['time TIMESTAMP WITH TIME ZONE', ...[...columns.keys()].map((name) => `${name} DOUBLE`)],
      times: [...times],
      columns: Array.from(columns.values(), (values) =>
        Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
      ),
    });
  },
);
