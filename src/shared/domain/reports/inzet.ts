import type { ChargingCost } from '../charging-tariffs.ts';
import { knownEnergy } from '../figures.ts';
import { dutchDate, formatExactNumber } from '../nl.ts';
import type { Co2Factor, DieselFactor } from '../report-factors.ts';
import { costColumn, unpricedColumn } from './charging-costs.ts';
import { type Column, summedColumn, textColumn } from './column.ts';
import {
  CHARGING_COLUMN,
  COVERAGE_NOTE,
  coverageColumn,
  ENERGY_NOTE,
  KNOWN_ENERGY_COLUMN,
  MACHINE_DETAIL_COLUMNS,
  NAME_COLUMNS,
  PROVISIONAL_RULE,
  provisionalColumn,
  type ReportMachine,
  RUNNING_COLUMN,
  silentDaysColumn,
  USED_ENERGY_COLUMN,
} from './machine-columns.ts';
import type { ReportSettings } from './settings.ts';

/** The figures of a machine on a project in the period. */
export type MachineUseRow = {
  readonly machine: ReportMachine;
  readonly project: { readonly name: string; readonly number: string; readonly client: string };
  /** Days with at least the chosen minutes of running on the project. */
  readonly days: number;
  readonly runningMs: number;
  readonly chargingMs: number;
  readonly outMj: number;
  readonly knownMs: number;
  readonly heardMs: number;
  /** Energy charged on the project, and elsewhere on days on which the machine was on the project. */
  readonly chargedMj: number;
  readonly chargedOffMj: number;
  /** CO2, kg; null: no factor applies on at least one of the days. */
  readonly co2: number | null;
  /** Litres; null: no diesel factor applies. */
  readonly diesel: number | null;
  readonly windowMs: number;
  readonly windowHeardMs: number;
  /**
   * Days on which the machine was on the project, the number of these days without data, and the working hours on days without data, ms.
   */
  readonly daysThere: number;
  readonly silentDays: number;
  readonly silentMs: number;
  /** Cost of the energy charged on the project, and elsewhere; undefined: no tariff. */
  readonly cost?: ChargingCost | null;
  readonly costOff?: ChargingCost | null;
  readonly isProvisional: boolean;
};

export const MACHINE_USE_COLUMNS: readonly Column<MachineUseRow>[] = [
  textColumn('project', 'Project', ({ project }) => project.name),
  textColumn('projectNumber', 'Projectnummer', ({ project }) => project.number),
  textColumn('client', 'Opdrachtgever', ({ project }) => project.client),
  ...NAME_COLUMNS,
  ...MACHINE_DETAIL_COLUMNS,
  summedColumn('number', 'days', 'Inzetdagen', ({ days }) => days),
  RUNNING_COLUMN,
  CHARGING_COLUMN,
  USED_ENERGY_COLUMN,
  summedColumn('energy', 'charged', 'Geladen op project', ({ knownMs, chargedMj }) =>
    knownEnergy(knownMs, chargedMj),
  ),
  summedColumn('energy', 'chargedOff', 'Geladen elders', ({ knownMs, chargedOffMj }) =>
    knownEnergy(knownMs, chargedOffMj),
  ),
  {
    key: 'co2',
    title: 'CO2',
    unit: 'kg',
    kind: 'number',
    digits: 1,
    isSummed: true,
    value: ({ co2 }) => co2,
  },
  {
    key: 'diesel',
    title: 'Vermeden diesel',
    unit: 'l',
    kind: 'number',
    digits: 1,
    isSummed: true,
    value: ({ diesel }) => diesel,
  },
  KNOWN_ENERGY_COLUMN,
  coverageColumn(),
  silentDaysColumn(),
  provisionalColumn(),
];

/** Columns after the charged energy, if an organization has a tariff. */
export const MACHINE_USE_COST_COLUMNS: readonly Column<MachineUseRow>[] = [
  costColumn('cost', 'Laadkosten op project', ({ cost = null }) => cost),
  costColumn('costOff', 'Laadkosten elders', ({ costOff = null }) => costOff),
  unpricedColumn(({ cost = null, costOff = null }) => [cost, costOff]),
];

/** A factor that the report used; `organization`: name of the factor's organization if the report has more than one, else ''. */
export type UsedFactor =
  | { readonly kind: 'co2'; readonly organization: string; readonly factor: Co2Factor }
  | { readonly kind: 'diesel'; readonly organization: string; readonly factor: DieselFactor };

function factorText({ kind, organization, factor }: UsedFactor): string {
  const of = organization && `${organization}, `;
  const since = `(${of}vanaf ${dutchDate(factor.firstDay)})`;
  if (kind === 'co2')
    return `CO2-factor ${since}: ${formatExactNumber(factor.kgPerKwh)} kg per kWh. Bron: ${factor.source}.`;
  const { fromKw, belowKw, litresPerHour, comparedTo, source } = factor;
  const powers =
    belowKw === null
      ? `vanaf ${formatExactNumber(fromKw)} kW`
      : `${formatExactNumber(fromKw)} tot ${formatExactNumber(belowKw)} kW`;
  return `Referentie diesel, ${powers} ${since}: ${comparedTo}, ${formatExactNumber(litresPerHour)} liter per draaiuur. Bron: ${source}.`;
}

const SILENT_RULE =
  'Dagen zonder gegevens: de machine was op het project, met de hand of waar haar posities haar het laatst vonden, en er kwam niets binnen. Zo’n dag telt in de dekking voor de werktijd van die dag als niet gedekt. Van voor haar eerste gegevens tellen de dagen mee sinds zij in het portaal staat.';

/** Returns the notes below the report. @param used factors that the report used */
export function machineUseReportNotes(
  { minutes }: Pick<ReportSettings, 'minutes'>,
  used: readonly UsedFactor[],
): string[] {
  return [
    `Inzetdag: een dag waarop de machine minstens ${minutes} ${minutes === 1 ? 'minuut' : 'minuten'} draaide op het project.`,
    'Op het project: waar de machine met de hand is toegewezen, anders waar haar posities in het gebied van het project liggen.',
    'Geladen elders: op dagen dat de machine op het project was, maar niet op het project geladen.',
    used.some(({ kind }) => kind === 'co2')
      ? 'CO2: de verbruikte energie van elke dag maal de factor van die dag. Leeg waar geen factor is ingesteld.'
      : 'CO2 is leeg: er is geen CO2-factor ingesteld.',
    used.some(({ kind }) => kind === 'diesel')
      ? 'Vermeden diesel: draaiuren maal het verbruik van de referentie. Leeg waar geen referentie of vermogen is ingesteld.'
      : 'Vermeden diesel is leeg: er is geen referentieverbruik ingesteld voor het vermogen van deze machines.',
    ...used.map(factorText),
    COVERAGE_NOTE,
    SILENT_RULE,
    ENERGY_NOTE,
    PROVISIONAL_RULE,
  ];
}
