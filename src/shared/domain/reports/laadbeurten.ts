import type { Cost } from '../charging-tariffs.ts';
import { exactNumber } from '../nl.ts';
import { costColumn, unpricedColumn } from './charging-costs.ts';
import { type Column, MJ_PER_KWH, toMicro } from './column.ts';
import { NAMES, PLACE_RULE, PROVISIONAL_RULE, provisional, type ReportMachine } from './machine-columns.ts';

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
  /** %, by battery number - 1. */
  readonly socFrom: readonly (number | null)[];
  readonly socTo: readonly (number | null)[];
  /** Name of the place; null: not known, or the reader may not see it. */
  readonly place: string | null;
  /** Degrees; null if `place` is null. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Why the session ended; null: it is in progress. */
  readonly ended: string | null;
  /** undefined: no tariff. */
  readonly cost?: Cost | null;
  readonly isProvisional: boolean;
};

/** Returns '45 / 47': the known levels of the packs, in order. */
const packsText = (packs: readonly (number | null)[]): string =>
  packs
    .flatMap((percent) => (percent === null ? [] : [exactNumber(Math.round(percent * 10) / 10)]))
    .join(' / ');
const HOUR_MS = 3_600_000;

export const SESSION_COLUMNS: readonly Column<SessionRow>[] = [
  ...NAMES,
  { key: 'project', title: 'Project', kind: 'text', value: ({ project }) => project },
  { key: 'from', title: 'Begin', kind: 'moment', value: ({ from }) => from },
  { key: 'to', title: 'Einde', kind: 'moment', value: ({ to }) => to },
  {
    key: 'charging',
    title: 'Laadtijd',
    kind: 'duration',
    isSummed: true,
    value: ({ chargingMs }) => chargingMs,
  },
  {
    key: 'pauses',
    title: 'Pauzes',
    kind: 'duration',
    isSummed: true,
    value: ({ from, to, chargingMs }) => to - from - chargingMs,
  },
  { key: 'socFrom', title: 'Laadniveau begin (%)', kind: 'text', value: ({ socFrom }) => packsText(socFrom) },
  { key: 'socTo', title: 'Laadniveau einde (%)', kind: 'text', value: ({ socTo }) => packsText(socTo) },
  { key: 'charged', title: 'Geladen', kind: 'energy', isSummed: true, value: ({ chargedMj }) => chargedMj },
  {
    key: 'meanPower',
    title: 'Gemiddeld vermogen',
    unit: 'kW',
    kind: 'number',
    digits: 1,
    value: ({ chargedMj, chargingMs }) =>
      chargingMs > 0 ? toMicro(chargedMj / MJ_PER_KWH / (chargingMs / HOUR_MS)) : null,
  },
  {
    key: 'highestPower',
    title: 'Hoogste vermogen',
    unit: 'kW',
    kind: 'number',
    digits: 1,
    value: ({ highestWatts }) => (highestWatts === null ? null : highestWatts / 1000),
  },
  { key: 'full', title: 'Vol aan de lader', kind: 'duration', isSummed: true, value: ({ fullMs }) => fullMs },
  { key: 'place', title: 'Plaats', kind: 'text', value: ({ place }) => place },
  { key: 'latitude', title: 'Breedtegraad', kind: 'number', digits: 6, value: ({ latitude }) => latitude },
  { key: 'longitude', title: 'Lengtegraad', kind: 'number', digits: 6, value: ({ longitude }) => longitude },
  { key: 'ended', title: 'Hoe het eindigde', kind: 'text', value: ({ ended }) => ended ?? 'laadt nog' },
  provisional(),
];

/** Note about why the costs of sessions and of days differ, if no line explains the difference. */
export const SESSION_COST_RULE =
  'Laadkosten hier zijn van laadbeurten. Dagstaten en Inzet rekenen ook de energie die daarbuiten is geladen; daarom is hun bedrag anders.';

/** Columns behind the charged energy, if an organization has a tariff. */
export const SESSION_COSTS: readonly Column<SessionRow>[] = [
  costColumn('cost', 'Laadkosten', ({ cost = null }) => cost),
  unpricedColumn(({ cost = null }) => [cost]),
];

export const SESSION_RULES: readonly string[] = [
  'Laadbeurt: laden met pauzes van minder dan 10 minuten, samen minstens 5 minuten of 0,2 kWh. Ze staat bij de dag waarop ze begon.',
  'Laadniveau begin en einde: per accu. Vol aan de lader: laden bij 99 % en meer.',
  PLACE_RULE,
  PROVISIONAL_RULE,
];
