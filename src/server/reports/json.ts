import { baseValueOf, columnInfo, toOutputUnit } from '#shared/domain/reports/column.ts';
import type { ReportSettings } from '#shared/domain/reports/settings.ts';
import type { OpenedReport } from './read-report.ts';

const timesOf = ({ fromTime, toTime }: ReportSettings) => ({
  ...(fromTime !== undefined && { fromTime }),
  ...(toTime !== undefined && { toTime }),
});

/** Returns the part of the JSON answer that is known before the first row. */
export const headOfJson = ({ title, metadata, columns }: OpenedReport) => ({
  report: metadata.question.kind,
  title,
  from: metadata.question.settings.from,
  to: metadata.question.settings.to,
  ...timesOf(metadata.question.settings),
  organization: metadata.organization,
  columns: columns.map(columnInfo),
});

/** Returns the cells of a row, in the units of its columns. */
export const reportRowCells = (columns: OpenedReport['columns'], row: object) =>
  columns.map((column) => toOutputUnit(column.kind, baseValueOf(column, row)));

/** Returns the part of the JSON answer that is known after the last row. */
export const footOfJson = ({ columns, totals, notes }: OpenedReport) => ({
  totals: totals()?.map((base, n) => toOutputUnit(columns[n]?.kind ?? 'text', base)) ?? null,
  notes: [...notes()],
});

/** Writes a report as JSON: each row is a list, in the order of the columns. */
export async function* jsonOf(report: OpenedReport): AsyncGenerator<Buffer, void> {
  yield Buffer.from(`${JSON.stringify(headOfJson(report)).slice(0, -1)},"rows":[`);
  let before = '\n';
  for await (const rows of report.portions) {
    let text = '';
    for (const row of rows) {
      text += before + JSON.stringify(reportRowCells(report.columns, row));
      before = ',\n';
    }
    yield Buffer.from(text);
  }
  yield Buffer.from(`],${JSON.stringify(footOfJson(report)).slice(1)}\n`);
}
