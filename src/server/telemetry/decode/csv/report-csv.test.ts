import { expect, test } from 'vitest';
import { csvOf } from '#server/reports/csv.ts';
import { collectBytes, sampleReportOf } from '#server/reports/test/sample-report.ts';
import { decodeRecordedLog, type LogBatch } from '#server/telemetry/decode/recorded-log.ts';
import { collect, splitInChunks } from '#server/telemetry/decode/test/small-log.ts';
import { type ValuesRow, valueColumns } from '#shared/domain/reports/metingen.ts';

const NIGHT = Array.from({ length: 24 }, (_, n) => Date.UTC(2026, 9, 24, 23, 10 * n));

test('the CSV of Metingen can be imported again: each row at its own time, each signal under its name (52.10)', async () => {
  const columns = valueColumns(['Soc1', 'BatteryCurrent', 'Oil (in)', 'Olie'], {
    Olie: 'bar',
    'Oil (in)': 'bar',
  });
  const rows = NIGHT.map((time, n): ValuesRow => [time, 80.5, n % 2 === 0 ? -1.25 : null, 3, n]);
  const csv = await collectBytes(csvOf(sampleReportOf(columns, [rows])));
  const batches = await collect(
    decodeRecordedLog({
      chunks: () => splitInChunks(csv, 100),
      format: 'csv',
      definition: { buses: [], mapping: { signals: [], keep: [] } },
      now: Date.UTC(2026, 10, 1),
    }),
  );
  expect(batches.flatMap(({ readings }) => readings)).toEqual(
    rows.map(([time, soc, current, oil, own]) => ({
      time,
      signals: {
        Soc1: soc,
        ...(current === null ? {} : { BatteryCurrent: current }),
        'Oil (in)': oil,
        Olie: own,
      },
    })),
  );
  expect((batches.at(-1) as LogBatch).stats).toMatchObject({ badLines: 0, skippedValues: 0 });
});
