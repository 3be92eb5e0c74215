import type { Position } from '../position.ts';
import type { Transport } from '../transports.ts';
import type { Column } from './column.ts';
import { NAMES, PLACE_RULE, type ReportMachine } from './machine-columns.ts';

/** A transport of a machine; places that the reader may not see are null. */
export type TransportRow = Transport & {
  readonly machine: ReportMachine;
  readonly beginName: string | null;
  readonly endName: string | null;
};

type Get = (row: TransportRow) => Position | null;
const placeColumns = (key: 'begin' | 'end', title: string, place: Get): readonly Column<TransportRow>[] => [
  {
    key,
    title,
    kind: 'text',
    value: (row) => row[`${key}Name`],
  },
  {
    key: `${key}Latitude`,
    title: `${title}: breedtegraad`,
    kind: 'number',
    digits: 6,
    value: (row) => place(row)?.lat ?? null,
  },
  {
    key: `${key}Longitude`,
    title: `${title}: lengtegraad`,
    kind: 'number',
    digits: 6,
    value: (row) => place(row)?.lon ?? null,
  },
];

export const TRANSPORT_COLUMNS: readonly Column<TransportRow>[] = [
  ...NAMES,
  { key: 'from', title: 'Begin', kind: 'moment', value: ({ from }) => from },
  { key: 'to', title: 'Einde', kind: 'moment', value: ({ to }) => to },
  ...placeColumns('begin', 'Van', ({ begin }) => begin),
  ...placeColumns('end', 'Naar', ({ end }) => end),
  {
    key: 'distance',
    title: 'Vervoerd',
    kind: 'distance',
    isSummed: true,
    value: ({ distanceMm }) => distanceMm,
  },
];

export const TRANSPORT_RULES: readonly string[] = [
  'Vervoer: verplaatsing terwijl de machine niet draaide, met pauzes van hoogstens een uur waarin ze niet draaide. Het staat bij de dag waarop het begon.',
  PLACE_RULE,
  'Begin en einde komen uit posities, en hebben een fout van hoogstens 5 minuten.',
];
