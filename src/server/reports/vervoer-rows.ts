import { readTransports, withVisiblePlaceNames } from '#server/history/transports.ts';
import { readPlaceNames } from '#server/streams/place-names.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';
import {
  TRANSPORT_COLUMNS,
  TRANSPORT_REPORT_NOTES,
  type TransportRow,
} from '#shared/domain/reports/vervoer.ts';
import { type Report, type ReportContext, type ReportQuestion, withOrganizationColumn } from './report.ts';
import { filterOnProjects, readInPortions, readMachines, streamIdsOf } from './report-machines.ts';
import { readProjects } from './report-projects.ts';

/** Assumed number of transports per machine and day, from which the size of a portion follows. */
const TRANSPORTS_A_DAY = 2;

/** Reads Vervoer: the transports that began in the period while the machine belonged to the organization. */
export async function readTransportReport(
  context: ReportContext,
  question: ReportQuestion,
): Promise<Report<TransportRow>> {
  const { db, scope } = context;
  const range = reportRangeMs(question.settings);
  const machines = await readMachines(db, scope, range, question);
  if (question.projects) await readProjects(db, scope, question.projects);

  const rows = readInPortions(context, question, machines, TRANSPORTS_A_DAY, async (all) => {
    const portion = await filterOnProjects(context, question, all);
    const transports = await readTransports(db, portion, range);
    const nameOf = await readPlaceNames(db, scope, streamIdsOf(portion));
    return portion.flatMap(({ machine, streamId }, n) =>
      (transports[n] ?? [])
        .filter(({ from }) => from >= range.from)
        .map((transport) => ({ ...withVisiblePlaceNames(scope, streamId, transport, nameOf), machine })),
    );
  });
  return {
    columns: withOrganizationColumn(scope, TRANSPORT_COLUMNS),
    portions: rows,
    rules: () => TRANSPORT_REPORT_NOTES,
  };
}
