import type { Position } from '../position.ts';
import type { Transport } from '../transports.ts';
import { type Column, measured, moment, summed, text } from './column.ts';
import { NAMES, PLACE_RULE, type ReportMachine } from './machine-columns.ts';

/** A transport of a machine; places that the reader may not see are null. */
export type TransportRow = Transport & {
  readonly machine: ReportMachine;
  readonly beginName: string | null;
  readonly endName: string | null;
};

type Get = (row: TransportRow) => Position | null;
const placeColumns = (key: 'begin' | 'end', title: string, place: Get): readonly Column<TransportRow>[] => [
  text(key, title, (row) => row[`${key}Name`]),
  measured(`${key}Latitude`, `${title}: breedtegraad`, '', 6, (row) => place(row)?.lat ?? null),
  measured(`${key}Longitude`, `${title}: lengtegraad`, '', 6, (row) => place(row)?.lon ?? null),
];

export const TRANSPORT_COLUMNS: readonly Column<TransportRow>[] = [
  ...NAMES,
  moment('from', 'Begin', ({ from }) => from),
  moment('to', 'Einde', ({ to }) => to),
  ...placeColumns('begin', 'Van', ({ begin }) => begin),
  ...placeColumns('end', 'Naar', ({ end }) => end),
  summed('distance', 'distance', 'Vervoerd', ({ distanceMm }) => distanceMm),
];

export const TRANSPORT_RULES: readonly string[] = [
  'Vervoer: verplaatsing terwijl de machine niet draaide, met pauzes van hoogstens een uur waarin ze niet draaide. Het staat bij de dag waarop het begon.',
  PLACE_RULE,
  'Begin en einde komen uit posities, en hebben een fout van hoogstens 5 minuten.',
];
