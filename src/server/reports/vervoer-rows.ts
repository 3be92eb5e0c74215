import { readTransports, withPlaces } from '#server/history/transports.ts';
import { readPlaceNames } from '#server/streams/place-names.ts';
import { ORGANIZATION } from '#shared/domain/reports/machine-columns.ts';
import { daysBetween, instantsOf } from '#shared/domain/reports/settings.ts';
import { TRANSPORT_COLUMNS, TRANSPORT_RULES, type TransportRow } from '#shared/domain/reports/vervoer.ts';
import { filterOnProjects } from './draaiuren-rows.ts';
import {
  type Report,
  type ReportContext,
  type ReportQuestion,
  throwIfReaderGone,
  withOrganization,
} from './report.ts';
import { portions, readMachines, streamsOf } from './report-machines.ts';
import { readProjects } from './report-projects.ts';

/** Assumed number of transports of a machine on a day. */
const TRANSPORTS_A_DAY = 2;

/** Reads Vervoer: the transports that began in the period while the machine belonged to the organization. */
export async function vervoer(
  context: ReportContext,
  question: ReportQuestion,
): Promise<Report<TransportRow>> {
  const { db, scope } = context;
  const { settings } = question;
  const range = instantsOf(settings);
  const machines = await readMachines(db, scope, range, question);
  if (question.projects) await readProjects(db, scope, question.projects);

  async function* rows(): AsyncGenerator<TransportRow[], void> {
    for (const all of portions(machines, daysBetween(settings.from, settings.to) * TRANSPORTS_A_DAY)) {
      throwIfReaderGone(context);
      const portion = question.projects ? await filterOnProjects(context, question, all) : all;
      const transports = await readTransports(db, portion, range);
      const nameOf = await readPlaceNames(db, scope, streamsOf(portion));
      yield portion.flatMap(({ machine, streamId }, n) =>
        (transports[n] ?? [])
          .filter(({ from }) => from >= range.from)
          .map((transport) => ({ ...withPlaces(scope, streamId, transport, nameOf), machine })),
      );
    }
  }
  return {
    columns: withOrganization(scope, ORGANIZATION, TRANSPORT_COLUMNS),
    portions: rows(),
    rules: () => TRANSPORT_RULES,
  };
}
