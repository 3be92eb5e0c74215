import type { ReportKind } from '#shared/domain/reports/kinds.ts';
import { dagstaten } from './dagstaten-rows.ts';
import { draaiuren } from './draaiuren-rows.ts';
import { inzet } from './inzet-rows.ts';
import { laadbeurten } from './laadbeurten-rows.ts';
import { metingen } from './metingen-rows.ts';
import type { Report, ReportContext, ReportQuestion } from './report.ts';
import { route } from './route-rows.ts';
import { storingen } from './storingen-rows.ts';
import { vervoer } from './vervoer-rows.ts';

/** The writers accept a report with any type of row. */
// biome-ignore lint/suspicious/noExplicitAny: each report has rows of its own, and the columns that read them
export type AnyReport = Report<any>;

const REPORTS: Readonly<
  Record<ReportKind, (context: ReportContext, question: ReportQuestion) => Promise<AnyReport>>
> = { inzet, dagstaten, laadbeurten, draaiuren, vervoer, storingen, route, metingen };

/**
 * Opens a report of the kind that the query names.
 * @throws ProblemError 403, 404 and 400, before a row is read
 */
export const openReport = (context: ReportContext, question: ReportQuestion): Promise<AnyReport> =>
  REPORTS[question.kind](context, question);
