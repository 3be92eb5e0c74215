import {
  type BaseValue,
  type Column,
  columnInfo,
  startTotals,
  type Totals,
} from '#shared/domain/reports/column.ts';
import { REPORTS } from '#shared/domain/reports/kinds.ts';
import { type ReportMetadata, type ReportSummary, reportNotesOf } from './notes.ts';
import type { AnyReport } from './open-report.ts';

/** A report that is being read: its rows, and the totals and notes of the rows that have been read. */
export type OpenedReport = {
  readonly title: string;
  readonly metadata: ReportMetadata;
  /** Name of the project, if all rows are about one project. */
  readonly project: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: see AnyReport
  readonly columns: readonly Column<any>[];
  /** The rows in small portions, so that the event loop can do other work between two of them. */
  readonly portions: AsyncIterable<readonly object[]>;
  /** The content of `portions`, by column instead of by row (see `Report`); undefined if the report has rows only. */
  readonly columnPortions: AnyReport['columnPortions'];
  /** Totals per column of the rows that have been read, in base units; undefined if no column is summed. */
  readonly totals: () => readonly BaseValue[] | undefined;
  readonly notes: () => readonly string[];
  /** Completeness of the rows that have been read. */
  readonly summary: () => ReportSummary;
};

/** The part of a report that the writers of CSV and XLSX need; these also write other tables. */
export type TableReport = Pick<OpenedReport, 'title' | 'columns' | 'portions' | 'totals' | 'notes'> & {
  readonly metadata: Pick<ReportMetadata, 'organization'>;
};

const PORTION = 500;

export function readReport(report: AnyReport, metadata: ReportMetadata): OpenedReport {
  const { columns } = report;
  const status = columns.find(({ key }) => key === 'status');
  const coverage = columns.findIndex(({ key }) => key === 'coverage');
  const isSummed = columns.some((column) => columnInfo(column).isSummed);
  const totals: Totals<object> = startTotals(columns);
  let provisional = 0;

  async function* portions(): AsyncGenerator<readonly object[], void> {
    for await (const rows of report.portions) {
      for (let at = 0; at < rows.length; at += PORTION) {
        const portion = rows.slice(at, at + PORTION);
        if (isSummed) totals.add(portion);
        if (status && status.kind === 'text')
          for (const row of portion) if (status.value(row) !== '') provisional += 1;
        yield portion;
        await new Promise(setImmediate);
      }
    }
  }
  const summary = (): ReportSummary => ({
    coverage: coverage < 0 ? undefined : (totals.bases()[coverage] as number | null),
    provisional,
  });
  return {
    title: REPORTS[metadata.question.kind].title,
    metadata,
    project: report.projects?.length === 1 ? report.projects[0]?.name : undefined,
    columns,
    portions: portions(),
    columnPortions: report.columnPortions,
    totals: () => (isSummed ? totals.bases() : undefined),
    notes: () => reportNotesOf(metadata, report.rules(), summary(), report.projects),
    summary,
  };
}
