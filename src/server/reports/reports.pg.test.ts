import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { plusDays } from '#shared/domain/reports/settings.ts';
import {
  CO2,
  expectedOf,
  LITRES,
  nameOf,
  type SecondComputation,
  storeMachine,
  VALUES,
} from './test/second-computation.ts';

const SEEDS = (process.env.REPORT_SEEDS ?? '3 8').split(' ').map(Number);

let portal: TestPortal;
let owner: number;
let other: number;
const cookies = { gebruiker: '', kijker: '', ander: '', admin: '' };
beforeAll(async () => {
  portal = await testPortal();
  owner = await portal.organization('graaf');
  other = await portal.organization('hijs');
  await portal.user('g@graaf.example', owner);
  await portal.user('k@graaf.example', owner, 'kijker');
  await portal.user('g@hijs.example', other);
  await portal.user('a@admin.example', await portal.organization('admin'));
  cookies.gebruiker = await portal.login('g@graaf.example');
  cookies.kijker = await portal.login('k@graaf.example');
  cookies.ander = await portal.login('g@hijs.example');
  cookies.admin = await portal.login('a@admin.example');
}, 60_000);
afterAll(() => portal.close());

const addressOf = (kind: string, query: Readonly<Record<string, string | number>>): string =>
  `/api/report/${kind}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
const asked = async (
  kind: string,
  query: Readonly<Record<string, string | number>>,
  cookie = cookies.gebruiker,
) => {
  const answer = await portal.get(addressOf(kind, query), cookie);
  expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
  return answer.json() as ReportAnswer;
};
const fileOf = (kind: string, query: Readonly<Record<string, string | number>>, cookie = cookies.gebruiker) =>
  portal.get(addressOf(`${kind}/file`, query), cookie);

/** Rows by the keys of their columns. */
const rowsOf = ({ columns, rows }: ReportAnswer): Record<string, string | number | null>[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ key }, n) => [key, row[n] ?? null])));
const only = (rows: readonly Record<string, unknown>[], names: readonly string[]) =>
  rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
/** Reckoned by both: equal but for the last digits of a float. */
const about = (value: number | null): unknown => (value === null ? null : expect.closeTo(value, 4));

async function setFactors({ from }: SecondComputation): Promise<void> {
  await portal.pool.query('delete from report_factor where organization_id = $1', [owner]);
  const add = (kind: string, value: number, day: string, from_kw: number | null, compared: string) =>
    portal.pool.query(
      `insert into report_factor (organization_id, kind, value, first_day, from_kw, below_kw, compared_to, source)
       values ($1, $2, $3, $4, $5, null, $6, 'co2emissiefactoren.nl')`,
      [owner, kind, value, day, from_kw, compared],
    );
  for (const { kgPerKwh, days } of CO2) await add('co2', kgPerKwh, plusDays(from, days), null, '');
  await add('diesel', LITRES, from, 30, 'Rupskraan 8 t');
}

test.each(SEEDS)(
  '14.3a machine %i: every report says to the second, the joule and the metre what is computed a second time from its readings',
  async (seed) => {
    const second = await storeMachine(portal.pool, seed, owner, other);
    const { serial, from, to } = second;
    await setFactors(second);
    const expected = expectedOf(second, 5);
    const query = { from, to, machines: JSON.stringify([serial]) };

    const use = await asked('inzet', { ...query, minutes: 5 });
    const projectOf = new Map(second.projects.projects.map(({ id }) => [nameOf(seed, id), id]));
    const named = rowsOf(use).map((row) => ({ ...row, id: projectOf.get(String(row.project)) }));
    expect(
      only(named, [
        'id',
        'days',
        'running',
        'charging',
        'used',
        'charged',
        'chargedOff',
        'co2',
        'diesel',
        'coverage',
      ]),
    ).toEqual(
      expected.inzet
        .toSorted((a, b) => (nameOf(seed, a.id) < nameOf(seed, b.id) ? -1 : 1))
        .map((row) => ({ ...row, co2: about(row.co2), diesel: about(row.diesel) })),
    );
    const days = await asked('dagstaten', query);
    expect(only(rowsOf(days), Object.keys(expected.dagstaten[0] ?? {}))).toEqual(expected.dagstaten);
    const totals = Object.fromEntries(days.columns.map(({ key }, n) => [key, days.totals?.[n]]));
    expect(totals.running).toBeCloseTo(
      expected.dagstaten.reduce((sum, { running }) => sum + running, 0),
      6,
    );

    const charged = rowsOf(await asked('laadbeurten', query)).map((row) => ({
      ...row,
      project: projectOf.get(String(row.project)),
    }));
    const keys = Object.keys(expected.laadbeurten[0] ?? {});
    expect(only(charged, keys)).toEqual(
      expected.laadbeurten.map((row) => ({ ...row, meanPower: about(row.meanPower) })),
    );
    expect(
      only(rowsOf(await asked('draaiuren', query)), ['from', 'to', 'meterFrom', 'meterTo', 'running']),
    ).toEqual(
      expected.draaiuren.map((row) => ({
        ...row,
        meterFrom: about(row.meterFrom),
        meterTo: about(row.meterTo),
      })),
    );

    const path = JSON.parse((await fileOf('route', { ...query, format: 'json' })).body) as ReportAnswer;
    expect(only(rowsOf(path), ['time', 'latitude', 'longitude'])).toEqual(expected.route);
    const values = await fileOf('metingen', { ...query, format: 'json', signals: JSON.stringify(VALUES) });
    expect((JSON.parse(values.body) as ReportAnswer).rows).toEqual(expected.metingen);
  },
  60_000,
);
