import type { ReportKind } from '#shared/domain/reports/kinds.ts';
import { readDayReport } from './dagstaten-rows.ts';
import { readHoursReport } from './draaiuren-rows.ts';
import { readMachineUseReport } from './inzet-rows.ts';
import { readSessionReport } from './laadbeurten-rows.ts';
import { readValuesReport } from './metingen-rows.ts';
import type { Report, ReportContext, ReportQuestion } from './report.ts';
import { readRouteReport } from './route-rows.ts';
import { readFaultReport } from './storingen-rows.ts';
import { readTransportReport } from './vervoer-rows.ts';

/** The writers accept a report with any type of row. */
// biome-ignore lint/suspicious/noExplicitAny: each report has rows of its own, and the columns that read them
export type AnyReport = Report<any>;

const REPORTS: Readonly<
  Record<ReportKind, (context: ReportContext, question: ReportQuestion) => Promise<AnyReport>>
> = {
  inzet: readMachineUseReport,
  dagstaten: readDayReport,
  laadbeurten: readSessionReport,
  draaiuren: readHoursReport,
  vervoer: readTransportReport,
  storingen: readFaultReport,
  route: readRouteReport,
  metingen: readValuesReport,
};

/**
 * Opens a report of the kind that the query names.
 * @throws ProblemError 403, 404 and 400, before a row is read
 */
export const openReport = (context: ReportContext, question: ReportQuestion): Promise<AnyReport> =>
  REPORTS[question.kind](context, question);
