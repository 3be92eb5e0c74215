import type { Position } from '../position.ts';
import type { Transport } from '../transports.ts';
import { type Column, measuredColumn, momentColumn, summedColumn, textColumn } from './column.ts';
import { NAME_COLUMNS, PLACE_RULE, type ReportMachine } from './machine-columns.ts';

/** A transport of a machine; places that the reader may not see are null. */
export type TransportRow = Transport & {
  readonly machine: ReportMachine;
  readonly beginName: string | null;
  readonly endName: string | null;
};

type Get = (row: TransportRow) => Position | null;
const placeColumns = (key: 'begin' | 'end', title: string, place: Get): readonly Column<TransportRow>[] => [
  textColumn(key, title, (row) => row[`${key}Name`]),
  measuredColumn(`${key}Latitude`, `${title}: breedtegraad`, '', 6, (row) => place(row)?.lat ?? null),
  measuredColumn(`${key}Longitude`, `${title}: lengtegraad`, '', 6, (row) => place(row)?.lon ?? null),
];

export const TRANSPORT_COLUMNS: readonly Column<TransportRow>[] = [
  ...NAME_COLUMNS,
  momentColumn('from', 'Begin', ({ from }) => from),
  momentColumn('to', 'Einde', ({ to }) => to),
  ...placeColumns('begin', 'Van', ({ begin }) => begin),
  ...placeColumns('end', 'Naar', ({ end }) => end),
  summedColumn('distance', 'distance', 'Vervoerd', ({ distanceMm }) => distanceMm),
];

export const TRANSPORT_REPORT_NOTES: readonly string[] = [
  'Vervoer: verplaatsing terwijl de machine niet draaide, met pauzes van hoogstens een uur waarin ze niet draaide. Het staat bij de dag waarop het begon.',
  PLACE_RULE,
  'Begin en einde komen uit posities, en hebben een fout van hoogstens 5 minuten.',
];
