import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';

let portal: TestPortal;
let cookie: string;
let owner: number;
let project: number;
beforeAll(async () => {
  portal = await testPortal();
  owner = await portal.organization('graaf');
  await portal.user('g@graaf.example', owner);
  cookie = await portal.login('g@graaf.example');
  const { rows } = await portal.pool.query<{ id: number }>(
    `insert into project (organization_id, name, first_day, last_day, areas) values ($1, 'Kade', '2026-05-25', '2026-06-14', $2) returning id`,
    [owner, JSON.stringify([{ centre: { lat: 52, lon: 5 }, radiusMetres: 500 }])],
  );
  project = rows[0]?.id as number;
});
afterAll(() => portal.close());

/** Creates a machine that ran on the project from 10 to 11 o'clock in Amsterdam on these days of June 2026. */
async function machine(serial: string, days: readonly number[]): Promise<number> {
  const streamId = await portal.machine(owner, { serial, alias: serial });
  const readings = days.flatMap((day) =>
    Array.from({ length: 61 }, (_, n) => ({
      time: Date.UTC(2026, 5, day, 8, n),
      signals: { LATITUDE: 52, LONGITUDE: 5, MotorSpeed: 900, BatteryCurrent: 100, BatteryVoltage: 400 },
    })),
  );
  await storeTestReadings(portal.pool, streamId, readings);
  await computeUntilUpToDate(portal.pool);
  return streamId;
}

const JUNE = { from: '2026-06-01', to: '2026-06-14' };
async function useOf(query: Readonly<Record<string, string>> = JUNE) {
  const answer = await portal.get(`/api/report/inzet?${new URLSearchParams(query)}`, cookie);
  expect(answer.statusCode, answer.body).toBe(200);
  const { columns, rows, notes } = answer.json() as ReportAnswer;
  const at = (key: string) => columns.findIndex((column) => column.key === key);
  return {
    notes,
    rows: rows.map((row) => ['alias', 'days', 'coverage', 'silent'].map((key) => row[at(key)])),
  };
}

test('days without data of a machine on a project lower the coverage in the report, its files and the page of the project (53.4)', async () => {
  // The machine ran for an hour on each day from Monday to Thursday and sent nothing on the next ten days, which have six shifts of 10 h: 4
  // h of 64 h are covered.
  await machine('K-1', [1, 2, 3, 4]);
  const hand = await portal.machine(owner, { serial: 'K-2', alias: 'K-2' });
  await portal.pool.query(
    'insert into assignment (project_id, stream_id, valid_from, valid_to) values ($1, $2, $3, $4)',
    [project, hand, new Date('2026-06-02T22:00Z'), new Date('2026-06-07T22:00Z')],
  );
  const report = await useOf();
  expect(report.rows).toEqual([
    ['K-1', 4, 6.2, '10 van 14 dagen zonder gegevens'],
    ['K-2', 0, 0, '5 van 5 dagen zonder gegevens'],
  ]);
  expect(report.notes.join('\n')).toContain('Dekking van alles: 4,2 %. De cijfers zijn onvolledig.');
  const csv = await portal.get(
    `/api/report/inzet/file?${new URLSearchParams({ ...JUNE, format: 'csv' })}`,
    cookie,
  );
  expect(csv.body).toContain(';6,2;"10 van 14 dagen zonder gegevens";');

  const page = await portal.get(
    `/api/project/page?_id=${project}&firstDay=${JUNE.from}&lastDay=${JUNE.to}`,
    cookie,
  );
  const { silentDays } = page.json() as ProjectPage;
  const of = (serial: string) => silentDays.filter((one) => one.serial === serial);
  expect(of('K-1').map(({ day, shiftMs }) => [day.slice(8), shiftMs / 3_600_000])).toEqual([
    ...[['05', 10]],
    ...[
      ['06', 0],
      ['07', 0],
      ['08', 10],
      ['09', 10],
      ['10', 10],
      ['11', 10],
      ['12', 10],
    ],
    ...[
      ['13', 0],
      ['14', 0],
    ],
  ]);
  expect(of('K-2').map(({ day }) => day.slice(8))).toEqual(['03', '04', '05', '06', '07']);
});

test('the report Draaiuren shows the number of days without data, and a report of one project names the project in its table, notes and file (53.4)', async () => {
  const hours = async (query: Readonly<Record<string, string>>) => {
    const answer = await portal.get(`/api/report/draaiuren?${new URLSearchParams(query)}`, cookie);
    expect(answer.statusCode, answer.body).toBe(200);
    const { columns, rows, notes } = answer.json() as ReportAnswer;
    const keys = columns.map(({ key }) => key);
    const cells = (row: (typeof rows)[number], ...names: string[]) =>
      names.map((name) => row[keys.indexOf(name)]);
    return { keys, notes, rows: rows.map((row) => cells(row, 'alias', 'running', 'silent')) };
  };
  const all = await hours(JUNE);
  expect(all.rows).toEqual([
    ['K-1', 4 * 3600, '10 van 14 dagen zonder gegevens'],
    ['K-2', 0, '14 van 14 dagen zonder gegevens'],
  ]);
  expect(all.keys).not.toContain('project');
  const query = { ...JUNE, projects: `[${project}]` };
  const ofProject = await hours(query);
  expect(ofProject.rows).toEqual([['K-1', 4 * 3600, '10 van 14 dagen zonder gegevens']]);
  expect(ofProject.keys).toContain('project');
  expect(ofProject.keys).not.toContain('meterFrom');
  expect(ofProject.notes).toContain('Project: Kade.');
  const file = await portal.get(
    `/api/report/draaiuren/file?${new URLSearchParams({ ...query, format: 'csv' })}`,
    cookie,
  );
  expect(file.headers['content-disposition']).toBe(
    'attachment; filename="draaiuren-kade-2026-06-01-2026-06-14.csv"',
  );
  expect(file.body).toContain('"Kade"');
});

test('days between a machine’s entry in the portal and its first data count as days without data on the project of its first position (53.4)', async () => {
  const streamId = await machine('K-3', [4]);
  const silent = async (query: Readonly<Record<string, string>>) =>
    (await useOf({ ...query, machines: '["K-3"]' })).rows.map((row) => row[3]);
  const early = { from: '2026-05-20', to: '2026-06-03' };
  expect(await silent(early)).toEqual([]);
  await portal.pool.query('update stream set created_at = $2 where id = $1', [streamId, '2026-05-01']);
  expect(await silent(early)).toEqual(['10 van 10 dagen zonder gegevens']);
  expect(await silent({ from: '2026-06-02', to: '2026-06-04' })).toEqual(['2 van 3 dagen zonder gegevens']);
  // The project has ended, so the machine is on no project.
  expect(await silent({ from: '2026-06-15', to: '2026-06-20' })).toEqual([]);
});

test('days without data of a former owner do not count for the next owner (53.4)', async () => {
  const streamId = await machine('K-4', [4]);
  await portal.pool.query('update stream set created_at = $2 where id = $1', [streamId, '2026-05-01']);
  await portal.pool.query(
    'insert into assignment (project_id, stream_id, valid_from, valid_to) values ($1, $2, $3, $4)',
    [project, streamId, new Date('2026-05-31T22:00Z'), new Date('2026-06-14T22:00Z')],
  );
  const bought = new Date('2026-06-02T22:00Z');
  const { pool } = portal;
  await pool.query('update ownership set valid_from = $2 where stream_id = $1', [streamId, bought]);
  await pool.query('insert into ownership (stream_id, organization_id, valid_to) values ($1, $2, $3)', [
    streamId,
    await portal.organization('hijs'),
    bought,
  ]);
  expect((await useOf({ ...JUNE, to: '2026-06-04', machines: '["K-4"]' })).rows).toEqual([
    ['K-4', 1, 9, '1 van 2 dagen zonder gegevens'],
  ]);
});

test("a day without data counts as uncovered for the working hours of the machine's own work week (53.4)", async () => {
  const streamId = await machine('K-9', [1, 2, 3, 4]);
  const day = { from: '07:00', to: '12:00' };
  const week = { workDays: [day, day, day, day, day, null, null], nationalHolidays: false, ownHolidays: [] };
  await portal.pool.query(
    'insert into own_work_week (organization_id, stream_id, week) values ($1, $2, $3)',
    [owner, streamId, JSON.stringify(week)],
  );
  const { rows } = await useOf();
  // 4 h with data, and six silent shifts of 5 h: 4 h of 34 h are covered.
  expect(rows.find(([alias]) => alias === 'K-9')?.[2]).toBe(11.7);
});
