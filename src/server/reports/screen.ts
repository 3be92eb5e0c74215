import type { ReportAnswer } from '#shared/contract/reports.ts';
import { ROWS_ON_SCREEN } from '#shared/domain/reports/settings.ts';
import { cellsOf, footOfJson, headOfJson } from './json.ts';
import type { ReadReport } from './read-report.ts';

/** Returns the first rows and the totals of all rows. If no column adds up, the other rows are not read. */
export async function screenOf(report: ReadReport): Promise<ReportAnswer> {
  const rows: ReportAnswer['rows'] = [];
  let count = 0;
  for await (const portion of report.portions) {
    count += portion.length;
    for (const row of portion.slice(0, ROWS_ON_SCREEN - rows.length)) rows.push(cellsOf(report.columns, row));
    if (count > ROWS_ON_SCREEN && report.totals() === undefined) break;
  }
  return { ...headOfJson(report), rows, isCut: count > rows.length, ...footOfJson(report) };
}
