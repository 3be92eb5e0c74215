import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInAllShards } from '#server/platform/shards.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { DailyFigures } from '#shared/contract/day-figures.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { plusDays } from '#shared/domain/reports/settings.ts';
import { chooseSeeds } from '#shared/domain/test/oracle/random-machine.ts';
import { storeMachine } from './test/second-computation.ts';

const SEEDS = chooseSeeds([6, 10], 300);

let portal: TestPortal;
let compared = 0;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(async () => {
  await portal.close();
  process.stdout.write(`One sum: ${compared} comparisons over ${SEEDS.length} machines\n`);
});

type Figures = Readonly<Record<string, number>>;

/** Expects two computations of the same figures to be equal, but for a rounding error of `within`. `way` names both in a failure. */
function same(way: string, a: Figures, b: Figures, within = 1e-5): void {
  const names = Object.keys(a);
  expect(Object.keys(b), way).toEqual(names);
  for (const name of names) {
    compared += 1;
    const apart = Math.abs((a[name] as number) - (b[name] as number));
    expect(apart, `${way}: ${name} is ${a[name]} and ${b[name]}`).toBeLessThanOrEqual(within);
  }
}

const sumOf = (rows: readonly Figures[], names: readonly string[]): Figures =>
  Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)]));

const DAY_NAMES = [
  'running',
  'charging',
  'idle',
  'used',
  'charged',
  'fedBack',
  'distance',
  'driven',
  'carried',
  'cost',
  'unpriced',
];
const HOURS_NAMES = ['running', 'charging', 'used'];
const USE_NAMES = ['days', 'running', 'charging', 'used', 'charged'];
const USE_COSTS = ['cost', 'costOff', 'unpriced'];

type Row = Readonly<Record<string, string | number | null>>;
const figuresIn = (row: Row, names: readonly string[]): Figures =>
  Object.fromEntries(names.map((name) => [name, Number(row[name] ?? 0)]));

type ReportQuery = {
  readonly rows: readonly Row[];
  readonly totals: Row;
  readonly columns: ReportAnswer['columns'];
};

async function reportOf(
  kind: string,
  from: string,
  to: string,
  cookie: string,
  more = '',
): Promise<ReportQuery> {
  const answer = await portal.get(`/api/report/${kind}?from=${from}&to=${to}${more}`, cookie);
  expect(answer.statusCode, answer.body).toBe(200);
  const { columns, rows, totals } = answer.json() as ReportAnswer;
  const byKey = (cells: readonly (string | number | null)[]): Row =>
    Object.fromEntries(columns.map(({ key }, n) => [key, cells[n] ?? null]));
  return { columns, rows: rows.map(byKey), totals: byKey(totals ?? []) };
}

/** Returns each row of a report's CSV file as an object by column key, with durations in seconds. */
async function csvOf(
  kind: string,
  from: string,
  to: string,
  columns: ReportQuery['columns'],
  cookie: string,
): Promise<Row[]> {
  const { body } = await portal.get(`/api/report/${kind}/file?from=${from}&to=${to}&format=csv`, cookie);
  const lines = body.replace('\uFEFF', '').split('\r\n');
  const cells = (line: string): string[] => line.split(';').map((cell) => cell.replaceAll('"', ''));
  const heads = cells(lines[0] ?? '');
  return lines.slice(1, lines.indexOf('')).map((line) => {
    const values = cells(line);
    return Object.fromEntries(
      columns.map(({ key, title, unit, kind: of }) => {
        const value = values[heads.indexOf(unit === '' ? title : `${title} (${unit})`)] ?? '';
        if (of === 'duration') {
          const [hours = 0, minutes = 0, seconds = 0] = value.split(':').map(Number);
          return [key, hours * 3600 + minutes * 60 + seconds];
        }
        return [key, ['text', 'day', 'moment'].includes(of) ? value : Number(value.replace(',', '.'))];
      }),
    );
  });
}

/** Splits the period into parts. A part begins on each day for which `isNew` returns true: each Monday, or the first of each month. */
function partsOf(from: string, to: string, isNew: (day: string) => boolean): (readonly [string, string])[] {
  const parts: [string, string][] = [];
  for (let day = from; day <= to; day = plusDays(day, 1)) {
    const last = parts.at(-1);
    if (!last || isNew(day)) parts.push([day, day]);
    else last[1] = day;
  }
  return parts;
}
const isMonday = (day: string): boolean => new Date(`${day}T12:00Z`).getUTCDay() === 1;
const isFirst = (day: string): boolean => day.endsWith('-01');

const ofDay = (day: DailyFigures): Figures => ({
  running: day.running,
  charging: day.charging,
  idle: day.idle,
  used: day.out ?? 0,
  charged: day.charged ?? 0,
  fedBack: day.fedBack ?? 0,
  distance: day.distance / 1000,
  driven: (day.distance - (day.carried ?? 0)) / 1000,
  carried: (day.carried ?? 0) / 1000,
  cost: day.cost?.euros ?? 0,
  unpriced: day.cost?.unpricedKwh ?? 0,
});
const floored = (share: number): number => Math.floor(share * 1000 + 1e-9) / 10;

/** Returns the sums of each quarter of an hour of a machine, from the buckets of the roll-up. */
async function quartersOf(serial: string): Promise<Figures[]> {
  return runInAllShards(portal.pool, (cell) =>
    cell.query<Record<string, number>>(
      `select sum(running_ms)::float8 / 1000 as running, sum(charging_ms)::float8 / 1000 as charging, sum(out_mj)::float8 / 3.6e9 as used,
       sum(charged_mj)::float8 / 3.6e9 as charged, sum(in_mj)::float8 / 3.6e9 as "fedBack", sum(distance_mm)::float8 / 1e6 as distance,
       sum(coalesce(carried_mm, 0))::float8 / 1e6 as carried
     from telemetry.rollup r join public.stream s on s.id = r.stream_id where s.serial = $1
     group by date_bin('15 minutes', r.bucket, '2020-01-01Z')`,
      [serial],
    ),
  );
}

/** Sets a day and a night price, a fixed price from the middle of the period on, and no price on its last two days. */
async function setTariffs(owner: number, from: string, to: string): Promise<void> {
  const add = (first: string, last: string | null, day: number, night: number | null) =>
    portal.pool.query(
      `insert into charging_tariff (organization_id, first_day, last_day, day_price, night_price, night_from, night_to, night_weekend)
       values ($1, $2, $3, $4, $5, 23, 7, true)`,
      [owner, first, last, day, night],
    );
  const middle = plusDays(from, Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000 / 2));
  await add(from, null, 0.28765, 0.19);
  if (middle > from) await add(middle, plusDays(to, -2) >= middle ? plusDays(to, -2) : null, 0.24505, null);
}

test.each(SEEDS)(
  'machine %i: quarters of an hour, days, weeks, months, report, file, page of the project and API have one sum for every figure (53.5)',
  async (seed) => {
    const owner = await portal.organization(`som-${seed}`);
    await portal.user(`g@som-${seed}.example`, owner);
    const cookie = await portal.login(`g@som-${seed}.example`);
    const second = await storeMachine(portal.pool, seed, owner, await portal.organization(`koper-${seed}`));
    const { from, to, serial, machine, isOwn } = second;

    await setTariffs(owner, from, to);
    const days = await reportOf('dagstaten', from, to, cookie);
    const total = figuresIn(days.totals, DAY_NAMES);
    same(
      'days = report',
      sumOf(
        days.rows.map((row) => figuresIn(row, DAY_NAMES)),
        DAY_NAMES,
      ),
      total,
    );
    const file = await csvOf('dagstaten', from, to, days.columns, cookie);
    for (const [n, row] of days.rows.entries()) {
      same('report = file', figuresIn(row, DAY_NAMES), figuresIn(file[n] ?? {}, DAY_NAMES), 0.5);
      same('report = file', figuresIn(row, ['coverage']), figuresIn(file[n] ?? {}, ['coverage']));
    }
    const use = await reportOf('inzet', from, to, cookie);
    for (const isNew of [isMonday, isFirst]) {
      const parts = partsOf(from, to, isNew);
      const dayParts: Figures[] = [];
      const useParts: Figures[] = [];
      for (const part of parts) {
        dayParts.push(figuresIn((await reportOf('dagstaten', ...part, cookie)).totals, DAY_NAMES));
        useParts.push(
          figuresIn((await reportOf('inzet', ...part, cookie)).totals, [...USE_NAMES, ...USE_COSTS]),
        );
      }
      same('weeks and months = report', sumOf(dayParts, DAY_NAMES), total);
      same(
        'weeks and months = Inzet',
        sumOf(useParts, [...USE_NAMES, ...USE_COSTS]),
        figuresIn(use.totals, [...USE_NAMES, ...USE_COSTS]),
      );
    }

    const useFile = await csvOf('inzet', from, to, use.columns, cookie);
    const { rows: projects } = await portal.pool.query<{ id: number; name: string }>(
      'select id, name from project where organization_id = $1',
      [owner],
    );
    for (const [n, row] of use.rows.entries()) {
      const figures = figuresIn(row, [...USE_NAMES, 'coverage']);
      same('Inzet = file', figures, figuresIn(useFile[n] ?? {}, [...USE_NAMES, 'coverage']), 0.5);
      const id = projects.find(({ name }) => name === row.project)?.id;
      const answer = await portal.get(`/api/project/page?_id=${id}&firstDay=${from}&lastDay=${to}`, cookie);
      const page = answer.json() as ProjectPage;
      const hours = await reportOf('draaiuren', from, to, cookie, `&projects=[${id}]`);
      same(
        'Inzet = Draaiuren of the project',
        figuresIn(row, [...HOURS_NAMES, 'coverage']),
        figuresIn(hours.totals, [...HOURS_NAMES, 'coverage']),
      );
      expect(hours.rows.map(({ silent, project }) => [silent, project])).toEqual(
        hours.rows.map(() => [row.silent, row.project]),
      );
      expect(hours.rows.some((one) => 'meterFrom' in one)).toBe(false);
      const sum = (of: (day: ProjectPage['days'][number]) => number): number =>
        page.days.reduce((all, day) => all + of(day), 0);
      const silentMs = page.silentDays.reduce((all, { shiftMs }) => all + shiftMs, 0);
      const wholeMs = sum(({ windowMs }) => windowMs) + silentMs;
      same('Inzet = page of the project', figures, {
        days: page.days.filter(({ runningMs }) => runningMs >= 60_000).length,
        running: sum(({ runningMs }) => runningMs) / 1000,
        charging: sum(({ chargingMs }) => chargingMs) / 1000,
        used: sum(({ outKwh }) => outKwh ?? 0),
        charged: sum(({ chargedKwh }) => chargedKwh ?? 0),
        coverage: wholeMs > 0 ? floored(sum(({ windowHeardMs }) => windowHeardMs) / wholeMs) : 0,
      });
      expect(row.silent).toEqual(
        page.silentDays.length === 0
          ? ''
          : expect.stringMatching(
              new RegExp(`^${page.silentDays.length} van ${page.days.length + page.silentDays.length} `),
            ),
      );
    }

    const sessions = await reportOf('laadbeurten', from, to, cookie);
    const line = (
      await portal.get(`/api/report/laadbeurten?from=${from}&to=${to}`, cookie)
    ).json() as ReportAnswer;
    const note = line.notes.find((text) => text.startsWith('Laadbeurten ')) ?? '';
    const steps = [...note.matchAll(/([+−=]?) ?(?:Laadbeurten |Geladen )?([\d.]+,\d)/g)].map(
      ([, sign, value]) => (sign === '−' ? -1 : 1) * Number(value?.replaceAll('.', '').replace(',', '.')),
    );
    const ended = steps.pop() ?? 0;
    same('Laadbeurten leads to Geladen', { charged: steps.reduce((a, b) => a + b, 0) }, { charged: ended });
    same('Laadbeurten leads to Geladen', { charged: ended }, { charged: total.charged ?? 0 }, 0.0501);
    same(
      'Laadbeurten = its line',
      { charged: steps[0] ?? 0 },
      { charged: Number(sessions.totals.charged ?? 0) },
      0.0501,
    );

    if (!isOwn) return;
    const months = partsOf(from, to, isFirst);
    const shown: DailyFigures[] = [];
    for (const [first] of months) {
      const answer = await portal.get(`/api/influx/days/${serial}?month=${first.slice(0, 7)}`, cookie);
      shown.push(...(answer.json() as { days: DailyFigures[] }).days);
    }
    expect(shown).toHaveLength(days.rows.length);
    for (const [n, day] of shown.entries()) {
      const row = days.rows[n] ?? {};
      same('API = report', ofDay(day), figuresIn(row, DAY_NAMES));
      same(
        'API = report',
        { coverage: day.coverage === null ? 0 : floored(day.coverage) },
        figuresIn(row, ['coverage']),
      );
      expect([day.firstRunning, day.lastRunning, day.firstCharging, day.lastCharging]).toEqual(
        ['firstRunning', 'lastRunning', 'firstCharging', 'lastCharging'].map((name) => row[name]),
      );
    }
    if (machine.ownership.length > 1) return;
    const names = ['running', 'charging', 'used', 'charged', 'fedBack', 'distance', 'carried'];
    same('quarters = report', sumOf(await quartersOf(serial), names), sumOf([total], names));
  },
  180_000,
);
