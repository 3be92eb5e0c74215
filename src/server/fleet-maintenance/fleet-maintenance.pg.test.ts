import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { MaintenanceItem, MaintenanceList } from '#shared/contract/fleet-maintenance.ts';

let a: AdminTestPortal;
let manager: string;
let other: string;
let viewer: string;
type Machine = { readonly serial: string; readonly streamId: number };
const machines: Machine[] = [];
beforeAll(async () => {
  a = await AdminTestPortal.open();
  a.fleet.clock = Date.parse('2026-11-23T10:00:00Z');
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('kijk@klant.nl', a.fleet.organization, 'kijker');
  await a.portal.user('baas@ander.nl', await a.portal.organization('ander'), 'beheerder');
  manager = await a.portal.login('baas@klant.nl');
  viewer = await a.portal.login('kijk@klant.nl');
  other = await a.portal.login('baas@ander.nl');
  for (const [n, alias] of ['Kraan 10', 'Kraan 9', 'Shovel'].entries()) {
    const { streamId, serialNumber: serial } = await a.fleet.newLogger();
    await a.portal.pool.query('update stream set alias = $2 where id = $1', [streamId, alias]);
    await a.portal.pool.query('update machine set initial_hours = 1000 where stream_id = $1', [streamId]);
    machines[n] = { serial, streamId };
  }
  await plan(0, 'Grote beurt', { everyHours: 500, lastHours: 395 });
  await plan(0, 'Keuring', { everyMonths: 12, lastDay: '2026-06-01' });
  await plan(1, 'Grote beurt', { everyHours: 500, lastHours: 600 });
  await plan(1, 'Smeren', { everyHours: 100, lastHours: 970 });
  await plan(2, 'Keuring', { everyMonths: 12, lastDay: '2025-12-01' });
  // The machine runs 5 hours on each of 28 days.
  await days(1, 28, 5);
});
afterAll(() => a.close());

async function plan(
  n: number,
  planName: string,
  part: { everyHours?: number; everyMonths?: number; lastHours?: number; lastDay?: string },
): Promise<void> {
  const { status } = await a.call('POST /api/maintenance/create', {
    as: manager,
    body: {
      everyHours: null,
      everyMonths: null,
      lastHours: 0,
      lastDay: '2026-06-01',
      ...part,
      planName,
      serial: machines[n]?.serial ?? '',
    },
  });
  expect(status).toBe(200);
}

/** Stores running hours on each of these days before today. */
async function days(
  n: number,
  count: number,
  hours: number,
  organizationId = a.fleet.organization,
): Promise<void> {
  const { streamId } = machines[n] as Machine;
  await shardForStream(a.portal.pool, streamId).query(
    `insert into telemetry.day_figures (stream_id, day, organization_id, project_id, count, running_ms, charging_ms, idle_ms, out_mj, in_mj,
       charged_mj, distance_mm, heard_ms, known_ms, window_ms, window_heard_ms, cable_ms, run_known_ms, run_out_mj, run_in_mj, carried_mm, unused_no_fix,
       unused_null_island, unused_jumps)
     select $1, '2026-11-23'::date - d, $2, 0, 1, $3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 from generate_series(1, $4::integer) as d`,
    [streamId, organizationId, hours * 3_600_000, count],
  );
}

const list = (query: Record<string, string> = {}, as = manager) =>
  a.call('GET /api/maintenance/list', { as, query });
const named = ({ items }: MaintenanceList): string[] =>
  items.map(({ alias, planName, state }: MaintenanceItem) => `${alias}: ${planName} ${state}`);

const DUE = 'Kraan 10: Grote beurt due';
const SOON = 'Shovel: Keuring soon';
const LAST = 'Kraan 10: Keuring ok';
const ALL = [DUE, SOON, 'Kraan 9: Smeren ok', 'Kraan 9: Grote beurt ok', LAST];

test('the maintenance list has the tasks of all machines, overdue ones first, then those that are due soon (53.29)', async () => {
  const { json } = await list({}, viewer);
  expect(named(json)).toEqual(ALL);
  expect(json).toMatchObject({ isCut: false, counts: { due: 1, soon: 1, all: 5 } });
  expect(json.items[0]).toMatchObject({ hoursLeft: -105, hours: 1_000, dueHours: 895, expectedDay: null });
  // 70 hours at 35 a week take two weeks.
  expect(json.items[2]).toMatchObject({ hoursLeft: 70, hoursPerWeek: 35, expectedDay: '2026-12-07' });
  expect(json.items[4]).toMatchObject({
    dueDay: '2027-06-01',
    hoursPerWeek: null,
    expectedDay: '2027-06-01',
  });
});

test('the maintenance list is filtered by state, label, project, favourite and words, and sorted as requested (53.29)', async () => {
  expect(named((await list({ show: 'due' })).json)).toEqual([DUE]);
  expect(named((await list({ show: 'soon' })).json)).toEqual([SOON]);
  expect((await list({ show: 'soon' })).json.counts).toEqual({ due: 1, soon: 1, all: 5 });
  expect(named((await list({ text: 'shov keur' })).json)).toEqual([SOON]);
  expect(named((await list({ sort: 'machine' })).json).map((line) => line.split(':')[0])).toEqual([
    'Kraan 9',
    'Kraan 9',
    'Kraan 10',
    'Kraan 10',
    'Shovel',
  ]);
  expect((await list({ sort: 'last' })).json.items[0]).toMatchObject({ alias: 'Shovel' });
  expect((await list({ sort: 'task' })).json.items[0]).toMatchObject({ planName: 'Grote beurt' });
  const { _id: label } = (
    await a.call('POST /api/label/create', { as: manager, body: { labelName: 'Kade', labelColour: 'blue' } })
  ).json;
  const [, , shovel] = machines;
  await a.call('POST /api/label/assign', { as: manager, body: { _id: label, serial: shovel?.serial ?? '' } });
  expect(named((await list({ labels: JSON.stringify([label]) })).json)).toEqual([SOON]);
  await a.call('POST /api/favourite/add', { as: manager, body: { serial: shovel?.serial ?? '' } });
  expect(named((await list({ favourites: 'true' })).json)).toEqual([SOON]);
  expect((await list({ favourites: 'true' }, viewer)).json.items).toEqual([]);
  const { rows } = await a.portal.pool.query<{ id: number }>(
    `insert into project (organization_id, name, first_day, areas) values ($1, 'Sluis', '2026-01-01', '[]') returning id`,
    [a.fleet.organization],
  );
  await a.portal.pool.query(
    `insert into assignment (project_id, stream_id, valid_from) values ($1, $2, '2026-11-01')`,
    [rows[0]?.id, machines[0]?.streamId],
  );
  const project = String(rows[0]?.id);
  expect(named((await list({ project })).json)).toEqual([DUE, LAST]);
});

test('the running hours of a former owner do not count for the day on which maintenance is expected (53.29)', async () => {
  const { rows } = await a.portal.pool.query<{ id: number }>(
    `select id from organization where name = 'ander'`,
  );
  await days(0, 28, 9, rows[0]?.id);
  expect((await list({ text: 'kraan 10' })).json.items[0]).toMatchObject({ hoursPerWeek: null });
});

test.each([
  [{ labels: '[' }, 400, 'De labels zijn een JSON-lijst van nummers.'],
  [{ labels: '["a"]' }, 400, 'De labels zijn een JSON-lijst van nummers.'],
  [{ labels: '[999999]' }, 404, 'Dit label bestaat niet.'],
  [{ project: '999999' }, 404, 'Dit project bestaat niet.'],
  [{ show: 'later' }, 400, expect.stringContaining('is due, soon of all')],
] as const)(
  'the maintenance list rejects the filters %j with a sentence (53.29)',
  async (query, status, message) => {
    const answer = await list(query);
    expect([answer.status, answer.message]).toEqual([status, message]);
  },
);

test('the maintenance list and its file have the machines of the caller only, without sold and deleted ones (53.29)', async () => {
  expect((await list({}, other)).json).toEqual({
    items: [],
    isCut: false,
    counts: { due: 0, soon: 0, all: 0 },
  });
  const { rows } = await a.portal.pool.query<{ id: number }>(
    `insert into project (organization_id, name, first_day, areas)
     select id, 'Elders', '2026-01-01', '[]' from organization where name = 'ander' returning id`,
  );
  expect((await list({ project: String(rows[0]?.id) })).status).toBe(404);
  await a.portal.pool.query(
    `update ownership set organization_id = (select id from organization where name = 'ander')
     where stream_id = $1 and valid_to = 'infinity'`,
    [machines[2]?.streamId],
  );
  expect(named((await list()).json)).not.toContain(SOON);
  expect((await list({}, other)).json.items).toEqual([]);
  const { serial } = machines[1] as Machine;
  await a.call('DELETE /api/machine/delete', { query: { machine_serial: serial } });
  expect(named((await list()).json)).toEqual([DUE, LAST]);
});

test('the maintenance list is downloaded as CSV or Excel with every task that the filter selects, and the audit log names who downloaded it (53.29)', async () => {
  const file = (query: Record<string, string>, as = manager) =>
    a.portal.get(`/api/maintenance/file?${new URLSearchParams(query)}`, as);
  const csv = await file({ format: 'csv', show: 'due' });
  expect(csv.headers['content-disposition']).toBe('attachment; filename="onderhoud-2026-11-23.csv"');
  const [head = '', row = '', ...rest] = csv.body.split('\r\n');
  expect(head).toContain('"Machine";"Merk";"Model";"Serienummer";"Onderhoud";"Hoe vaak";"Wanneer"');
  expect(row).toContain(
    '"Grote beurt";"Elke 500 uur";"Nu nodig, 105 uur over tijd";-105;895;;;1000;;2026-06-01;395',
  );
  expect(rest.join()).not.toContain('Keuring');
  const xlsx = await file({ format: 'xlsx' });
  expect(xlsx.rawPayload.subarray(0, 2).toString()).toBe('PK');
  expect((await file({ format: 'pdf' })).statusCode).toBe(400);
  expect((await file({ format: 'csv' }, viewer)).statusCode).toBe(403);
  const { rows } = await a.portal.pool.query(
    `select data from audit where action = 'maintenance.export' order by id`,
  );
  expect(rows).toEqual([{ data: { format: 'csv' } }, { data: { format: 'xlsx' } }]);
});
