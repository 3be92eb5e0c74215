import { readFaultsOf } from '#server/fault-codes/fault-codes.store.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';
import { FAULT_COLUMNS, FAULT_REPORT_NOTES, type FaultRow } from '#shared/domain/reports/storingen.ts';
import { type Report, type ReportContext, type ReportQuestion, withOrganizationColumn } from './report.ts';
import { filterOnProjects, readInPortions, readMachines } from './report-machines.ts';
import { readProjects } from './report-projects.ts';

/** Assumed number of rows per machine and day, from which the size of a portion follows. */
const FAULTS_A_DAY = 10;

/** Reads Storingen: the fault codes that were seen in the period while the machine belonged to the organization. */
export async function readFaultReport(
  context: ReportContext,
  question: ReportQuestion,
): Promise<Report<FaultRow>> {
  const { db, scope } = context;
  const machines = await readMachines(db, scope, reportRangeMs(question.settings), question);
  if (question.projects) await readProjects(db, scope, question.projects);

  const rows = readInPortions(context, question, machines, FAULTS_A_DAY, async (all): Promise<FaultRow[]> => {
    const portion = await filterOnProjects(context, question, all);
    const faults = await readFaultsOf(db, portion);
    return portion.flatMap(({ machine }, n) => (faults[n] ?? []).map((fault) => ({ ...fault, machine })));
  });
  return {
    columns: withOrganizationColumn(scope, FAULT_COLUMNS),
    portions: rows,
    rules: () => FAULT_REPORT_NOTES,
  };
}
