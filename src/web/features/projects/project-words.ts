import type { Project } from '#shared/contract/projects.ts';
import { type Area, squareMetres } from '#shared/domain/area.ts';
import { dateAndTime, decimals, distance, dutchDate, plainNumber } from '#shared/domain/nl.ts';

/** '02-11-2026 tot en met 18-12-2026', 'vanaf 02-11-2026'. */
export const periodOf = ({ firstDay, lastDay }: Pick<Project, 'firstDay' | 'lastDay'>): string =>
  lastDay === null
    ? `vanaf ${dutchDate(firstDay)}`
    : `${dutchDate(firstDay)} tot en met ${dutchDate(lastDay)}`;

/** 'vanaf 12-11-26, 09:00', '12-11-26, 09:00 tot 14-11-26, 00:00'. */
export const timesText = ({
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

/** The address of the report Inzet of a project and a period. */
export const reportPath = (project: number, { firstDay, lastDay }: Period): string =>
  `/rapporten/inzet?${new URLSearchParams({ van: firstDay, tot: lastDay, project: String(project) })}`;

/** The address of that report as a file. */
export const reportFile = (project: number, { firstDay, lastDay }: Period, format: 'csv' | 'xlsx'): string =>
  `/api/report/inzet/file?${new URLSearchParams({
    from: firstDay,
    to: lastDay,
    projects: JSON.stringify([project]),
    format,
  })}`;

export const machinesNow = (count: number): string =>
  count === 0 ? 'Nu geen machines' : count === 1 ? 'Nu 1 machine' : `Nu ${plainNumber(count)} machines`;

/** 'Nog 12 machines te berekenen'; undefined: none is left. */
export const leftOf = (left: number): string | undefined =>
  left === 0 ? undefined : `Nog ${plainNumber(left)} ${left === 1 ? 'machine' : 'machines'} te berekenen`;

/** From 1 ha on in hectares. */
function surface(area: Area): string {
  const size = squareMetres(area);
  return size < 10_000 ? `${plainNumber(Math.round(size))} m²` : `${decimals(size / 10_000, 1)} ha`;
}

/** 'cirkel, straal 150 m, 7,1 ha', 'vlak met 5 hoeken, 1,2 ha'. */
export const areaText = (area: Area): string =>
  'centre' in area
    ? `cirkel, straal ${distance(area.radiusMetres)}, ${surface(area)}`
    : `vlak met ${plainNumber(area.corners.length)} hoeken, ${surface(area)}`;
