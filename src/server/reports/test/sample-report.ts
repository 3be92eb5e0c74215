import { type OpenedReport, readReport } from '#server/reports/read-report.ts';
import type { Column } from '#shared/domain/reports/column.ts';

/** Returns a report of given rows. */
export const sampleReportOf = <Row extends object>(
  columns: readonly Column<Row>[],
  portions: Iterable<readonly Row[]>,
  rules: readonly string[] = ['Een regel.'],
): OpenedReport =>
  readReport(
    {
      columns,
      portions: (async function* () {
        yield* portions;
      })(),
      rules: () => rules,
    },
    {
      question: {
        kind: 'dagstaten',
        settings: { from: '2026-10-01', to: '2026-10-31', minutes: 1, signals: [], step: 0 },
      },
      by: 'Jan',
      organization: 'Graaf & Zn.',
      at: Date.UTC(2026, 10, 1, 12),
      version: '1.2.3',
    },
  );

export async function collectBytes(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
