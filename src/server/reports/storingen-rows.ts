import { readFaultsOf } from '#server/fault-codes/fault-codes.store.ts';
import { ORGANIZATION } from '#shared/domain/reports/machine-columns.ts';
import { daysBetween, instantsOf } from '#shared/domain/reports/settings.ts';
import { FAULT_COLUMNS, FAULT_RULES, type FaultRow } from '#shared/domain/reports/storingen.ts';
import { filterOnProjects } from './draaiuren-rows.ts';
import {
  type Report,
  type ReportContext,
  type ReportQuestion,
  throwIfReaderGone,
  withOrganization,
} from './report.ts';
import { portions, readMachines } from './report-machines.ts';
import { readProjects } from './report-projects.ts';

/** Assumed number of rows of a machine on a day. */
const FAULTS_A_DAY = 10;

/** Reads Storingen: the fault codes that were seen in the period while the machine belonged to the organization. */
export async function storingen(context: ReportContext, question: ReportQuestion): Promise<Report<FaultRow>> {
  const { db, scope } = context;
  const { settings } = question;
  const machines = await readMachines(db, scope, instantsOf(settings), question);
  if (question.projects) await readProjects(db, scope, question.projects);

  async function* rows(): AsyncGenerator<FaultRow[], void> {
    for (const all of portions(machines, daysBetween(settings.from, settings.to) * FAULTS_A_DAY)) {
      throwIfReaderGone(context);
      const portion = question.projects ? await filterOnProjects(context, question, all) : all;
      const faults = await readFaultsOf(db, portion);
      yield portion.flatMap((owned, n) =>
        (faults[n] ?? []).map((fault) => ({ ...fault, machine: owned.machine })),
      );
    }
  }
  return {
    columns: withOrganization(scope, ORGANIZATION, FAULT_COLUMNS),
    portions: rows(),
    rules: () => FAULT_RULES,
  };
}
