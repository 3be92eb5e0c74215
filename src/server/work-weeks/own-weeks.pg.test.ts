import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { isWorkAt, type WorkWeekOwner, workWeekAt } from '#shared/domain/alerts/work-calendar.ts';
import { DEFAULT_WORK_WEEK } from '#shared/domain/alerts/work-week.ts';
import { readCalendars } from './calendars.store.ts';

let a: AdminTestPortal;
let manager: string;
let user: string;
let other: string;
let number = 0;
let machine: { streamId: number; serial: string };
beforeAll(async () => {
  a = await AdminTestPortal.open();
  const otherId = await a.portal.organization('ander');
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('piet@klant.nl', a.fleet.organization);
  await a.portal.user('baas@ander.nl', otherId, 'beheerder');
  manager = await a.portal.login('baas@klant.nl');
  user = await a.portal.login('piet@klant.nl');
  other = await a.portal.login('baas@ander.nl');
});
afterAll(() => a.close());
beforeEach(async () => {
  for (const table of ['own_work_week', 'label', 'assignment'])
    await a.portal.pool.query(`delete from ${table}`);
  number += 1;
  const serial = `KR-${number}`;
  machine = { serial, streamId: await a.portal.machine(a.fleet.organization, { serial, batteries: [] }) };
});

const weekOf = (from: string, to: string) => ({
  workDays: Array(7).fill({ from, to }),
  nationalHolidays: false,
  ownHolidays: [],
});
const NIGHT = weekOf('22:00', '06:00');
const EVENING = weekOf('14:00', '23:00');
const ALWAYS = weekOf('00:00', '00:00');

const set = (by: WorkWeekOwner, target: unknown, week: object = NIGHT, as = manager, name = 'klant') =>
  a.call('POST /api/workweek/own/set', { as, body: { ...week, name, by, target: String(target) } });
const list = async (as = manager, query: object = {}) =>
  (await a.call('GET /api/workweek/own', { as, query: { name: 'klant', ...query } })).json;
const label = async (labelName: string): Promise<number> => {
  const made = await a.call('POST /api/label/create', {
    as: manager,
    body: { labelName, labelColour: 'blue' },
  });
  await a.call('POST /api/label/assign', {
    as: manager,
    body: { _id: made.json._id, serial: machine.serial },
  });
  return made.json._id;
};
const project = async (): Promise<number> => {
  const { rows } = await a.portal.pool.query(
    `insert into project (organization_id, name, first_day) values ($1, 'Sluis', '2020-01-01') returning id`,
    [a.fleet.organization],
  );
  const { id } = rows[0];
  await a.portal.pool.query(
    `insert into assignment (stream_id, project_id, valid_from, valid_to) values ($1, $2, now() - interval '1 day', 'infinity')`,
    [machine.streamId, id],
  );
  return id;
};
const calendar = async () => {
  const of = { streamId: machine.streamId, organizationId: a.fleet.organization };
  const now = Date.now();
  const calendars = await readCalendars(a.portal.pool, [of], { from: now, to: now });
  const own = calendars.get(machine.streamId);
  return own && workWeekAt(own, now);
};

test('the work week of a machine takes precedence over that of its project, then of its labels, then of the organization (53.6)', async () => {
  expect(await calendar()).toEqual(DEFAULT_WORK_WEEK);
  const labelId = await label('Nacht');
  expect((await set('label', labelId)).json).toEqual({
    by: 'label',
    target: String(labelId),
    targetName: 'Nacht',
    week: NIGHT,
  });
  expect(await calendar()).toEqual(NIGHT);
  const projectId = await project();
  await set('project', projectId, EVENING);
  expect(await calendar()).toEqual(EVENING);
  await set('machine', machine.serial, ALWAYS);
  expect(await calendar()).toEqual(ALWAYS);

  const { ownWeeks, holds } = await list(manager, { serialNumber: machine.serial });
  const winner = { by: 'machine', target: machine.serial, targetName: expect.any(String) };
  const lost = [{ serialNumber: machine.serial, alias: expect.any(String), winner }];
  expect(holds).toEqual(winner);
  expect(ownWeeks).toEqual([
    { ...winner, week: ALWAYS, machines: 1, overruled: [] },
    {
      by: 'project',
      target: String(projectId),
      targetName: 'Sluis',
      week: EVENING,
      machines: 0,
      overruled: lost,
    },
    { by: 'label', target: String(labelId), targetName: 'Nacht', week: NIGHT, machines: 0, overruled: lost },
  ]);
});

test('a machine with two labels has the work week of the label whose name comes first; the list shows the machine and that label (53.6)', async () => {
  const second = await label('Zuid');
  const first = await label('avond');
  await set('label', second, NIGHT);
  await set('label', first, EVENING);
  expect(await calendar()).toEqual(EVENING);
  const { ownWeeks } = await list();
  expect(ownWeeks[1]).toMatchObject({
    targetName: 'Zuid',
    machines: 0,
    overruled: [{ serialNumber: machine.serial, winner: { by: 'label', targetName: 'avond' } }],
  });
});

test('the deletion of a label, project or machine deletes its work week, and so does a sale (53.6)', async () => {
  const count = async () => (await a.portal.pool.query('select from own_work_week')).rowCount;
  const labelId = await label('Nacht');
  const projectId = await project();
  for (const [by, target] of [
    ['label', labelId],
    ['project', projectId],
    ['machine', machine.serial],
  ] as const)
    expect((await set(by, target)).status).toBe(200);
  expect(await count()).toBe(3);
  expect((await a.call('POST /api/label/delete', { as: manager, body: { _id: labelId } })).status).toBe(200);
  expect(await count()).toBe(2);
  expect((await a.call('POST /api/project/delete', { as: manager, body: { _id: projectId } })).status).toBe(
    200,
  );
  expect(await count()).toBe(1);
  const gone = await a.call('DELETE /api/machine/delete', {
    as: a.admin,
    query: { machine_serial: machine.serial },
  });
  expect(gone.status).toBe(200);
  expect(await count()).toBe(0);
});

test('only a manager of the organization sees and changes its work weeks, and only those of its own labels, projects and machines (53.6)', async () => {
  const labelId = await label('Nacht');
  expect((await set('label', labelId, NIGHT, user)).status).toBe(403);
  expect((await set('label', labelId, NIGHT, other)).status).toBe(404);
  for (const by of ['label', 'project', 'machine'] as const) {
    const target = by === 'machine' ? machine.serial : by === 'label' ? labelId : await project();
    expect([by, (await set(by, target, NIGHT, other, 'ander')).status]).toEqual([by, 404]);
    const query = { name: 'ander', by, target: String(target) };
    expect((await a.call('GET /api/workweek/own/get', { as: other, query })).status).toBe(404);
    expect((await a.call('POST /api/workweek/own/delete', { as: other, body: query })).status).toBe(404);
  }
  expect((await a.call('GET /api/workweek/own', { as: other, query: { name: 'klant' } })).status).toBe(404);
  expect((await set('label', 'drie')).message).toBe('Dit label bestaat niet.');
  expect((await set('label', labelId, weekOf('07:00', '07:00'))).message).toContain(
    'Maandag begint en eindigt op dezelfde tijd.',
  );
});

test('after the work week of a label is deleted that of the organization applies, and the log has both changes (53.6)', async () => {
  const labelId = await label('Nacht');
  const body = { name: 'klant', by: 'label', target: String(labelId) };
  await set('label', labelId);
  expect((await a.call('POST /api/workweek/own/delete', { as: manager, body })).json.week).toBe(null);
  expect((await a.call('POST /api/workweek/own/delete', { as: manager, body })).status).toBe(200);
  expect(await calendar()).toEqual(DEFAULT_WORK_WEEK);
  const { rows } = await a.portal.pool.query(
    `select action, data ->> 'weekOwner' as owner from audit where action like 'organization.own-week%' order by id desc limit 2`,
  );
  expect(rows).toEqual([
    { action: 'organization.own-week-delete', owner: 'label Nacht' },
    { action: 'organization.own-week', owner: 'label Nacht' },
  ]);
});

test('a machine with a work week of 24 hours a day is at work at any moment, also on holidays (53.6)', async () => {
  await set('machine', machine.serial, ALWAYS);
  const of = { streamId: machine.streamId, organizationId: a.fleet.organization };
  const range = { from: Date.parse('2026-12-24T00:00Z'), to: Date.parse('2026-12-27T00:00Z') };
  const own = (await readCalendars(a.portal.pool, [of], range)).get(machine.streamId);
  const isOff = Array.from({ length: 72 }, (_, hour) => range.from + hour * 3_600_000).filter(
    (ms) => own === undefined || !isWorkAt(own, ms),
  );
  expect(isOff).toEqual([]);
});
