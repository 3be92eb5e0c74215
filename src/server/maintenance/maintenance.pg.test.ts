import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { readMaintenance } from './maintenance.store.ts';

let a: AdminTestPortal;
let manager: string;
let user: string;
let other: string;
let streamId: number;
let serial: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  a.fleet.clock = Date.parse('2026-11-23T10:00:00Z');
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('baas@ander.nl', await a.portal.organization('ander'), 'beheerder');
  manager = await a.portal.login('baas@klant.nl');
  other = await a.portal.login('baas@ander.nl');
  user = a.fleet.cookie;
  ({ streamId, serialNumber: serial } = await a.fleet.newLogger());
  await setHourMeter(1_234.5);
});
afterAll(() => a.close());

/** Sets the hour meter: 1,000 initial hours, and the rest as running time. */
async function setHourMeter(hours: number): Promise<void> {
  await a.portal.pool.query('update machine set initial_hours = 1000 where stream_id = $1', [streamId]);
  await shardForStream(a.portal.pool, streamId).query(
    `insert into telemetry.latest (stream_id, total_running_ms) values ($1, $2)
     on conflict (stream_id) do update set total_running_ms = excluded.total_running_ms`,
    [streamId, Math.round((hours - 1_000) * 3_600_000)],
  );
}

const BIG = {
  planName: 'Grote beurt',
  everyHours: 500,
  everyMonths: 12,
  lastHours: 1_000,
  lastDay: '2026-03-01',
};
const get = (as = manager) => a.call('GET /api/maintenance/get', { as, query: { serial } });
const create = (part: object = {}, as = manager) =>
  a.call('POST /api/maintenance/create', { as, body: { ...BIG, serial, ...part } });
const edit = (_id: number, part: object = {}, as = manager) =>
  a.call('POST /api/maintenance/edit', { as, body: { ...BIG, _id, ...part } });
const done = (_id: number, part: object = {}, as = manager) =>
  a.call('POST /api/maintenance/done', {
    as,
    body: { _id, doneDay: '2026-11-23', doneHours: 1_234.5, doneNote: 'Olie ververst', ...part },
  });
const remove = (_id: number, as = manager) => a.call('POST /api/maintenance/delete', { as, body: { _id } });
const clear = async () => {
  for (const { _id } of (await get()).json.plans) await remove(_id);
};

test('a maintenance plan is created, done, changed and deleted, and its next due time is computed from when it was last done (16.1e)', async () => {
  expect((await get()).json).toEqual({ hours: 1_234.5, plans: [] });
  const { json } = await create();
  expect(json).toEqual({ message: 'Het onderhoud is toegevoegd.', _id: expect.any(Number) });
  const due = {
    state: 'ok',
    by: 'hours',
    dueHours: 1_500,
    hoursLeft: 265.5,
    dueDay: '2027-03-01',
    daysLeft: 98,
  };
  expect((await get(user)).json.plans).toEqual([
    { ...BIG, ...due, ofTemplate: null, _id: json._id, done: [] },
  ]);
  // The hour meter rises to 1,700, 200 hours after the plan was due; the machine sends no readings.
  await setHourMeter(1_700);
  expect((await readMaintenance(a.portal.pool, [streamId], a.fleet.clock)).get(streamId)).toEqual([
    expect.objectContaining({ planName: 'Grote beurt', state: 'due', by: 'hours', hoursLeft: -200 }),
  ]);
  expect((await done(json._id, { doneHours: 1_700 })).json).toEqual({ message: 'Genoteerd.' });
  const [after] = (await get()).json.plans;
  expect(after).toMatchObject({ state: 'ok', lastHours: 1_700, lastDay: '2026-11-23', dueHours: 2_200 });
  expect(after.done).toEqual([{ doneDay: '2026-11-23', doneHours: 1_700, doneNote: 'Olie ververst' }]);
  expect((await done(json._id, { doneHours: 1_700 })).message).toBe('Dit onderhoud is al genoteerd.');
  expect((await edit(json._id, { everyMonths: null, lastHours: 1_690 })).status).toBe(200);
  expect((await get()).json.plans[0]).toMatchObject({ dueHours: 2_190, dueDay: null, daysLeft: null });
  expect((await remove(json._id)).json).toEqual({ message: 'Het onderhoud is verwijderd.' });
  expect((await remove(json._id)).message).toBe('Dit onderhoud bestaat niet.');
  const { rows } = await a.portal.pool.query(
    `select action, subject, data, changes from audit where action like 'maintenance.%' order by id`,
  );
  expect(rows.map(({ action }) => action)).toEqual(
    ['create', 'done', 'edit', 'delete'].map((act) => `maintenance.${act}`),
  );
  expect(rows[1]).toMatchObject({
    subject: serial,
    data: { planName: 'Grote beurt' },
    changes: { lastHours: [1_000, 1_700], lastDay: ['2026-03-01', '2026-11-23'] },
  });
  await setHourMeter(1_234.5);
});

test('maintenance plans are sorted by when they are due, and by name if that is equal (16.1e)', async () => {
  for (const [planName, everyHours, everyMonths] of [
    ['Keuring 10', null, 12],
    ['Keuring 2', null, 12],
    ['Smeren', 250, null],
    ['Grote beurt', 1_000, null],
  ] as const)
    await create({ planName, everyHours, everyMonths });
  const { plans } = (await get()).json;
  expect(
    plans.map(({ planName, state }: { planName: string; state: string }) => `${planName} ${state}`),
  ).toEqual(['Smeren soon', 'Grote beurt ok', 'Keuring 2 ok', 'Keuring 10 ok']);
  await clear();
});

test.each<[string, object, string]>([
  [
    'no interval',
    { everyHours: null, everyMonths: null },
    'Elke zoveel draaiuren of maanden: vul minstens een van beide in.',
  ],
  ['0 hours', { everyHours: 0 }, 'Elke zoveel draaiuren is minstens 1.'],
  ['a month and a half', { everyMonths: 1.5 }, 'Elke zoveel maanden heeft een waarde die niet kan.'],
  ['no name', { planName: ' ' }, 'Onderhoud ontbreekt.'],
  ['a day that there is not', { lastDay: '2026-02-30' }, 'Laatste dag is geen datum.'],
  ['tomorrow', { lastDay: '2026-11-24' }, 'Laatste dag is nog niet geweest.'],
  [
    'a zero too much',
    { lastHours: 12_345 },
    'Urenstand toen is veel hoger dan de urenstand nu, 1.234,5 uur.',
  ],
])('a maintenance plan with %s is rejected with a sentence (16.1f)', async (_, part, message) => {
  const { json } = await create();
  for (const answer of [await create(part), await edit(json._id, part)])
    expect([answer.status, answer.message]).toEqual([400, message]);
  expect((await get()).json.plans).toHaveLength(1);
  await clear();
});

test('a record of maintenance that is dated before the previous record or in the future is rejected (16.1f)', async () => {
  const { json } = await create();
  for (const [part, message] of [
    [{ doneDay: '2026-11-24' }, 'Gedaan op is nog niet geweest.'],
    [{ doneDay: '2026-02-28' }, 'Gedaan op ligt voor de vorige keer, 01-03-2026.'],
    [{ doneHours: 999 }, 'Urenstand is lager dan de vorige keer, 1.000,0 uur.'],
    [{ doneHours: 12_345 }, 'Urenstand is veel hoger dan de urenstand nu, 1.234,5 uur.'],
    [{ doneNote: 'x'.repeat(501) }, 'Opmerking is te lang.'],
  ] as const) {
    const answer = await done(json._id, part);
    expect([answer.status, answer.message]).toEqual([400, message]);
  }
  // One of two simultaneous requests is recorded.
  const both = await Promise.all([1, 2].map(() => done(json._id)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await get()).json.plans[0].done).toHaveLength(1);
  for (let n = 1; n < 20; n += 1) expect((await create()).status).toBe(200);
  expect((await create()).message).toBe('Een machine heeft hoogstens 20 soorten onderhoud.');
  await clear();
});

test('maintenance plans are visible to their own organization only, and a machine that gets another owner begins without plans (16.1g)', async () => {
  const { json } = await create();
  expect((await get(other)).status).toBe(404);
  expect((await create({}, other)).status).toBe(404);
  const tries = async (as: string) =>
    Promise.all([edit(json._id, {}, as), done(json._id, {}, as), remove(json._id, as)]);
  for (const answer of await tries(other)) expect(answer.message).toBe('Dit onderhoud bestaat niet.');
  for (const answer of await tries(user)) expect(answer.status).toBe(403);
  const own = async (organization: string) => {
    await a.portal.pool.query(
      `update ownership set organization_id = (select id from organization where name = $2)
       where stream_id = $1 and valid_to = 'infinity'`,
      [streamId, organization],
    );
  };
  await own('ander');
  expect((await get(other)).json.plans).toEqual([]);
  for (const answer of await tries(other)) expect(answer.status).toBe(404);
  for (const answer of await tries(manager)) expect(answer.status).toBe(404);
  expect((await readMaintenance(a.portal.pool, [streamId], a.fleet.clock)).size).toBe(0);
  await own('klant');
  expect((await get()).json.plans).toHaveLength(1);
  expect((await a.call('DELETE /api/machine/delete', { query: { machine_serial: serial } })).status).toBe(
    200,
  );
  for (const answer of await tries(manager)) expect(answer.status).toBe(404);
});
