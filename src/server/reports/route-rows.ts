import { routeSpeeds } from '#server/history/route-speeds.ts';
import { forbidden, invalidInputError } from '#server/platform/problem.ts';
import { restrictToVisiblePositions } from '#server/streams/scope.ts';
import { positionOf } from '#shared/domain/position.ts';
import {
  POSITION_COLUMNS,
  POSITION_REPORT_NOTES,
  type PositionRow,
  SPEED_NOTE,
} from '#shared/domain/reports/route.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';
import { MAX_ROUTE_SPEEDS_DAYS, speedsText } from '#shared/domain/route-speeds.ts';
import { UNUSED_LATITUDE, UNUSED_LONGITUDE } from '#shared/domain/unused-names.ts';
import { unusedPositionOf } from '#shared/domain/usable-positions.ts';
import {
  type Report,
  type ReportContext,
  type ReportQuestion,
  throwIfReaderGone,
  withOrganizationColumn,
} from './report.ts';
import { filterOnProjects, type OwnedMachine, readMachines } from './report-machines.ts';
import { readProjects } from './report-projects.ts';
import { readStoredValueRows } from './stored-values.ts';

const NEEDED = 2;
const SIGNALS = [
  'LATITUDE',
  UNUSED_LATITUDE,
  ...['LONGITUDE', UNUSED_LONGITUDE, 'Speed', 'QUALITY', 'NUMBER_SATELLITES', 'HORIZONTAL_ACCURACY'],
];

function positionRow(
  machine: PositionRow['machine'],
  time: number,
  values: readonly (number | null)[],
): PositionRow | undefined {
  const present = SIGNALS.flatMap((name, n) =>
    values[n] == null ? [] : [[name, values[n] as number] as const],
  );
  const signals = Object.fromEntries(present);
  const unused = unusedPositionOf(signals);
  const position = positionOf(signals) ?? unused?.position;
  return (
    position && {
      machine,
      time,
      latitude: position.lat,
      longitude: position.lon,
      speed: signals.Speed ?? null,
      unused: unused?.reason ?? null,
    }
  );
}

/** Reads Route: the stored positions of machines, one machine after the other. */
export async function readRouteReport(
  context: ReportContext,
  question: ReportQuestion,
): Promise<Report<PositionRow>> {
  const { db, scope } = context;
  if (!scope.actions.has('see-routes')) throw forbidden();
  if (!question.machines?.length) throw invalidInputError('Kies een machine.');
  const range = reportRangeMs(question.settings);
  const all = await readMachines(db, scope, range, question);
  if (question.projects) await readProjects(db, scope, question.projects);
  const machines = await filterOnProjects(context, question, all);

  const speeds = await speedLines(context, question, machines);

  async function* rows(): AsyncGenerator<PositionRow[], void> {
    for (const owned of machines) {
      const { own } = restrictToVisiblePositions(scope, owned, range);
      for await (const page of readStoredValueRows(db, owned.streamId, own, SIGNALS, NEEDED)) {
        throwIfReaderGone(context);
        yield page.flatMap(([time, ...values]) => positionRow(owned.machine, time, values) ?? []);
      }
    }
  }
  return {
    columns: withOrganizationColumn(scope, POSITION_COLUMNS),
    portions: rows(),
    rules: () => [...POSITION_REPORT_NOTES, ...speeds],
  };
}

/** Maximum number of machines whose speeds are shown below a report. */
const MAX_MACHINES_WITH_SPEEDS = 10;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Returns a line with the speeds of each machine. If the period is long or the machines are many, returns one line that says when
 * speeds are shown.
 */
async function speedLines(
  { db, scope }: ReportContext,
  { settings }: ReportQuestion,
  machines: readonly OwnedMachine[],
): Promise<string[]> {
  const range = reportRangeMs(settings);
  if (
    range.to - range.from > MAX_ROUTE_SPEEDS_DAYS * DAY_MS + HOUR_MS ||
    machines.length > MAX_MACHINES_WITH_SPEEDS
  )
    return [
      `Snelheden staan onder een rapport van hoogstens ${MAX_ROUTE_SPEEDS_DAYS} dagen en ${MAX_MACHINES_WITH_SPEEDS} machines.`,
    ];
  const lines: string[] = [SPEED_NOTE];
  for (const owned of machines) {
    const { driven, carried } = await routeSpeeds(db, restrictToVisiblePositions(scope, owned, range), range);
    const byTransport = carried.highest === null ? '' : ` Vervoerd: ${speedsText(carried, 'km/h')}.`;
    lines.push(`Snelheid van ${owned.machine.alias}: ${speedsText(driven, 'km/h')}.${byTransport}`);
  }
  return lines;
}
