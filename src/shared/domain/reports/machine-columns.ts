import { knownEnergy } from '../figures.ts';
import { silentDaysText } from '../silent-days.ts';
import { type Column, measuredColumn, summedColumn, textColumn } from './column.ts';

/** A machine in a report. */
export type ReportMachine = {
  /** Display name of the organization, shown if the report has more than one. */
  readonly organization: string;
  readonly serial: string;
  /** Name of the machine; for a machine that belongs to another organization now, a text that says so. */
  readonly alias: string;
  readonly brand: string;
  readonly model: string;
  /** Dutch number plate, or RDW's code of a machine without one; '': not known. */
  readonly registrationNumber: string;
  readonly sebCategory: string | null;
  readonly powerKw: number | null;
  readonly capacityKwh: number | null;
};
type OfMachine = { readonly machine: ReportMachine };

const field = (
  key: 'organization' | 'serial' | 'alias' | 'brand' | 'model' | 'registrationNumber' | 'sebCategory',
  title: string,
): Column<OfMachine> => textColumn(key, title, ({ machine }) => machine[key]);

export const ORGANIZATION_COLUMN = field('organization', 'Organisatie');
/** Columns with the name and number of a machine. */
export const NAME_COLUMNS = [
  field('alias', 'Machine'),
  field('brand', 'Merk'),
  field('model', 'Model'),
  field('serial', 'Serienummer'),
] as const;

export const REGISTRATION_COLUMN = field('registrationNumber', 'Kenteken of meldcode');
/** Columns with the data of a machine that subsidies need. */
export const MACHINE_DETAIL_COLUMNS: readonly Column<OfMachine>[] = [
  REGISTRATION_COLUMN,
  field('sebCategory', 'SEB-categorie'),
  measuredColumn('power', 'Vermogen', 'kW', 1, ({ machine }) => machine.powerKw),
  measuredColumn('capacity', 'Capaciteit', 'kWh', 1, ({ machine }) => machine.capacityKwh),
];

/** Returns the column that marks rows that may still change. */
export const provisionalColumn = <Row extends { readonly isProvisional: boolean }>(): Column<Row> =>
  textColumn('status', 'Status', ({ isProvisional }) => (isProvisional ? 'voorlopig' : ''));

/** Returns the column with the number of days without readings, of all days on which the machine was there. */
export const silentDaysColumn = <
  Row extends { readonly silentDays: number; readonly daysThere: number },
>(): Column<Row> =>
  textColumn('silent', 'Dagen zonder gegevens', (row) => silentDaysText(row.silentDays, row.daysThere));

type Energies = { readonly outMj: number; readonly knownMs: number; readonly heardMs: number };

export const RUNNING_COLUMN = summedColumn<{ readonly runningMs: number }>(
  'duration',
  'running',
  'Draaiuren',
  ({ runningMs }) => runningMs,
);
export const CHARGING_COLUMN = summedColumn<{ readonly chargingMs: number }>(
  'duration',
  'charging',
  'Laaduren',
  ({ chargingMs }) => chargingMs,
);
export const USED_ENERGY_COLUMN = summedColumn<Energies>(
  'energy',
  'used',
  'Verbruikt',
  ({ knownMs, outMj }) => knownEnergy(knownMs, outMj),
);
/** Column Energie bekend: (time with readings and known energy) / (time with readings). */
export const KNOWN_ENERGY_COLUMN: Column<Energies> = {
  key: 'known',
  title: 'Energie bekend',
  kind: 'share',
  parts: ({ knownMs, heardMs }) => [knownMs, heardMs],
};

/** Returns the column Dekking: time with readings / (time from first to last activity + time of shifts on days without data). */
export const coverageColumn = <
  Row extends { readonly windowMs: number; readonly windowHeardMs: number; readonly silentMs?: number },
>(): Column<Row> => ({
  key: 'coverage',
  title: 'Dekking',
  kind: 'share',
  parts: ({ windowMs, windowHeardMs, silentMs = 0 }) => [windowHeardMs, windowMs + silentMs],
});

export const COVERAGE_NOTE =
  'Dekking is het deel van de tijd tussen de eerste en de laatste activiteit van een dag waarin zonder onderbreking metingen binnenkwamen. Onder 95 % zijn de cijfers onvolledig.';
export const ENERGY_NOTE =
  'Energie bekend is het deel van de tijd met metingen waarvan de stroom van de accu bekend is. Leeg is niet bekend, en telt niet mee in het totaal.';
export const PROVISIONAL_RULE =
  'Voorlopig: er kunnen nog metingen van deze dagen binnenkomen. Daarna verandert dit rapport nog.';
export const PLACE_RULE =
  'Plaats: het terrein, anders het project, anders de dichtstbijzijnde plaats op de kaart. Terreinen gelden zoals ze nu getekend zijn.';
