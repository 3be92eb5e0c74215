import type { UnusedReason } from '../usable-positions.ts';
import { type Column, measuredColumn, textColumn } from './column.ts';
import { NAME_COLUMNS, type ReportMachine } from './machine-columns.ts';

/** A stored position. */
export type PositionRow = {
  readonly machine: ReportMachine;
  /** ms since 1970 */
  readonly time: number;
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** km/h */
  readonly speed: number | null;
  /** Why the position does not count; null: the position counts. */
  readonly unused: UnusedReason | null;
};

const UNUSED_TEXTS: Readonly<Record<UnusedReason, string>> = {
  'no-fix': 'zonder fix',
  'null-island': 'bij 0,0',
  jump: 'sprong',
};

export const POSITION_COLUMNS: readonly Column<PositionRow>[] = [
  ...NAME_COLUMNS,
  { key: 'time', title: 'Tijd', kind: 'moment', digits: 3, value: ({ time }) => time },
  measuredColumn('latitude', 'Breedtegraad', '', 6, ({ latitude }) => latitude),
  measuredColumn('longitude', 'Lengtegraad', '', 6, ({ longitude }) => longitude),
  measuredColumn('speed', 'Snelheid', 'km/h', 1, ({ speed }) => speed),
  textColumn('unused', 'Telt niet', ({ unused }) => (unused === null ? '' : UNUSED_TEXTS[unused])),
];

export const POSITION_REPORT_NOTES: readonly string[] = [
  'Elke opgeslagen positie (WGS 84). Wat niet telt, zonder fix, bij 0,0 of een sprong die niet blijft, telt voor geen afstand, route, project of melding, en staat niet in GPX. In GPX begint na meer dan 5 minuten zonder positie een nieuw deel van de route.',
];

export const SPEED_NOTE =
  'Snelheid: de hoogste van alle posities die tellen, vooruit of achteruit, en het gemiddelde over de tijd vanaf 1 km/h. Een snelheid geldt tot de volgende positie, hoogstens 5 minuten. Tijdens vervoer telt zij apart.';
