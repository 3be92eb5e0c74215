import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
let manager: string;
let user: string;
let other: string;
const serials: string[] = [];
const streams: number[] = [];
beforeAll(async () => {
  a = await AdminTestPortal.open();
  a.fleet.clock = Date.parse('2026-11-23T10:00:00Z');
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('baas@ander.nl', await a.portal.organization('ander'), 'beheerder');
  manager = await a.portal.login('baas@klant.nl');
  other = await a.portal.login('baas@ander.nl');
  user = a.fleet.cookie;
  for (const [brand, model] of [
    ['Volvo', 'ECR25'],
    ['VOLVO', 'ecr25'],
    ['Volvo', 'L25'],
  ]) {
    const { streamId, serialNumber } = await a.fleet.newLogger();
    await a.portal.pool.query(
      'update machine set brand = $2, model = $3, initial_hours = 100 where stream_id = $1',
      [streamId, brand, model],
    );
    serials.push(serialNumber);
    streams.push(streamId);
  }
});
afterAll(() => a.close());

const BIG = { planName: 'Grote beurt', everyHours: 500, everyMonths: 12 };
const GREASE = { planName: 'Smeren', everyHours: 50, everyMonths: null };
const post = (path: string, body: object, as = manager) =>
  a.call(`POST /api/maintenance/template/${path}` as 'POST /api/maintenance/template/edit', {
    as,
    body: body as never,
  });
const create = (tasks: readonly object[] = [BIG, GREASE], as = manager) =>
  post('create', { brand: 'Volvo', model: 'ECR25', tasks }, as);
const apply = (_id: number, part: object = {}, as = manager) => post('apply', { _id, ...part }, as);
const list = (as = manager) => a.call('GET /api/maintenance/template/get', { as });
const preview = (_id: number, as = manager) =>
  a.call('GET /api/maintenance/template/preview', { as, query: { _id: String(_id) } });
const plansOf = async (serial: string) =>
  (await a.call('GET /api/maintenance/get', { as: manager, query: { serial } })).json;
const clear = () =>
  a.portal.pool.query('with gone as (delete from maintenance_template) delete from maintenance_plan');

test('applying a template twice gives each machine of its model the missing tasks only once; model names may differ in letter case (53.29)', async () => {
  const [first = '', second = '', third = ''] = serials;
  await a.call('POST /api/maintenance/create', {
    as: manager,
    body: {
      ...GREASE,
      planName: 'smeren',
      everyHours: 20,
      serial: second,
      lastHours: 90,
      lastDay: '2026-11-01',
    },
  });
  const { json } = await create();
  expect(json).toEqual({ message: 'Het sjabloon is gemaakt.', _id: expect.any(Number) });
  expect((await preview(json._id)).json.machines).toEqual([
    expect.objectContaining({ serial: first, gets: ['Grote beurt', 'Smeren'], has: [], full: [] }),
    expect.objectContaining({ serial: second, gets: ['Grote beurt'], has: ['Smeren'], full: [] }),
  ]);
  expect((await plansOf(first)).offer).toEqual({ _id: json._id, tasks: ['Grote beurt', 'Smeren'] });
  expect((await plansOf(third)).offer).toBeUndefined();
  expect((await list()).json).toMatchObject([{ brand: 'Volvo', model: 'ECR25', machines: 2, lacking: 2 }]);
  expect((await apply(json._id)).json).toEqual({
    message: '2 machines kregen 3 taken.',
    machines: 2,
    plans: 3,
  });
  expect((await apply(json._id)).json.message).toBe('Alle machines hebben deze taken al.');
  expect((await plansOf(first)).plans).toMatchObject([
    { ...GREASE, lastHours: 100, lastDay: '2026-11-23', ofTemplate: 'follows' },
    { ...BIG, lastHours: 100, lastDay: '2026-11-23', ofTemplate: 'follows' },
  ]);
  expect((await plansOf(second)).plans).toMatchObject([
    { planName: 'smeren', everyHours: 20, lastHours: 90, ofTemplate: null },
    { planName: 'Grote beurt', ofTemplate: 'follows' },
  ]);
  expect((await plansOf(third)).plans).toEqual([]);
  expect((await plansOf(first)).offer).toBeUndefined();
  expect((await list()).json).toMatchObject([
    { machines: 2, lacking: 0, tasks: [{ follows: 2 }, { follows: 1 }] },
  ]);
  const { rows } = await a.portal.pool.query(
    `select action, subject, data from audit where action like 'maintenance%template%' order by id`,
  );
  expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
    ['maintenance-template.create', 'Volvo ECR25'],
    ['maintenance-template.apply', 'Volvo ECR25'],
    ['maintenance.from-template', first],
    ['maintenance.from-template', second],
  ]);
  expect(rows[2].data).toEqual({
    tasks: ['Grote beurt: elke 500 uur of 12 maanden', 'Smeren: elke 50 uur'],
  });
  await clear();
});

test('a task on a machine follows its template until its name or interval is changed on the machine (53.29)', async () => {
  const [first = '', second = ''] = serials;
  const { _id } = (await create()).json;
  await apply(_id);
  const [{ tasks }] = (await list()).json;
  const [, own] = (await plansOf(first)).plans;
  // An edit of only a plan's last maintenance does not count as a change of the task.
  const edit = (plan: typeof own, part: object) =>
    a.call('POST /api/maintenance/edit', {
      as: manager,
      body: {
        _id: plan._id,
        planName: plan.planName,
        everyHours: plan.everyHours,
        everyMonths: plan.everyMonths,
        lastHours: 60,
        lastDay: '2026-10-01',
        ...part,
      },
    });
  await edit(own, {});
  const [, elsewhere] = (await plansOf(second)).plans;
  await edit(elsewhere, { everyHours: 400 });
  const [big, grease] = tasks;
  const { message } = await post('edit', {
    _id,
    tasks: [
      { _id: grease._id, ...GREASE, planName: 'Grote beurt' },
      { _id: big._id, ...BIG, planName: 'Smeren', everyHours: 600 },
      { planName: 'Keuring', everyHours: null, everyMonths: 12 },
    ],
  });
  expect(message).toBe('Het sjabloon is gewijzigd. 3 taken op machines volgen.');
  expect((await plansOf(first)).plans).toMatchObject([
    { planName: 'Grote beurt', everyHours: 50, ofTemplate: 'follows' },
    { planName: 'Smeren', everyHours: 600, lastHours: 60, ofTemplate: 'follows' },
  ]);
  expect((await plansOf(second)).plans).toMatchObject([
    { planName: 'Grote beurt', everyHours: 50 },
    { planName: 'Grote beurt', everyHours: 400, ofTemplate: 'changed' },
  ]);
  expect((await preview(_id)).json.machines.map(({ gets }: { gets: string[] }) => gets)).toEqual([
    ['Keuring'],
    ['Keuring'],
  ]);
  // A task that leaves the template stays on the machines.
  await post('edit', { _id, tasks: [{ planName: 'Keuring', everyHours: null, everyMonths: 12 }] });
  expect((await plansOf(first)).plans).toMatchObject([{ ofTemplate: null }, { ofTemplate: null }]);
  expect((await post('delete', { _id })).message).toBe(
    'Het sjabloon is verwijderd. De taken blijven op de machines.',
  );
  expect((await plansOf(first)).plans).toHaveLength(2);
  await clear();
});

test('a machine that is added later is offered the tasks of a template, and a machine with 20 plans gets none (53.29)', async () => {
  const [first = '', , third = ''] = serials;
  const { _id } = (await create()).json;
  await apply(_id);
  await a.portal.pool.query(`update machine set model = 'ECR25' where stream_id = $1`, [streams[2]]);
  expect((await plansOf(third)).offer).toMatchObject({ tasks: ['Grote beurt', 'Smeren'] });
  await a.portal.pool.query(
    `insert into maintenance_plan (stream_id, organization_id, name, every_months, last_hours, last_day)
     select $1, organization_id, 'Taak ' || n, 1, 0, '2026-11-01' from ownership, generate_series(1, 19) as n
     where stream_id = $1 and valid_to = 'infinity'`,
    [streams[2]],
  );
  expect(
    (await preview(_id)).json.machines.find(({ serial }: { serial: string }) => serial === third),
  ).toMatchObject({
    gets: ['Grote beurt'],
    full: ['Smeren'],
  });
  expect((await apply(_id, { serials: [third.toLowerCase()] })).json).toMatchObject({
    machines: 1,
    plans: 1,
  });
  expect((await apply(_id)).json).toMatchObject({ machines: 0, plans: 0 });
  const missing = await apply(_id, { serials: [first, 'weg'] });
  expect([missing.status, missing.message]).toEqual([
    404,
    'Een van deze machines is niet van dit merk en model.',
  ]);
  await a.portal.pool.query(`update machine set model = 'L25' where stream_id = $1`, [streams[2]]);
  await clear();
});

test('two callers who apply a template at the same moment create each plan once (53.29)', async () => {
  const { _id } = (await create()).json;
  const both = await Promise.all([apply(_id), apply(_id)]);
  expect(both.map(({ json }) => json.plans).sort()).toEqual([0, 4]);
  await clear();
});

test.each<[string, readonly object[], string]>([
  ['no task', [], 'Taken ontbreken.'],
  [
    'a task without an interval',
    [{ ...BIG, everyHours: null, everyMonths: null }],
    'vul minstens een van beide in.',
  ],
  [
    'two tasks of one name',
    [BIG, { ...GREASE, planName: 'GROTE beurt' }],
    'Taken hebben twee keer dezelfde naam.',
  ],
  [
    '21 tasks',
    Array.from({ length: 21 }, (_, n) => ({ ...BIG, planName: `Taak ${n}` })),
    'Taken zijn er hoogstens 20.',
  ],
  ['a task of another template', [{ ...BIG, _id: 1 }], 'Een nieuw sjabloon heeft nieuwe taken.'],
])('a template with %s is rejected with a sentence (53.29)', async (_, tasks, message) => {
  const answer = await create(tasks);
  expect([answer.status, answer.message]).toEqual([400, expect.stringContaining(message)]);
});

test('maintenance templates are visible to their own organization only, and a user who may only look cannot change them (53.29)', async () => {
  const { _id } = (await create()).json;
  expect((await create()).message).toBe('Er is al een sjabloon voor Volvo ECR25.');
  expect((await list(user)).json).toHaveLength(1);
  expect((await list(other)).json).toEqual([]);
  expect((await preview(_id, other)).message).toBe('Dit sjabloon bestaat niet.');
  for (const answer of [
    await apply(_id, {}, other),
    await post('edit', { _id, tasks: [BIG] }, other),
    await post('delete', { _id }, other),
  ])
    expect([answer.status, answer.message]).toEqual([404, 'Dit sjabloon bestaat niet.']);
  for (const answer of [
    await create([BIG], user),
    await apply(_id, {}, user),
    await post('edit', { _id, tasks: [BIG] }, user),
    await post('delete', { _id }, user),
  ])
    expect(answer.status).toBe(403);
  // A machine that was sold gets no tasks of its former owner.
  await a.portal.pool.query(
    `update ownership set organization_id = (select id from organization where name = 'ander')
     where stream_id = $1 and valid_to = 'infinity'`,
    [streams[0]],
  );
  for (const as of [manager, a.admin]) expect((await preview(_id, as)).json.machines).toHaveLength(1);
  expect((await apply(_id)).json).toMatchObject({ machines: 1 });
});
