import { RUNNING_ABOVE_RPM } from '../machine-status.ts';
import { type Column, momentColumn, textColumn } from './column.ts';
import {
  CHARGING_COLUMN,
  COVERAGE_NOTE,
  coverageColumn,
  ENERGY_NOTE,
  KNOWN_ENERGY_COLUMN,
  NAME_COLUMNS,
  PROVISIONAL_RULE,
  provisionalColumn,
  REGISTRATION_COLUMN,
  type ReportMachine,
  RUNNING_COLUMN,
  silentDaysColumn,
  USED_ENERGY_COLUMN,
} from './machine-columns.ts';

/** The hours of a machine while it belonged to an organization, with its hour meter at the start and the end. */
export type HoursRow = {
  readonly machine: ReportMachine;
  /** ms since 1970: the period, or the part of it in which the machine belonged to the organization. */
  readonly from: number;
  readonly to: number;
  /**
   * The hour meter at `from`, in ms; null: the machine belongs to another organization now, the reader may not see all
   * of its figures, or the row is about time on projects, not about a whole machine.
   */
  readonly meterMs: number | null;
  readonly runningMs: number;
  readonly chargingMs: number;
  readonly outMj: number;
  readonly knownMs: number;
  readonly heardMs: number;
  readonly windowMs: number;
  readonly windowHeardMs: number;
  /** Days without readings, of all days on which the machine was there: on the chosen projects, or in total. */
  readonly silentDays: number;
  readonly daysThere: number;
  /** Working hours on the silent days on projects, ms; 0 in a row about a whole machine. */
  readonly silentMs: number;
  readonly isProvisional: boolean;
};

const METER: readonly Column<HoursRow>[] = [
  { key: 'meterFrom', title: 'Urenstand begin', kind: 'duration', value: ({ meterMs }) => meterMs },
  {
    key: 'meterTo',
    title: 'Urenstand einde',
    kind: 'duration',
    value: ({ meterMs, runningMs }) => (meterMs === null ? null : meterMs + runningMs),
  },
];

/**
 * Returns the columns of Draaiuren.
 * @param project names of the chosen projects, in one text; undefined: none were chosen, and rows are about whole machines
 */
export const hoursColumns = (project: string | undefined): readonly Column<HoursRow>[] => [
  ...NAME_COLUMNS,
  REGISTRATION_COLUMN,
  ...(project === undefined ? [] : [textColumn('project', 'Project', () => project)]),
  momentColumn('from', 'Van', ({ from }) => from),
  momentColumn('to', 'Tot', ({ to }) => to),
  ...(project === undefined ? METER : []),
  RUNNING_COLUMN,
  CHARGING_COLUMN,
  USED_ENERGY_COLUMN,
  KNOWN_ENERGY_COLUMN,
  coverageColumn(),
  silentDaysColumn(),
  provisionalColumn(),
];

export const HOURS_REPORT_NOTES: readonly string[] = [
  'Urenstand: de urenstand bij aanvang en alle draaiuren sindsdien, aan het begin van de eerste dag en aan het einde van de laatste. Een overgedragen machine heeft geen urenstand meer: die houdt de volgende eigenaar bij.',
  `Draaiuren: de motor draait sneller dan ${RUNNING_ABOVE_RPM} toeren per minuut. Met projecten gekozen: de uren op die projecten, en geen urenstand, want die is van de hele machine.`,
  COVERAGE_NOTE,
  'Dagen zonder gegevens: dagen waarop de machine er was en niets stuurde, omdat ze uit stond of de logger stil was. Draaiuren van zulke dagen staan hier niet in.',
  ENERGY_NOTE,
  PROVISIONAL_RULE,
];
