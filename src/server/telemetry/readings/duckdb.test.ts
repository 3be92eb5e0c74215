import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeParquet } from './parquet-file.ts';

/** Absent where npm has no binary for this computer. */
const duckdb = await import('@duckdb/node-api').catch(() => undefined);

const START = Date.UTC(2026, 9, 5);
const COUNT = 40_000;
const numbers = (of: (n: number) => number) => Float64Array.from({ length: COUNT }, (_, n) => of(n));

test.skipIf(!duckdb)(
  'DuckDB reads the same rows from a file, with their times, nulls and negative zeros (45.2)',
  async () => {
    const columns = new Map([
      ['LATITUDE', numbers((n) => 52 + Math.sin(n))],
      ['Soc1', numbers((n) => (n % 3 === 0 ? Number.NaN : n % 100))],
      ['Soc1 (sent)', numbers((n) => (n === 7 ? 1e308 : Number.NaN))],
      ['Olie', numbers((n) => (n % 2 === 0 ? -0 : 0.1 * n))],
    ]);
    const times = numbers((n) => START + n * 997 + (n % 5));
    const folder = await mkdtemp(join(tmpdir(), 'werkstroom-parquet-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'week.parquet');
    await writeFile(file, writeParquet({ times, columns }).content);

    const connection = await (await (duckdb as NonNullable<typeof duckdb>).DuckDBInstance.create()).connect();
    onTestFinished(() => connection.closeSync());
    const reader = await connection.runAndReadAll(
      `select epoch_ms("time") as at, * exclude ("time") from '${file}'`,
    );
    expect(reader.columnNames()).toEqual(['at', ...columns.keys()]);
    const [at = [], ...found] = reader.getColumns();
    expect(at.map(Number)).toEqual([...times]);
    for (const [n, values] of [...columns.values()].entries())
      expect(found[n]).toEqual(Array.from(values, (value) => (Number.isNaN(value) ? null : value)));
    const described = await connection.runAndReadAll(`describe select * from '${file}'`);
    expect(described.getRows().map(([name, type]) => `${name} ${type}`)).toEqual([
      'time TIMESTAMP WITH TIME ZONE',
      ...[...columns.keys()].map((name) => `${name} DOUBLE`),
    ]);
  },
);
