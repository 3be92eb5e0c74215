import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { ReadingColumns } from '#server/telemetry/readings/columns.ts';
import { duckRows } from '#server/telemetry/readings/test/duckdb.ts';
import { type ValuesRow, valueColumns } from '#shared/domain/reports/metingen.ts';
import { parquetOf } from './parquet.ts';
import type { OpenedReport } from './read-report.ts';
import { collectBytes, sampleReportOf } from './test/sample-report.ts';

const START = Date.UTC(2026, 9, 25);

function valuesReport(signals: readonly string[], pages: readonly ReadingColumns[]): OpenedReport {
  return {
    ...sampleReportOf<ValuesRow>(valueColumns(signals, { Olie: 'bar' }), []),
    columnPortions: (async function* () {
      yield* pages;
    })(),
  };
}

/** Returns pages of 7,000 readings with two signals. */
const pagesOf = (count: number): ReadingColumns[] =>
  Array.from({ length: count }, (_, page) => {
    const column = (of: (n: number) => number) =>
      Float64Array.from({ length: 7_000 }, (_, n) => of(page * 7_000 + n));
    return {
      times: column((n) => START + n * 997),
      values: [
        column((n) => (n % 3 === 0 ? Number.NaN : n % 2 === 0 ? -0 : 0)),
        column((n) => Math.sin(n) * 1e10),
      ],
    };
  });

const bytesOf = async (report: OpenedReport): Promise<ArrayBuffer> => {
  const bytes = await collectBytes(parquetOf(report));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
};
const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };

test('a Parquet file has the headings of the CSV, times in UTC, exact values, and the notes of the report (45.6)', async () => {
  const [page] = pagesOf(1);
  const { times, values } = page as ReadingColumns;
  const file = await bytesOf(valuesReport(['MotorSpeed', 'Olie'], [page as ReadingColumns]));
  const rows = await parquetReadObjects({ file, compressors });
  expect(rows).toHaveLength(7_000);
  const [first, second] = values as [Float64Array, Float64Array];
  for (const n of [0, 1, 2, 3, 6_999])
    expect(rows[n]).toEqual({
      'Tijd (UTC)': new Date(times[n] as number),
      'Motortoerental (rpm)': Number.isNaN(first[n]) ? null : first[n],
      'Olie (bar)': second[n],
    });
  const notes = Object.fromEntries(
    (parquetMetadata(file).key_value_metadata ?? []).map(({ key, value }) => [key, value]),
  );
  expect(notes).toMatchObject({ title: 'Dagstaten', organization: 'Graaf & Zn.' });
  expect(notes.notes).toContain('Een regel.\nGemaakt op 01-11-2026');
});

test('a Parquet file has a row group per 50,000 rows and is yielded group by group (45.6)', async () => {
  const report = valuesReport(['MotorSpeed', 'Olie'], pagesOf(20));
  const sizes: number[] = [];
  for await (const chunk of parquetOf(report)) sizes.push(chunk.length);
  expect(sizes).toHaveLength(4);
  const file = await bytesOf(valuesReport(['MotorSpeed', 'Olie'], pagesOf(20)));
  const { num_rows, row_groups } = parquetMetadata(file);
  expect([num_rows, row_groups.map((group) => group.num_rows)]).toEqual([
    140_000n,
    [56_000n, 56_000n, 28_000n],
  ]);
});

test('a Parquet file of a report without rows can be read (45.6)', async () => {
  const file = await bytesOf(valuesReport(['MotorSpeed'], []));
  expect(await parquetReadObjects({ file, compressors })).toEqual([]);
});

test('two signals with the same heading get names that differ in a Parquet file (45.6)', async () => {
  const [page] = pagesOf(1);
  const file = await bytesOf(valuesReport(['Motortoerental (rpm)', 'MotorSpeed'], [page as ReadingColumns]));
  expect(parquetMetadata(file).schema.map(({ name }) => name)).toEqual([
    'readings',
    'Tijd (UTC)',
    'Motortoerental (rpm)',
    'Motortoerental (rpm) 2',
  ]);
});

test.skipIf(!duckRows)(
  'DuckDB reads the rows of a Parquet report, with nulls and negative zeros (45.6)',
  async () => {
    const pages = pagesOf(10);
    const found = await duckRows?.(
      await collectBytes(parquetOf(valuesReport(['MotorSpeed', 'Olie'], pages))),
    );
    const flat = (of: (page: ReadingColumns) => Float64Array | undefined) =>
      pages.flatMap((page) => [...(of(page) ?? [])]);
    const [at, ...columns] = [
      flat(({ times }) => times),
      ...[0, 1].map((n) =>
        flat(({ values }) => values[n]).map((value) => (Number.isNaN(value) ? null : value)),
      ),
    ];
    expect(found).toEqual({
      types: ['Tijd (UTC) TIMESTAMP WITH TIME ZONE', 'Motortoerental (rpm) DOUBLE', 'Olie (bar) DOUBLE'],
      times: at,
      columns,
    });
  },
);
