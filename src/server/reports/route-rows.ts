import { routeSpeeds } from '#server/history/route-speeds.ts';
import { forbidden, invalid } from '#server/platform/problem.ts';
import { withPositions } from '#server/streams/scope.ts';
import { positionOf } from '#shared/domain/position.ts';
import {
  POSITION_COLUMNS,
  POSITION_RULES,
  type PositionRow,
  SPEED_RULE,
} from '#shared/domain/reports/route.ts';
import { instantsOf } from '#shared/domain/reports/settings.ts';
import { MOST_SPEED_DAYS, speedsText } from '#shared/domain/route-speeds.ts';
import { UNUSED_LATITUDE, UNUSED_LONGITUDE } from '#shared/domain/unused-names.ts';
import { unusedPositionOf } from '#shared/domain/usable-positions.ts';
import {
  type Report,
  type ReportContext,
  type ReportQuestion,
  throwIfReaderGone,
  withOrganization,
} from './report.ts';
import { filterOnProjects, type OwnedMachine, readMachines } from './report-machines.ts';
import { readProjects } from './report-projects.ts';
import { storedValues } from './stored-values.ts';

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
export async function route(context: ReportContext, question: ReportQuestion): Promise<Report<PositionRow>> {
  const { db, scope } = context;
  if (!scope.actions.has('see-routes')) throw forbidden();
  if (!question.machines?.length) throw invalid('Kies een machine.');
  const range = instantsOf(question.settings);
  const all = await readMachines(db, scope, range, question);
  if (question.projects) await readProjects(db, scope, question.projects);
  const machines = await filterOnProjects(context, question, all);

  const speeds = await speedLines(context, question, machines);

  async function* rows(): AsyncGenerator<PositionRow[], void> {
    for (const owned of machines) {
      const { own } = withPositions(scope, owned, range);
      for await (const page of storedValues(db, owned.streamId, own, SIGNALS, NEEDED)) {
        throwIfReaderGone(context);
        yield page.flatMap(([time, ...values]) => positionRow(owned.machine, time, values) ?? []);
      }
    }
  }
  return {
    columns: withOrganization(scope, POSITION_COLUMNS),
    portions: rows(),
    rules: () => [...POSITION_RULES, ...speeds],
  };
}

/** Maximum number of machines whose speeds are shown below a report. */
const MOST_WITH_SPEEDS = 10;
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
  const range = instantsOf(settings);
  if (range.to - range.from > MOST_SPEED_DAYS * DAY_MS + HOUR_MS || machines.length > MOST_WITH_SPEEDS)
    return [
      `Snelheden staan onder een rapport van hoogstens ${MOST_SPEED_DAYS} dagen en ${MOST_WITH_SPEEDS} machines.`,
    ];
  const lines: string[] = [SPEED_RULE];
  for (const owned of machines) {
    const { driven, carried } = await routeSpeeds(db, withPositions(scope, owned, range), range);
    const byTransport = carried.highest === null ? '' : ` Vervoerd: ${speedsText(carried, 'km/h')}.`;
    lines.push(`Snelheid van ${owned.machine.alias}: ${speedsText(driven, 'km/h')}.${byTransport}`);
  }
  return lines;
}
