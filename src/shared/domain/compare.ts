/** Comparing machines: limits, and the columns of the table of figures. */
import { powerKw } from './figures.ts';
import type { Column } from './reports/column.ts';
import { DAY_COLUMNS, type DayRow } from './reports/dagstaten.ts';
import { COVERAGE_NOTE } from './reports/machine-columns.ts';
import { DEFAULT_USE_DAY_MINUTES } from './reports/settings.ts';

export const MIN_COMPARED_MACHINES = 2;
export const MAX_COMPARED_MACHINES = 5;
/** Maximum number of days in the graphs and in the figures: the longest month. */
export const MAX_COMPARED_DAYS = 31;

/** The figures of a machine: the sums of its days. */
export type FiguresRow = Omit<
  DayRow,
  | 'day'
  | 'projects'
  | 'firstRunning'
  | 'lastRunning'
  | 'firstCharging'
  | 'lastCharging'
  | 'unused'
  | 'carriedMm'
  | 'fedBackMj'
  | 'socMin'
  | 'socMax'
> & {
  /** Days with data, and days with at least a minute of running. */
  readonly days: number;
  readonly usedDays: number;
  /** Sums from which the mean power is computed. */
  readonly runKnownMs: number;
  readonly runOutMj: number;
  readonly runInMj: number;
};

/** Keys of the columns that the report Dagstaten also has. */
const SHARED = [
  'alias',
  'serial',
  'running',
  'charging',
  'idle',
  'used',
  'charged',
  'distance',
  'known',
  'coverage',
  'status',
] as const;
const shared = (key: (typeof SHARED)[number]): Column<FiguresRow> =>
  DAY_COLUMNS.find((column) => column.key === key) as unknown as Column<FiguresRow>;

/** Running time from which a day counts as used, ms: the default of the report Inzet. */
export const MIN_USED_DAY_MS = DEFAULT_USE_DAY_MINUTES * 60_000;

const PER_HOUR: Column<FiguresRow> = {
  key: 'perHour',
  title: 'kWh per draaiuur',
  kind: 'number',
  digits: 1,
  value: (row) => powerKw(row) ?? null,
};

export const FIGURES_COLUMNS: readonly Column<FiguresRow>[] = [
  shared('alias'),
  shared('serial'),
  { key: 'days', title: 'Dagen met gegevens', kind: 'number', value: ({ days }) => days },
  { key: 'usedDays', title: 'Dagen gedraaid', kind: 'number', value: ({ usedDays }) => usedDays },
  shared('running'),
  shared('idle'),
  shared('charging'),
  shared('used'),
  PER_HOUR,
  shared('charged'),
  shared('distance'),
  shared('known'),
  shared('coverage'),
  shared('status'),
];

export const COMPARED_FIGURE_NOTES: readonly string[] = [
  'De cijfers van hele dagen samen, met de rekenregels van het rapport Dagstaten, zolang de machine van je organisatie was.',
  `Dagen gedraaid: met minstens ${DEFAULT_USE_DAY_MINUTES} minuut draaien.`,
  'kWh per draaiuur: wat er netto uit de accu ging tijdens draaien zonder stekker, gedeeld door die tijd; het gemiddelde vermogen van de pagina van de machine.',
  COVERAGE_NOTE,
  'Energie bekend is het deel van de tijd met metingen waarvan de stroom van de accu bekend is. -- is niet bekend.',
  'Voorlopig: er kunnen nog metingen van deze dagen binnenkomen.',
];
