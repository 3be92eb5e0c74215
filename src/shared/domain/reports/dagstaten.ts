import type { Column } from './column.ts';
import {
  COVERAGE_RULE,
  coverage,
  NAMES,
  PROVISIONAL_RULE,
  provisional,
  type ReportMachine,
} from './machine-columns.ts';

/** A day of a machine, at all or on one project. */
export type DayRow = {
  readonly machine: ReportMachine;
  /** 'YYYY-MM-DD' */
  readonly day: string;
  /** Names of the projects that it was on. */
  readonly projects: string;
  /** ms since 1970 */
  readonly firstActive: number | null;
  readonly lastActive: number | null;
  readonly runningMs: number;
  readonly chargingMs: number;
  readonly idleMs: number;
  readonly outMj: number;
  readonly chargedMj: number;
  readonly fedBackMj: number;
  readonly distanceMm: number;
  /** % */
  readonly socMin: number | null;
  readonly socMax: number | null;
  readonly windowMs: number;
  readonly windowHeardMs: number;
  readonly isProvisional: boolean;
};

export const DAY_COLUMNS: readonly Column<DayRow>[] = [
  { key: 'day', title: 'Dag', kind: 'day', value: ({ day }) => day },
  ...NAMES,
  { key: 'projects', title: 'Projecten', kind: 'text', value: ({ projects }) => projects },
  { key: 'firstActive', title: 'Eerste activiteit', kind: 'moment', value: ({ firstActive }) => firstActive },
  { key: 'lastActive', title: 'Laatste activiteit', kind: 'moment', value: ({ lastActive }) => lastActive },
  {
    key: 'running',
    title: 'Draaiuren',
    kind: 'duration',
    isSummed: true,
    value: ({ runningMs }) => runningMs,
  },
  {
    key: 'charging',
    title: 'Laaduren',
    kind: 'duration',
    isSummed: true,
    value: ({ chargingMs }) => chargingMs,
  },
  { key: 'idle', title: 'Stationair', kind: 'duration', isSummed: true, value: ({ idleMs }) => idleMs },
  { key: 'used', title: 'Verbruikt', kind: 'energy', isSummed: true, value: ({ outMj }) => outMj },
  { key: 'charged', title: 'Geladen', kind: 'energy', isSummed: true, value: ({ chargedMj }) => chargedMj },
  {
    key: 'fedBack',
    title: 'Teruggewonnen',
    kind: 'energy',
    isSummed: true,
    value: ({ fedBackMj }) => fedBackMj,
  },
  {
    key: 'distance',
    title: 'Afstand',
    kind: 'distance',
    isSummed: true,
    value: ({ distanceMm }) => distanceMm,
  },
  { key: 'socMin', title: 'Laagste lading', unit: '%', kind: 'number', value: ({ socMin }) => socMin },
  { key: 'socMax', title: 'Hoogste lading', unit: '%', kind: 'number', value: ({ socMax }) => socMax },
  coverage(),
  provisional(),
];

export const DAY_RULES: readonly string[] = [
  'Een dag loopt van 0:00 tot 24:00 uur in Amsterdam. Draaiuren: de motor draait sneller dan 150 toeren per minuut.',
  'Stationair: tussen het eerste en het laatste draaien aan, zonder te draaien of te laden.',
  COVERAGE_RULE,
  PROVISIONAL_RULE,
];
