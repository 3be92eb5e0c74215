/** The texts of a machine's row in the overview, and the order of the rows. */
import type { FleetFigure, FleetFigures } from '#shared/contract/fleet-figures.ts';
import type { LiveData } from '#shared/contract/live.ts';
import { ATTENTION_KINDS } from '#shared/domain/attention.ts';
import {
  averagePercent,
  type BatteryState,
  batteriesOf,
  hoursUntilFull,
  remainingKwh,
  workHoursLeft,
} from '#shared/domain/battery.ts';
import { isIncomplete } from '#shared/domain/completeness.ts';
import { distanceMetres } from '#shared/domain/distance.ts';
import { DUTCH_COLLATOR } from '#shared/domain/dutch-collator.ts';
import { FLEET_STATES } from '#shared/domain/fleet-state.ts';
import { isCharging } from '#shared/domain/machine-status.ts';
import { dueSortValue, dueText, type MaintenanceState } from '#shared/domain/maintenance.ts';
import {
  formatDecimals,
  formatDistance,
  formatLastSeen,
  hoursAsClock,
  timeOrDateText,
} from '#shared/domain/nl.ts';
import { type PlaceName, withProjectName } from '#shared/domain/place-text.ts';
import { type Position, positionOf } from '#shared/domain/position.ts';
import { wasEverSeen } from '#shared/domain/staleness.ts';
import {
  chargeLastsUntilText,
  forecastStillAhead,
  fullBetweenText,
  hoursToForecastMiddle,
  missingPackData,
  whyChargeUntilUnknown,
} from '#shared/domain/time-left.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import type { FleetSort, MachineWithState } from '#web/machines/fleet-filter.ts';
import type { GetPresentPlaceName } from '#web/machines/place-names.ts';

export type FleetRow = MachineWithState<FleetEntry>;

/** Data that all rows need. */
export type FleetRowContext = {
  /** Figures of all machines; undefined while they load, or if the query failed. */
  readonly figures: FleetFigures | undefined;
  readonly own: Position | undefined;
  readonly nameOf: GetPresentPlaceName;
  /** Unix milliseconds. */
  readonly now: number;
};

/** The columns, by their keys in the address. `isExtra`: shown only if the user chooses the column. */
export const COLUMNS = [
  { key: 'machine', label: 'Machine', isExtra: false },
  { key: 'aandacht', label: 'Aandacht', isExtra: false },
  { key: 'status', label: 'Status', isExtra: false },
  { key: 'accu', label: 'Accu', isExtra: false },
  { key: 'werktijd', label: 'Resterende werktijd', isExtra: true },
  { key: 'genoeg', label: 'Genoeg', isExtra: false },
  { key: 'laadtijd', label: 'Resterende laadtijd', isExtra: false },
  { key: 'uren', label: 'Gedraaid vandaag', isExtra: false },
  { key: 'kwh', label: 'kWh vandaag', isExtra: true },
  { key: 'plaats', label: 'Plaats', isExtra: false },
  { key: 'afstand', label: 'Afstand', isExtra: true },
  { key: 'onderhoud', label: 'Onderhoud', isExtra: true },
  { key: 'gezien', label: 'Laatst gezien', isExtra: false },
] as const;
export type ColumnKey = (typeof COLUMNS)[number]['key'];
export const COLUMN_KEYS: readonly ColumnKey[] = COLUMNS.map(({ key }) => key);
export const USUAL_COLUMNS: readonly ColumnKey[] = COLUMNS.filter(({ isExtra }) => !isExtra).map(
  ({ key }) => key,
);

/** Data that the order of rows depends on; the clock is left out. */
type Ordering = Omit<FleetRowContext, 'now'>;

/** The text of a figure; for an unknown figure '--' and the reason. */
export type CellText = { readonly value: string; readonly more?: string | undefined };

const HOUR_MS = 3_600_000;
const unknown = (reason: string): CellText => ({ value: '--', more: reason });

export const fleetFigureOf = (
  { entry }: FleetRow,
  { figures }: Pick<FleetRowContext, 'figures'>,
): FleetFigure | undefined =>
  figures && Object.hasOwn(figures, entry.metadata.serialNumber)
    ? figures[entry.metadata.serialNumber]
    : undefined;

export const batteriesIn = ({ entry }: FleetRow): readonly BatteryState[] =>
  batteriesOf(entry.liveData, entry.metadata.batteries);

const isStale = ({ state }: FleetRow): boolean => state === 'silent';

export const wasSeen = ({ entry }: FleetRow): boolean => wasEverSeen(entry.liveData.GMT_UNIX);

const tooOld = (row: FleetRow): CellText => unknown(wasSeen(row) ? 'gegevens te oud' : 'nog geen gegevens');

function workHours(row: FleetRow, known: Ordering): number | undefined {
  if (isStale(row)) return undefined;
  return workHoursLeft(remainingKwh(batteriesIn(row)), fleetFigureOf(row, known)?.power ?? undefined);
}

/** Returns 'Resterende werktijd', by the same rule as a machine's page. */
export function workTimeCell(row: FleetRow, known: FleetRowContext): CellText {
  const hours = workHours(row, known);
  if (hours !== undefined) return { value: hoursAsClock(hours) };
  if (isStale(row)) return tooOld(row);
  const missing = missingPackData(batteriesIn(row));
  if (missing) return unknown(missing);
  const figure = fleetFigureOf(row, known);
  return unknown(figure ? 'vermogen niet bekend' : 'nog niet geladen');
}

/** Returns until when the charge lasts, in Unix milliseconds; Infinity for the whole day; undefined if unknown. */
function enoughUntilMs(row: FleetRow, known: Ordering): number | undefined {
  const enough =
    isStale(row) || isCharging(row.entry.liveData) ? undefined : fleetFigureOf(row, known)?.enough;
  if (!enough) return undefined;
  return enough.until === null ? Number.POSITIVE_INFINITY : Date.parse(enough.until);
}

/** Returns until when the charge lasts if the machine works as it usually does on this weekday. */
export function chargeLastsUntilCell(row: FleetRow, known: FleetRowContext): CellText {
  const until = enoughUntilMs(row, known);
  if (until !== undefined)
    return {
      value: chargeLastsUntilText(Number.isFinite(until) ? new Date(until).toISOString() : null, known.now),
    };
  if (!known.figures) return unknown('nog niet geladen');
  const { liveData } = row.entry;
  return unknown(
    whyChargeUntilUnknown({ batteries: batteriesIn(row), liveData, isStale: isStale(row) }, known.now),
  );
}

/** Returns whether a machine's charge lasts until a time in Unix milliseconds; undefined if unknown. */
export function chargeLastsUntil(row: FleetRow, known: Ordering, time: number): boolean | undefined {
  const until = enoughUntilMs(row, known);
  return until === undefined ? undefined : until >= time;
}

/** Returns the hours until full, by the forecast from earlier charges, else by the present power. */
function chargeHours(row: FleetRow, known: Ordering): number | undefined {
  const { liveData } = row.entry;
  if (isStale(row) || !isCharging(liveData)) return undefined;
  const forecast = forecastStillAhead(fleetFigureOf(row, known)?.forecast, liveData.GMT_UNIX * 1000);
  if (!forecast) return hoursUntilFull(batteriesIn(row), liveData);
  return hoursToForecastMiddle(forecast, liveData.GMT_UNIX * 1000);
}

/** Returns 'Resterende laadtijd' and the expected time, by the forecast from earlier charges, else by the present power. */
export function chargeTimeCell(row: FleetRow, known: FleetRowContext): CellText {
  const { liveData } = row.entry;
  if (isStale(row)) return tooOld(row);
  if (!isCharging(liveData)) return { value: '', more: 'laadt niet' };
  const hours = chargeHours(row, known);
  if (hours === undefined) return unknown(missingPackData(batteriesIn(row)) ?? 'geen laadvermogen gemeten');
  const forecast = forecastStillAhead(fleetFigureOf(row, known)?.forecast, liveData.GMT_UNIX * 1000);
  const about = forecast
    ? fullBetweenText(forecast, known.now)
    : hours > 0
      ? `ca. ${timeOrDateText(liveData.GMT_UNIX * 1000 + hours * HOUR_MS, known.now)}`
      : undefined;
  return { value: hoursAsClock(hours), more: about };
}

export function runningTimeTodayCell(row: FleetRow, known: FleetRowContext): CellText {
  const today = fleetFigureOf(row, known)?.today;
  if (!today) return unknown(known.figures ? 'vandaag niets gehoord' : 'nog niet geladen');
  const more = [gapOf(today.coverage), distanceText(today)].filter((text) => text !== undefined);
  return { value: hoursAsClock(today.running / 3600), more: more.join(', ') || undefined };
}

/** Returns how far the machine was carried and driven today, short for a narrow cell; undefined if it did not move. */
const distanceText = ({ driven, carried }: NonNullable<FleetFigure['today']>): string | undefined => {
  const parts = [
    carried ? `vervoerd ${formatDistance(carried)}` : undefined,
    driven ? `gereden ${formatDistance(driven)}` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(', ') : undefined;
};

export function energyTodayCell(row: FleetRow, known: FleetRowContext): CellText {
  const today = fleetFigureOf(row, known)?.today;
  if (!today) return unknown(known.figures ? 'vandaag niets gehoord' : 'nog niet geladen');
  return today.out === null
    ? unknown('stroom niet bekend')
    : { value: formatDecimals(today.out, 1), more: gapOf(today.coverage) };
}

const gapOf = (coverage: number | null): string | undefined =>
  isIncomplete(coverage) ? 'onvolledig' : undefined;

/** Cache of place names, valid until a machine's live data or the terreinen change. */
const places = new WeakMap<LiveData, { readonly nameOf: GetPresentPlaceName; readonly name: PlaceName }>();

function namedAt({ entry }: FleetRow, at: Position, nameOf: GetPresentPlaceName): PlaceName {
  const known = places.get(entry.liveData);
  if (known?.nameOf === nameOf) return known.name;
  const name = nameOf(entry.metadata.organization, at);
  places.set(entry.liveData, { nameOf, name });
  return name;
}

/** Returns where a machine is: its terrein (yard, depot), else its project with the nearest town, else the nearest town. */
export function placeCell(row: FleetRow, known: Ordering): CellText {
  const project = fleetFigureOf(row, known)?.project?.projectName;
  const at = positionOf(row.entry.liveData);
  if (!at) return project === undefined ? unknown('geen positie') : { value: project };
  const near = namedAt(row, at, known.nameOf);
  const { kind, name } = withProjectName(near, project ?? null);
  return kind === 'project' ? { value: name, more: near.name } : { value: name };
}

/**
 * Returns the text in which a search looks in addition to the machine's names: labels, project and place, without the
 * distance to the place.
 */
export function searchTextOf(
  row: FleetRow,
  known: Ordering,
  labels: readonly { readonly labelName: string }[],
): string {
  const { value, more = '' } = placeCell(row, known);
  const project = fleetFigureOf(row, known)?.project?.projectName ?? '';
  const place = (value === project ? more : value).replaceAll(/\d/g, '');
  return [...labels.map(({ labelName }) => labelName), project, place].join('\n');
}

function metresOf({ entry }: FleetRow, { own }: Ordering): number | undefined {
  const at = positionOf(entry.liveData);
  return own && at ? distanceMetres(own, at) : undefined;
}
export const distanceCell = (row: FleetRow, known: FleetRowContext): CellText => {
  const metres = metresOf(row, known);
  return metres === undefined ? unknown('geen positie') : { value: formatDistance(metres) };
};

/** Returns when the next maintenance is due, and its plan. */
export function maintenanceOf(
  row: FleetRow,
  known: Ordering,
): CellText & { readonly state?: MaintenanceState } {
  const next = fleetFigureOf(row, known)?.maintenance;
  if (next) {
    const [value = '', over] = dueText(next).replace('Bijna: over', 'Over').split(', ');
    const more = next.state === 'due' && over !== undefined ? `${over}, ${next.planName}` : next.planName;
    return { value, more, state: next.state };
  }
  return known.figures ? { value: '', more: 'geen onderhoud ingesteld' } : unknown('nog niet geladen');
}

export const lastSeenText = ({ entry }: FleetRow, { now }: FleetRowContext): string =>
  formatLastSeen(entry.liveData.GMT_UNIX, now);

/** Returns the value by which a column is sorted; undefined if unknown, which comes last in both orders. */
function sortValueOf(key: ColumnKey, row: FleetRow, known: Ordering): number | string | undefined {
  const { metadata, liveData } = row.entry;
  switch (key) {
    case 'machine':
      return metadata.alias;
    case 'aandacht':
      return row.attention[0] ? ATTENTION_KINDS.indexOf(row.attention[0].kind) : undefined;
    case 'status':
      return FLEET_STATES.indexOf(row.state);
    case 'accu':
      return isStale(row) ? undefined : averagePercent(batteriesIn(row));
    case 'werktijd':
      return workHours(row, known);
    case 'genoeg':
      return enoughUntilMs(row, known);
    case 'laadtijd':
      return chargeHours(row, known);
    case 'uren':
      return fleetFigureOf(row, known)?.today?.running;
    case 'kwh':
      return fleetFigureOf(row, known)?.today?.out ?? undefined;
    case 'plaats':
      return positionOf(liveData) || fleetFigureOf(row, known)?.project
        ? placeCell(row, known).value
        : undefined;
    case 'afstand':
      return metresOf(row, known);
    case 'onderhoud': {
      const next = fleetFigureOf(row, known)?.maintenance;
      return next && dueSortValue(next);
    }
    case 'gezien':
      return liveData.GMT_UNIX > 0 ? liveData.GMT_UNIX : undefined;
  }
}

/** The default order: machines that need attention first. */
export const USUAL_SORT: FleetSort = { by: 'aandacht', isDescending: false };

/** Sorts the rows; equal rows keep their order. */
export function sortRows(rows: readonly FleetRow[], sort: FleetSort, known: Ordering): readonly FleetRow[] {
  const key = sort.by as ColumnKey;
  const direction = sort.isDescending ? -1 : 1;
  const withValues = rows.map((row) => ({ row, value: sortValueOf(key, row, known) }));
  withValues.sort(({ value: a }, { value: b }) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    if (a === b) return 0;
    return direction * (typeof a === 'string' ? DUTCH_COLLATOR.compare(a, b as string) : a - (b as number));
  });
  return withValues.map(({ row }) => row);
}
