import type { Project } from '#shared/contract/projects.ts';
import { type Area, areaSquareMetres } from '#shared/domain/area.ts';
import { dateAndTime, dutchDate, formatDecimals, formatDistance, formatNumber } from '#shared/domain/nl.ts';

/** Returns '02-11-2026 tot en met 18-12-2026' or 'vanaf 02-11-2026'. */
export const projectPeriodText = ({ firstDay, lastDay }: Pick<Project, 'firstDay' | 'lastDay'>): string =>
  lastDay === null
    ? `vanaf ${dutchDate(firstDay)}`
    : `${dutchDate(firstDay)} tot en met ${dutchDate(lastDay)}`;

/** Returns 'vanaf 12-11-26, 09:00' or '12-11-26, 09:00 tot 14-11-26, 00:00'. */
export const assignmentTimesText = ({
  from,
  until,
}: {
  readonly from: string;
  readonly until: string | null;
}): string =>
  until === null
    ? `vanaf ${dateAndTime(Date.parse(from))}`
    : `${dateAndTime(Date.parse(from))} tot ${dateAndTime(Date.parse(until))}`;

type Period = { readonly firstDay: string; readonly lastDay: string };

/** Returns the address of the report Inzet for a project and a period. */
export const reportPath = (project: number, { firstDay, lastDay }: Period): string =>
  `/rapporten/inzet?${new URLSearchParams({ van: firstDay, tot: lastDay, project: String(project) })}`;

/** Returns the address of the report Inzet as a file. */
export const projectReportFilePath = (
  project: number,
  { firstDay, lastDay }: Period,
  format: 'csv' | 'xlsx',
): string =>
  `/api/report/inzet/file?${new URLSearchParams({
    from: firstDay,
    to: lastDay,
    projects: JSON.stringify([project]),
    format,
  })}`;

export const machinesNow = (count: number): string =>
  count === 0 ? 'Nu geen machines' : count === 1 ? 'Nu 1 machine' : `Nu ${formatNumber(count)} machines`;

/** Returns 'Nog 12 machines te berekenen'; undefined if none is left. */
export const machinesToComputeText = (left: number): string | undefined =>
  left === 0 ? undefined : `Nog ${formatNumber(left)} ${left === 1 ? 'machine' : 'machines'} te berekenen`;

/** Returns the size of an area in m², or in hectares from 1 ha on. */
function surface(area: Area): string {
  const size = areaSquareMetres(area);
  return size < 10_000 ? `${formatNumber(Math.round(size))} m²` : `${formatDecimals(size / 10_000, 1)} ha`;
}

/** Returns 'cirkel, straal 150 m, 7,1 ha' or 'vlak met 5 hoeken, 1,2 ha'. */
export const areaText = (area: Area): string =>
  'centre' in area
    ? `cirkel, straal ${formatDistance(area.radiusMetres)}, ${surface(area)}`
    : `vlak met ${formatNumber(area.corners.length)} hoeken, ${surface(area)}`;
