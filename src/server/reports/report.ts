import type { Database } from '#server/platform/database.ts';
import type { Scope } from '#shared/domain/access.ts';
import type { Column } from '#shared/domain/reports/column.ts';
import type { ReportKind } from '#shared/domain/reports/kinds.ts';
import type { ReportSettings } from '#shared/domain/reports/settings.ts';

import type { ReportLabel } from './report-labels.ts';
import type { ReportProject } from './report-projects.ts';

/** Of whom, of what and of when. */
export type ReportQuestion = {
  readonly kind: ReportKind;
  readonly settings: ReportSettings;
  /** Serial numbers; undefined: of all. */
  readonly machines?: readonly string[] | undefined;
  /** Of machines that carry any of them now; undefined: whatever they carry. */
  readonly labels?: readonly ReportLabel[] | undefined;
  /** Their ids; undefined: of all, and of none. */
  readonly projects?: readonly number[] | undefined;
};

/** With what a report is made. */
export type ReportContext = {
  readonly db: Database;
  readonly scope: Scope;
  /** ms */
  readonly now: number;
  /** Whether nobody waits for it any more: asked between two portions. */
  readonly isGone: () => boolean;
  /** Of the signals of the one machine of Metingen, under their own names. */
  readonly units: Readonly<Record<string, string>>;
};

/** Rows and what they are made of, as they come out of the database. */
export type Report<Row> = {
  readonly columns: readonly Column<Row>[];
  /** A portion at a time: the next one is read when it is asked for. */
  readonly portions: AsyncIterable<readonly Row[]>;
  /** What stands below it; known when all portions are read. */
  readonly rules: () => readonly string[];
  /** Projects that all rows are of, whose names do not stand in the rows; absent: none. */
  readonly projects?: readonly ReportProject[];
};

/** Nobody waits for the report any more. */
export class NobodyWaits extends Error {
  override readonly name = 'NobodyWaits';
}
export function goOn({ isGone }: Pick<ReportContext, 'isGone'>): void {
  if (isGone()) throw new NobodyWaits();
}

/** Of one organization nobody has to be told which. */
export const withOrganization = <Row>(
  { organizations }: Scope,
  organization: Column<Row>,
  columns: readonly Column<Row>[],
): readonly Column<Row>[] => (organizations === 'all' ? [organization, ...columns] : columns);
