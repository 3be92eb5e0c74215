import { forbidden, invalid } from '#server/platform/problem.ts';
import {
  openThinning,
  tellPosition,
  type ValuesRow,
  valueColumns,
  valueRules,
} from '#shared/domain/reports/metingen.ts';
import { instantsOf } from '#shared/domain/reports/settings.ts';
import { goOn, type Report, type ReportContext, type ReportQuestion } from './report.ts';
import { readMachines } from './report-machines.ts';
import { storedValues } from './stored-values.ts';

/** Metingen: what a machine sent of some signals, while it was the organization's. */
export async function metingen(context: ReportContext, question: ReportQuestion): Promise<Report<ValuesRow>> {
  const { db, scope } = context;
  const { settings } = question;
  const { signals, step } = settings;
  if (question.machines?.length !== 1) throw invalid('Kies één machine.');
  if (signals.length === 0) throw invalid('Kies minstens één signaal.');
  // Where it was, the report Route tells, to whom may see it and of which hours.
  const seesAll = scope.actions.has('see-routes') && !scope.positionHours;
  if (!seesAll && tellPosition(signals)) throw forbidden();
  const machines = await readMachines(db, scope, instantsOf(settings), question);

  async function* rows(): AsyncGenerator<ValuesRow[], void> {
    for (const { streamId, own } of machines) {
      const thinning = openThinning(step);
      for await (const page of storedValues(db, streamId, own, signals)) {
        goOn(context);
        yield thinning.add(page);
      }
      yield thinning.end();
    }
  }
  return {
    columns: valueColumns(signals, context.units),
    portions: rows(),
    rules: () => valueRules(settings),
  };
}
