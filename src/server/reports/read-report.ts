import {
  type Base,
  type Column,
  columnInfo,
  openTotals,
  type Totals,
} from '#shared/domain/reports/column.ts';
import { REPORTS } from '#shared/domain/reports/kinds.ts';
import { type Made, notesOf, type Summary } from './notes.ts';
import type { AnyReport } from './open-report.ts';

/** A report on its way to a reader: its rows, and what is known when they have all passed. */
export type ReadReport = {
  readonly title: string;
  readonly made: Made;
  /** Name of the one project that all rows are of; undefined: none, or several. */
  readonly project: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: see AnyReport
  readonly columns: readonly Column<any>[];
  /** Small enough that other work gets its turn between two of them. */
  readonly portions: AsyncIterable<readonly object[]>;
  /** Of each column, in base; undefined: nothing in it adds up. Those of the rows that have passed. */
  readonly totals: () => readonly Base[] | undefined;
  readonly notes: () => readonly string[];
  /** How complete the rows that have passed are. */
  readonly summary: () => Summary;
};

/** The part of a report that CSV and XLSX have; other tables are written by the same functions. */
export type TableReport = Pick<ReadReport, 'title' | 'columns' | 'portions' | 'totals' | 'notes'> & {
  readonly made: Pick<Made, 'organization'>;
};

const PORTION = 500;

export function readReport(report: AnyReport, made: Made): ReadReport {
  const { columns } = report;
  const status = columns.find(({ key }) => key === 'status');
  const coverage = columns.findIndex(({ key }) => key === 'coverage');
  const isSummed = columns.some((column) => columnInfo(column).isSummed);
  const totals: Totals<object> = openTotals(columns);
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
  const summary = (): Summary => ({
    coverage: coverage < 0 ? undefined : (totals.bases()[coverage] as number | null),
    provisional,
  });
  return {
    title: REPORTS[made.question.kind].title,
    made,
    project: report.projects?.length === 1 ? report.projects[0]?.name : undefined,
    columns,
    portions: portions(),
    totals: () => (isSummed ? totals.bases() : undefined),
    notes: () => notesOf(made, report.rules(), summary(), report.projects),
    summary,
  };
}
