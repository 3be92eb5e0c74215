import type { ChargingCost } from '../charging-tariffs.ts';
import { knownEnergy } from '../figures.ts';
import { RUNNING_ABOVE_RPM } from '../machine-status.ts';
import { costColumn, unpricedColumn } from './charging-costs.ts';
import { type Column, measuredColumn, momentColumn, summedColumn, textColumn } from './column.ts';
import {
  CHARGING_COLUMN,
  COVERAGE_NOTE,
  coverageColumn,
  ENERGY_NOTE,
  KNOWN_ENERGY_COLUMN,
  NAME_COLUMNS,
  PROVISIONAL_RULE,
  provisionalColumn,
  type ReportMachine,
  RUNNING_COLUMN,
  USED_ENERGY_COLUMN,
} from './machine-columns.ts';

/** The figures of a machine on a day, in total or on one project. */
export type DayRow = {
  readonly machine: ReportMachine;
  /** 'YYYY-MM-DD' */
  readonly day: string;
  /** Names of the projects that the machine was on. */
  readonly projects: string;
  /** ms since 1970 */
  readonly firstRunning: number | null;
  readonly lastRunning: number | null;
  readonly firstCharging: number | null;
  readonly lastCharging: number | null;
  readonly runningMs: number;
  readonly chargingMs: number;
  readonly idleMs: number;
  readonly outMj: number;
  readonly knownMs: number;
  readonly heardMs: number;
  readonly chargedMj: number;
  readonly fedBackMj: number;
  readonly distanceMm: number;
  readonly carriedMm: number;
  /** Number of unused positions. */
  readonly unused: number;
  /** Lowest and highest state of charge, %. */
  readonly socMin: number | null;
  readonly socMax: number | null;
  readonly windowMs: number;
  readonly windowHeardMs: number;
  /** null: the charged energy is not known; undefined: no tariff. */
  readonly cost?: ChargingCost | null;
  readonly isProvisional: boolean;
};

export const DAY_COLUMNS: readonly Column<DayRow>[] = [
  { key: 'day', title: 'Dag', kind: 'day', value: ({ day }) => day },
  ...NAME_COLUMNS,
  textColumn('projects', 'Projecten', ({ projects }) => projects),
  momentColumn('firstRunning', 'Eerste werk', ({ firstRunning }) => firstRunning),
  momentColumn('lastRunning', 'Laatste werk', ({ lastRunning }) => lastRunning),
  momentColumn('firstCharging', 'Eerste laden', ({ firstCharging }) => firstCharging),
  momentColumn('lastCharging', 'Laatste laden', ({ lastCharging }) => lastCharging),
  RUNNING_COLUMN,
  CHARGING_COLUMN,
  summedColumn('duration', 'idle', 'Stationair', ({ idleMs }) => idleMs),
  USED_ENERGY_COLUMN,
  summedColumn('energy', 'charged', 'Geladen', ({ knownMs, chargedMj }) => knownEnergy(knownMs, chargedMj)),
  summedColumn('energy', 'fedBack', 'Teruggeleverd', ({ knownMs, fedBackMj }) =>
    knownEnergy(knownMs, fedBackMj),
  ),
  summedColumn('distance', 'distance', 'Afstand', ({ distanceMm }) => distanceMm),
  summedColumn('distance', 'driven', 'Zelf gereden', ({ distanceMm, carriedMm }) => distanceMm - carriedMm),
  summedColumn('distance', 'carried', 'Vervoerd', ({ carriedMm }) => carriedMm),
  summedColumn('number', 'unused', 'Posities die niet tellen', ({ unused }) => unused),
  measuredColumn('socMin', 'Laagste laadniveau', '%', 0, ({ socMin }) => socMin),
  measuredColumn('socMax', 'Hoogste laadniveau', '%', 0, ({ socMax }) => socMax),
  KNOWN_ENERGY_COLUMN,
  coverageColumn(),
  provisionalColumn(),
];

/** Columns after the charged energy, if an organization has a tariff. */
export const DAY_COST_COLUMNS: readonly Column<DayRow>[] = [
  costColumn('cost', 'Laadkosten', ({ cost = null }) => cost),
  unpricedColumn(({ cost = null }) => [cost]),
];

const DISTANCE_RULE =
  'Afstand: zelf gereden en vervoerd. Zelf gereden: de motor draait, of zonder motorsignalen: de machine heeft snelheid. Vervoerd: meer dan 250 m verplaatst zonder te draaien. Posities die niet tellen: zonder fix, bij 0,0 of een sprong die niet blijft.';

export const DAY_REPORT_NOTES: readonly string[] = [
  `Een dag loopt van 0:00 tot 24:00 uur in Amsterdam. Draaiuren: de motor draait sneller dan ${RUNNING_ABOVE_RPM} toeren per minuut.`,
  'Stationair: tussen het eerste en het laatste draaien aan, zonder te draaien of te laden.',
  'Eerste en laatste werk: de motor draait. Eerste en laatste laden staan ernaast.',
  DISTANCE_RULE,
  COVERAGE_NOTE,
  ENERGY_NOTE,
  PROVISIONAL_RULE,
];
