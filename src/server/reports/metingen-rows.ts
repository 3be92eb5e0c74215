import { forbidden, invalidInputError } from '#server/platform/problem.ts';
import type { ReadingColumns } from '#server/telemetry/readings/columns.ts';
import {
  hasPositionSignal,
  type ValuesRow,
  valueColumns,
  valueReportNotes,
} from '#shared/domain/reports/metingen.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';
import { type Report, type ReportContext, type ReportQuestion, throwIfReaderGone } from './report.ts';
import { readMachines } from './report-machines.ts';
import { readStoredColumns, valueRowsOf } from './stored-values.ts';
import { createReadingThinner } from './thinning.ts';

/** Reads Metingen: the values of some signals that a machine sent while it belonged to the organization. */
export async function readValuesReport(
  context: ReportContext,
  question: ReportQuestion,
): Promise<Report<ValuesRow>> {
  const { db, scope } = context;
  const { settings } = question;
  const { signals, step } = settings;
  if (question.machines?.length !== 1) throw invalidInputError('Kies één machine.');
  if (signals.length === 0) throw invalidInputError('Kies minstens één signaal.');
  // Positions require the right to see routes at all hours.
  const seesAll = scope.actions.has('see-routes') && !scope.positionHours;
  if (!seesAll && hasPositionSignal(signals)) throw forbidden();
  const machines = await readMachines(db, scope, reportRangeMs(settings), question);

  async function* columnPortions(): AsyncGenerator<ReadingColumns, void> {
    for (const { streamId, own } of machines) {
      const thinning = createReadingThinner(step);
      for await (const page of readStoredColumns(db, streamId, own, signals)) {
        throwIfReaderGone(context);
        yield thinning.add(page);
      }
      yield thinning.end();
    }
  }
  async function* portions(): AsyncGenerator<ValuesRow[], void> {
    for await (const page of columnPortions()) yield valueRowsOf(page);
  }
  return {
    columns: valueColumns(signals, context.units),
    portions: portions(),
    columnPortions: columnPortions(),
    rules: () => valueReportNotes(settings),
  };
}
