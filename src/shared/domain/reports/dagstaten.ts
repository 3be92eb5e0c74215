import type { ChargingCost } from '../charging-tariffs.ts';
import { knownEnergy } from '../figures.ts';
import { RUNNING_ABOVE_RPM } from '../machine-status.ts';
import { costColumn, unpricedColumn } from './charging-costs.ts';
import { type Column, measured, moment, summed, text } from './column.ts';
import {
  CHARGING,
  COVERAGE_RULE,
  coverage,
  ENERGY_RULE,
  KNOWN,
  NAMES,
  PROVISIONAL_RULE,
  provisional,
  type ReportMachine,
  RUNNING,
  USED,
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
  /** % */
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
  ...NAMES,
  text('projects', 'Projecten', ({ projects }) => projects),
  moment('firstRunning', 'Eerste werk', ({ firstRunning }) => firstRunning),
  moment('lastRunning', 'Laatste werk', ({ lastRunning }) => lastRunning),
  moment('firstCharging', 'Eerste laden', ({ firstCharging }) => firstCharging),
  moment('lastCharging', 'Laatste laden', ({ lastCharging }) => lastCharging),
  RUNNING,
  CHARGING,
  summed('duration', 'idle', 'Stationair', ({ idleMs }) => idleMs),
  USED,
  summed('energy', 'charged', 'Geladen', ({ knownMs, chargedMj }) => knownEnergy(knownMs, chargedMj)),
  summed('energy', 'fedBack', 'Teruggeleverd', ({ knownMs, fedBackMj }) => knownEnergy(knownMs, fedBackMj)),
  summed('distance', 'distance', 'Afstand', ({ distanceMm }) => distanceMm),
  summed('distance', 'driven', 'Zelf gereden', ({ distanceMm, carriedMm }) => distanceMm - carriedMm),
  summed('distance', 'carried', 'Vervoerd', ({ carriedMm }) => carriedMm),
  summed('number', 'unused', 'Posities die niet tellen', ({ unused }) => unused),
  measured('socMin', 'Laagste laadniveau', '%', 0, ({ socMin }) => socMin),
  measured('socMax', 'Hoogste laadniveau', '%', 0, ({ socMax }) => socMax),
  KNOWN,
  coverage(),
  provisional(),
];

/** Columns after the charged energy, if an organization has a tariff. */
export const DAY_COSTS: readonly Column<DayRow>[] = [
  costColumn('cost', 'Laadkosten', ({ cost = null }) => cost),
  unpricedColumn(({ cost = null }) => [cost]),
];

const DISTANCE_RULE =
  'Afstand: zelf gereden en vervoerd. Zelf gereden: de motor draait, of zonder motorsignalen: de machine heeft snelheid. Vervoerd: meer dan 250 m verplaatst zonder te draaien. Posities die niet tellen: zonder fix, bij 0,0 of een sprong die niet blijft.';

export const DAY_RULES: readonly string[] = [
  `Een dag loopt van 0:00 tot 24:00 uur in Amsterdam. Draaiuren: de motor draait sneller dan ${RUNNING_ABOVE_RPM} toeren per minuut.`,
  'Stationair: tussen het eerste en het laatste draaien aan, zonder te draaien of te laden.',
  'Eerste en laatste werk: de motor draait. Eerste en laatste laden staan ernaast.',
  DISTANCE_RULE,
  COVERAGE_RULE,
  ENERGY_RULE,
  PROVISIONAL_RULE,
];
