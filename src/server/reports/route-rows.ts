import { forbidden, invalid } from '#server/platform/problem.ts';
import { withPositions } from '#server/streams/scope.ts';
import { ORGANIZATION } from '#shared/domain/reports/machine-columns.ts';
import { POSITION_COLUMNS, POSITION_RULES, type PositionRow } from '#shared/domain/reports/route.ts';
import { instantsOf } from '#shared/domain/reports/settings.ts';
import { thoseOn } from './draaiuren-rows.ts';
import { goOn, type Report, type ReportContext, type ReportQuestion, withOrganization } from './report.ts';
import { readMachines } from './report-machines.ts';
import { readProjects } from './report-projects.ts';
import { storedValues } from './stored-values.ts';

/** Route: the stored positions of machines, one machine after the other. */
export async function route(context: ReportContext, question: ReportQuestion): Promise<Report<PositionRow>> {
  const { db, scope } = context;
  if (!scope.actions.has('see-routes')) throw forbidden();
  if (!question.machines?.length) throw invalid('Kies een machine.');
  const range = instantsOf(question.settings);
  const all = await readMachines(db, scope, range, question);
  if (question.projects) await readProjects(db, scope, question.projects);
  const machines = question.projects ? await thoseOn(context, question, all) : all;

  async function* rows(): AsyncGenerator<PositionRow[], void> {
    for (const { streamId, own, machine } of machines) {
      const seen = withPositions(scope, { streamId, own }, range);
      for await (const page of storedValues(db, streamId, seen.own, ['LATITUDE', 'LONGITUDE', 'Speed'], 2)) {
        goOn(context);
        yield page.map(
          ([time, latitude, longitude, speed]): PositionRow => ({
            machine,
            time,
            latitude: latitude as number,
            longitude: longitude as number,
            speed: speed ?? null,
          }),
        );
      }
    }
  }
  return {
    columns: withOrganization(scope, ORGANIZATION, POSITION_COLUMNS),
    portions: rows(),
    rules: () => POSITION_RULES,
  };
}
