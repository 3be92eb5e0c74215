import { baseOf, columnInfo, inUnit } from '#shared/domain/reports/column.ts';
import type { ReportSettings } from '#shared/domain/reports/settings.ts';
import type { ReadReport } from './read-report.ts';

const timesOf = ({ fromTime, toTime }: ReportSettings) => ({
  ...(fromTime !== undefined && { fromTime }),
  ...(toTime !== undefined && { toTime }),
});

/** What is known of a report before its first row. */
export const headOfJson = ({ title, made, columns }: ReadReport) => ({
  report: made.question.kind,
  title,
  from: made.question.settings.from,
  to: made.question.settings.to,
  ...timesOf(made.question.settings),
  organization: made.organization,
  columns: columns.map(columnInfo),
});

/** A row, in the units of its columns. */
export const cellsOf = (columns: ReadReport['columns'], row: object) =>
  columns.map((column) => inUnit(column.kind, baseOf(column, row)));

/** What is known when the last row has passed. */
export const footOfJson = ({ columns, totals, notes }: ReadReport) => ({
  totals: totals()?.map((base, n) => inUnit(columns[n]?.kind ?? 'text', base)) ?? null,
  notes: [...notes()],
});

/** A report as JSON: of each row a list, in the order of the columns. */
export async function* jsonOf(report: ReadReport): AsyncGenerator<Buffer, void> {
  yield Buffer.from(`${JSON.stringify(headOfJson(report)).slice(0, -1)},"rows":[`);
  let before = '\n';
  for await (const rows of report.portions) {
    let text = '';
    for (const row of rows) {
      text += before + JSON.stringify(cellsOf(report.columns, row));
      before = ',\n';
    }
    yield Buffer.from(text);
  }
  yield Buffer.from(`],${JSON.stringify(footOfJson(report)).slice(1)}\n`);
}
