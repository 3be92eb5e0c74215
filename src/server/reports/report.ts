import type { Database } from '#server/platform/database.ts';
import { ReaderDisconnectedError } from '#server/platform/send-chunks.ts';
import type { ReadingColumns } from '#server/telemetry/readings/columns.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { Column } from '#shared/domain/reports/column.ts';
import type { ReportKind } from '#shared/domain/reports/kinds.ts';
import { ORGANIZATION_COLUMN, type ReportMachine } from '#shared/domain/reports/machine-columns.ts';
import type { ReportSettings } from '#shared/domain/reports/settings.ts';
import type { ReportLabel } from './report-labels.ts';
import type { ReportProject } from './report-projects.ts';

/** The query that a report answers: kind, machines, projects and period. */
export type ReportQuestion = {
  readonly kind: ReportKind;
  readonly settings: ReportSettings;
  /** Serial numbers of the machines; undefined: all machines. */
  readonly machines?: readonly string[] | undefined;
  /** Limits the report to machines that carry one of these labels now; undefined: all machines. */
  readonly labels?: readonly ReportLabel[] | undefined;
  /** Project ids; undefined: all projects, and time outside any project. */
  readonly projects?: readonly number[] | undefined;
};

/** The resources, scope and time that a report is made with. */
export type ReportContext = {
  readonly db: Database;
  readonly scope: Scope;
  /** Time at which the report is made, in ms. */
  readonly now: number;
  /** Returns whether the reader disconnected; called between two portions. */
  readonly isGone: () => boolean;
  /** Units of a machine's custom signals, by signal name; filled for the report Metingen only. */
  readonly units: Readonly<Record<string, string>>;
};

/** Columns, rows and notes of a report, as read from the database. */
export type Report<Row> = {
  readonly columns: readonly Column<Row>[];
  /** The rows in portions. The next portion is read from the database when the consumer asks for it. */
  readonly portions: AsyncIterable<readonly Row[]>;
  /**
   * Another form of the same rows, for a format that stores columns: the first of `columns` is the time, the others are the values. A
   * consumer reads either `portions` or `columnPortions`, not both.
   */
  readonly columnPortions?: AsyncIterable<ReadingColumns>;
  /** Lines below the report; known after the last portion is read. */
  readonly rules: () => readonly string[];
  /** The projects that all rows are about, if the rows themselves do not name them. */
  readonly projects?: readonly ReportProject[];
};

/** @throws ReaderDisconnectedError if the reader of the report disconnected */
export function throwIfReaderGone({ isGone }: Pick<ReportContext, 'isGone'>): void {
  if (isGone()) throw new ReaderDisconnectedError();
}

/** Adds a first column with the organization if the scope is all organizations. */
export const withOrganizationColumn = <Row extends { readonly machine: ReportMachine }>(
  { organizations }: Scope,
  columns: readonly Column<Row>[],
): readonly Column<Row>[] => (organizations === 'all' ? [ORGANIZATION_COLUMN, ...columns] : columns);
