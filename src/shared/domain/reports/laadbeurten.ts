import type { ChargingCost } from '../charging-tariffs.ts';
import { formatExactNumber } from '../nl.ts';
import { costColumn, unpricedColumn } from './charging-costs.ts';
import {
  type Column,
  MJ_PER_KWH,
  measuredColumn,
  momentColumn,
  roundToSixDecimals,
  summedColumn,
  textColumn,
} from './column.ts';
import {
  NAME_COLUMNS,
  PLACE_RULE,
  PROVISIONAL_RULE,
  provisionalColumn,
  type ReportMachine,
} from './machine-columns.ts';

/** A charging session (docs/figures.md section 13). */
export type SessionRow = {
  readonly machine: ReportMachine;
  /** Name of the machine's project; '': none. */
  readonly project: string;
  /** ms since 1970 */
  readonly from: number;
  readonly to: number;
  readonly chargingMs: number;
  readonly fullMs: number;
  readonly chargedMj: number;
  readonly highestWatts: number | null;
  /** State of charge of each battery at `from` and at `to`, %; the index is the battery number - 1. */
  readonly socFrom: readonly (number | null)[];
  readonly socTo: readonly (number | null)[];
  /** Name of the place; null: not known, or the reader may not see it. */
  readonly place: string | null;
  /** Degrees; null if `place` is null. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Why the session ended; null: the session is in progress. */
  readonly ended: string | null;
  /** Cost of the charged energy; undefined: no tariff is set. */
  readonly cost?: ChargingCost | null;
  readonly isProvisional: boolean;
};

/** Returns '45 / 47': the known states of charge (%) of the batteries, by battery number. */
const packsText = (packs: readonly (number | null)[]): string =>
  packs
    .flatMap((percent) => (percent === null ? [] : [formatExactNumber(Math.round(percent * 10) / 10)]))
    .join(' / ');
const HOUR_MS = 3_600_000;

export const SESSION_COLUMNS: readonly Column<SessionRow>[] = [
  ...NAME_COLUMNS,
  textColumn('project', 'Project', ({ project }) => project),
  momentColumn('from', 'Begin', ({ from }) => from),
  momentColumn('to', 'Einde', ({ to }) => to),
  summedColumn('duration', 'charging', 'Laadtijd', ({ chargingMs }) => chargingMs),
  summedColumn('duration', 'pauses', 'Pauzes', ({ from, to, chargingMs }) => to - from - chargingMs),
  textColumn('socFrom', 'Laadniveau begin (%)', ({ socFrom }) => packsText(socFrom)),
  textColumn('socTo', 'Laadniveau einde (%)', ({ socTo }) => packsText(socTo)),
  summedColumn('energy', 'charged', 'Geladen', ({ chargedMj }) => chargedMj),
  measuredColumn('meanPower', 'Gemiddeld vermogen', 'kW', 1, ({ chargedMj, chargingMs }) =>
    chargingMs > 0 ? roundToSixDecimals(chargedMj / MJ_PER_KWH / (chargingMs / HOUR_MS)) : null,
  ),
  measuredColumn('highestPower', 'Hoogste vermogen', 'kW', 1, ({ highestWatts }) =>
    highestWatts === null ? null : highestWatts / 1000,
  ),
  summedColumn('duration', 'full', 'Vol aan de lader', ({ fullMs }) => fullMs),
  textColumn('place', 'Plaats', ({ place }) => place),
  measuredColumn('latitude', 'Breedtegraad', '', 6, ({ latitude }) => latitude),
  measuredColumn('longitude', 'Lengtegraad', '', 6, ({ longitude }) => longitude),
  textColumn('ended', 'Hoe het eindigde', ({ ended }) => ended ?? 'laadt nog'),
  provisionalColumn(),
];

/** Note about why the costs of sessions and of days differ; for a report without `costLine`, which explains the difference in numbers. */
export const SESSION_COST_NOTE =
  'Laadkosten hier zijn van laadbeurten. Dagstaten en Inzet rekenen ook de energie die daarbuiten is geladen; daarom is hun bedrag anders.';

/** Columns after the charged energy, if an organization has a tariff. */
export const SESSION_COST_COLUMNS: readonly Column<SessionRow>[] = [
  costColumn('cost', 'Laadkosten', ({ cost = null }) => cost),
  unpricedColumn(({ cost = null }) => [cost]),
];

export const SESSION_REPORT_NOTES: readonly string[] = [
  'Laadbeurt: laden met pauzes van minder dan 10 minuten, samen minstens 5 minuten of 0,2 kWh. Ze staat bij de dag waarop ze begon.',
  'Laadniveau begin en einde: per accu. Vol aan de lader: laden bij 99 % en meer.',
  PLACE_RULE,
  PROVISIONAL_RULE,
];
