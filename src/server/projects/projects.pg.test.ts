import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { inTransaction } from '#server/platform/database.ts';
import { moveStream } from '#server/streams/streams.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';
import { markDaysOutdatedForProject } from './note-changes.ts';

let a: AdminTestPortal;
let manager: string;
let other: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('baas@ander.nl', await a.portal.organization('ander'), 'beheerder');
  manager = await a.portal.login('baas@klant.nl');
  other = await a.portal.login('baas@ander.nl');
});
afterAll(() => a.close());

const PROJECT = {
  projectName: 'Kade Noord',
  projectNumber: '2026-014',
  client: 'Gemeente Utrecht',
  firstDay: '2026-11-02',
  lastDay: '2026-12-18',
  areas: [{ centre: { lat: 52.1, lon: 5.1 }, radiusMetres: 150 }],
};
const SQUARE = [
  { lat: 52, lon: 5 },
  { lat: 52.001, lon: 5 },
  { lat: 52.001, lon: 5.002 },
  { lat: 52, lon: 5.002 },
];
const around = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const angle = (n / count) * 2 * Math.PI;
    return { lat: 52 + 0.01 * Math.sin(angle), lon: 5 + 0.01 * Math.cos(angle) };
  });

const create = (changed: object = {}, as = manager) =>
  a.call('POST /api/project/create', { as, body: { ...PROJECT, ...changed } });
const edit = (_id: number, version: number, changed: object = {}, as = manager) =>
  a.call('POST /api/project/edit', { as, body: { ...PROJECT, ...changed, _id, version } });
const made = async (changed: object = {}, as = manager): Promise<number> =>
  (await create(changed, as)).json._id;
const assign = (_id: number, serial: string, from: string, until: string | null, as = manager) =>
  a.call('POST /api/project/assign', { as, body: { _id, serial, from, until } });
const listed = async (as = manager) => (await a.call('GET /api/project/get', { as })).json;
const find = async (id: number) => (await listed()).find(({ _id }: { _id: number }) => _id === id);

test('the second of two simultaneous requests that assign a machine to different projects for the same time is rejected (14.1e)', async () => {
  const serial = 'DUBBEL-1';
  await a.machine(serial);
  const projects = [await made({ projectName: 'Eén' }), await made({ projectName: 'Twee' })];
  const lock = await a.portal.pool.connect();
  await lock.query('begin; lock table audit in share mode');
  const both = Promise.all(projects.map((id) => assign(id, serial, '2026-11-03T06:00:00Z', null)));
  await waitForLockWaits(a.portal.pool, 2);
  await lock.query('commit');
  lock.release();
  expect((await both).map(({ status }) => status).sort()).toEqual([200, 400]);
});

test.each([
  [
    'a polygon that crosses itself',
    { areas: [{ corners: [0, 2, 1, 3].map((n) => SQUARE[n]) }] },
    'Gebied 1 kruist zichzelf.',
  ],
  [
    'one of two corners',
    { areas: [{ corners: SQUARE.slice(0, 2) }] },
    'Gebied 1 heeft minder dan drie hoeken.',
  ],
  [
    'one without surface',
    { areas: [{ corners: [0, 1, 1].map((n) => SQUARE[n]) }] },
    'Gebied 1 kruist zichzelf.',
  ],
  [
    'the date line',
    { areas: [{ corners: SQUARE.map(({ lat, lon }) => ({ lat, lon: lon > 5 ? 179.999 : -179.999 })) }] },
    'Gebied 1 is breder dan 50 km.',
  ],
  ['10,000 corners', { areas: [{ corners: around(10_000) }] }, 'Gebied 1 heeft meer dan 500 hoeken.'],
  [
    '40,000 wrong corners',
    { areas: [{ corners: Array(40_000).fill(0) }] },
    'Gebied 1 heeft meer dan 500 hoeken.',
  ],
  ['10,001 corners', { areas: [{ corners: around(10_001) }] }, 'Gebied 1 heeft meer dan 500 hoeken.'],
  [
    'a circle of 9 m',
    { areas: [PROJECT.areas[0], { centre: SQUARE[0], radiusMetres: 9 }] },
    'Gebied 2 heeft een straal van minder dan 10 m.',
  ],
  [
    'a circle of 60 km',
    { areas: [{ centre: SQUARE[0], radiusMetres: 30_000 }] },
    'Gebied 1 is breder dan 50 km.',
  ],
  [
    'the pole',
    { areas: [{ centre: { lat: 89, lon: 5 }, radiusMetres: 50 }] },
    'Gebied 1 ligt niet op de kaart.',
  ],
  [
    'no number',
    { areas: [{ centre: { lat: 'x', lon: 5 }, radiusMetres: 50 }] },
    'Gebied 1 heeft een waarde die niet kan.',
  ],
  ['21 areas', { areas: Array(21).fill(PROJECT.areas[0]) }, 'Gebieden zijn er hoogstens 20.'],
  ['an end before its start', { lastDay: '2026-11-01' }, 'Laatste dag ligt voor de eerste dag.'],
  ['no day of the calendar', { firstDay: '2026-02-30' }, 'Eerste dag is geen datum.'],
  ['no name', { projectName: '  ' }, 'Naam ontbreekt.'],
  ['a long name', { projectName: 'x'.repeat(121) }, 'Naam is te lang.'],
  ['a name of two lines', { projectName: 'a\nb' }, 'Naam is onleesbaar.'],
])('a project with %s is rejected with a sentence (14.1b)', async (_, changed, message) => {
  const before = await listed();
  const answer = await create(changed);
  expect([answer.status, answer.message]).toEqual([400, message]);
  expect(await listed()).toEqual(before);
});

test('a beheerder creates, changes and deletes projects, each with a row in the log (14.1a)', async () => {
  const _id = await made({ projectName: '=1+1', areas: [] });
  expect(await find(_id)).toEqual({
    ...PROJECT,
    _id,
    projectName: '=1+1',
    areas: [],
    organization: 'klant',
    cleanorg: 'klant BV',
    version: 1,
    machinesNow: 0,
    left: 0,
  });
  const changed = await edit(_id, 1, { projectName: 'Kade Zuid', lastDay: null });
  expect([changed.status, changed.json]).toEqual([200, { message: 'Het project is gewijzigd.', version: 2 }]);
  expect(await find(_id)).toMatchObject({ projectName: 'Kade Zuid', lastDay: null, version: 2 });
  const deleted = await a.call('POST /api/project/delete', { as: manager, body: { _id } });
  expect(deleted.json).toEqual({
    message: 'Het project is verwijderd. Rapporten van toen blijven het noemen.',
  });
  expect(await find(_id)).toBeUndefined();
  expect((await edit(_id, 2)).status).toBe(404);
  expect(await a.audited()).toEqual(
    expect.arrayContaining([
      { actor: 'baas@klant.nl', action: 'project.create', subject: '=1+1' },
      { actor: 'baas@klant.nl', action: 'project.edit', subject: 'Kade Zuid' },
      { actor: 'baas@klant.nl', action: 'project.delete', subject: 'Kade Zuid' },
    ]),
  );
});

test('the second of two users who change a project at the same time gets a conflict (14.1c)', async () => {
  const _id = await made();
  expect((await edit(_id, 1, { client: 'Waterschap' })).status).toBe(200);
  const second = await edit(_id, 1, { client: 'Provincie' });
  expect([second.status, second.message]).toEqual([
    409,
    'Iemand anders heeft dit project intussen gewijzigd. Laad de pagina opnieuw.',
  ]);
  expect(await find(_id)).toMatchObject({ client: 'Waterschap', version: 2 });
});

test('a project is visible to its own organization only, and an administrator must name the organization of a new project (14.1d)', async () => {
  const _id = await made();
  expect((await listed(other)).map((project: { _id: number }) => project._id)).not.toContain(_id);
  for (const answer of [
    await edit(_id, 1, {}, other),
    await a.call('POST /api/project/delete', { as: other, body: { _id } }),
    await assign(_id, 'M-1', '2026-11-02T08:00:00Z', null, other),
  ])
    expect([answer.status, answer.message]).toEqual([404, 'Dit project bestaat niet.']);
  const theirs = await made({ organization: 'klant' }, other);
  expect((await listed()).map((project: { _id: number }) => project._id)).not.toContain(theirs);
  for (const organization of [undefined, 'admin', 'onbekend']) {
    const refused = await create({ organization }, a.admin);
    expect([refused.status, refused.message]).toEqual([400, 'Kies een organisatie.']);
  }
  const ofAdmin = await made({ organization: 'klant' }, a.admin);
  expect(await find(ofAdmin)).toMatchObject({ organization: 'klant' });
});

test('an LMB logging customer has no projects: its beheerder may not create them, and an administrator cannot create one for it (14.1l)', async () => {
  const { portal } = a;
  await portal.user(
    'baas@spoor.nl',
    await portal.organization('spoor', { isLmbCustomer: true }),
    'beheerder',
  );
  const boss = await portal.login('baas@spoor.nl');
  expect((await create({}, boss)).status).toBe(403);
  const refused = await create({ organization: 'spoor' }, a.admin);
  expect([refused.status, refused.message]).toEqual([400, 'Kies een organisatie.']);
  const { rows } = await portal.pool.query(
    `select from project p join organization o on o.id = p.organization_id where o.name = 'spoor'`,
  );
  expect(rows).toEqual([]);
});

test('a machine is on one project at a time by hand, and only on one of its own organization (14.1e)', async () => {
  const one = await made({ projectName: 'Een' });
  const two = await made({ projectName: 'Twee' });
  const { serialNumber } = await a.fleet.newLogger();
  const first = await assign(one, serialNumber, '2026-11-03T06:00:00Z', '2026-11-05T16:00:00Z');
  expect(first.json).toMatchObject({ message: 'De machine staat op het project.' });
  expect((await assign(two, serialNumber, '2026-11-05T16:00:00Z', null)).status).toBe(200);
  const refusals: [string, string, string | null, string][] = [
    [
      serialNumber,
      '2026-11-05T15:59:59Z',
      '2026-11-05T16:00:00Z',
      "De machine staat dan al met de hand op project 'Een'.",
    ],
    [serialNumber, '2026-12-01T00:00:00Z', null, "De machine staat dan al met de hand op project 'Twee'."],
    [serialNumber, '2026-11-02T08:00:00Z', '2026-11-02T08:00:00Z', 'Tot ligt niet na Van.'],
    ['ONBEKEND', '2026-11-02T08:00:00Z', null, 'Deze machine bestaat niet.'],
    [serialNumber, 'gisteren', null, 'Van heeft een waarde die niet kan.'],
  ];
  for (const [serial, from, until, message] of refusals)
    expect((await assign(one, serial, from, until)).message).toBe(message);
  const theirs = await made({}, other);
  expect((await assign(theirs, serialNumber, '2027-01-01T00:00:00Z', null, other)).message).toBe(
    'Deze machine bestaat niet.',
  );
  // An administrator, who sees the machines of all organizations, cannot assign a machine to another organization's project either.
  expect((await assign(theirs, serialNumber, '2027-01-01T00:00:00Z', null, a.admin)).status).toBe(404);

  const unassign = (as: string) =>
    a.call('POST /api/project/unassign', { as, body: { assignment: first.json.assignment } });
  expect((await unassign(other)).status).toBe(404);
  expect((await unassign(manager)).json).toEqual({ message: 'De toewijzing is verwijderd.' });
  expect((await unassign(manager)).message).toBe('Deze toewijzing bestaat niet.');
  expect((await assign(one, serialNumber, '2026-11-03T06:00:00Z', '2026-11-05T16:00:00Z')).status).toBe(200);
});

const AT = Date.UTC(2026, 10, 10, 8);
const MINUTE = 60_000;
const CENTRE = { lat: 51.5, lon: 4.5 };
/** Stores readings of half an hour of work at a place, one each 30 s; without a position if `at` is undefined. */
const work = (streamId: number, from: number, at: { lat: number; lon: number } | undefined) =>
  Array.from({ length: 61 }, (_, n) => ({
    streamId,
    time: from + n * 30_000,
    signals: {
      MotorSpeed: 900,
      BatteryVoltage: 400,
      BatteryCurrent: 50,
      ...(at && { LATITUDE: at.lat, LONGITUDE: at.lon }),
    },
  }));
async function store(readings: ReturnType<typeof work>): Promise<void> {
  const { pool } = a.portal;
  await openPartitions(pool, () => AT).ensure(
    readings.map(({ time }) => time),
    undefined,
  );
  await storeReadings(pool, readings);
  // The worker computes the days some seconds later.
  await computeUntilUpToDate(pool, readings[0]?.streamId as number);
}
const page = async (_id: number, as = manager, query: Record<string, string> = {}) =>
  (
    await a.call('GET /api/project/page', {
      as,
      query: { _id: String(_id), firstDay: '2026-11-01', lastDay: '2026-11-30', ...query },
    })
  ).json;
/** Waits until no recomputation that may concern the project is pending. */
const allComputed = (_id: number) =>
  expect.poll(async () => (await page(_id)).project.left, { timeout: 20_000, interval: 50 }).toBe(0);

test('the page of a project shows which machines are on it now and their figures per day, which a change of the project recomputes (14.1f)', async () => {
  a.fleet.clock = AT + 60 * MINUTE;
  const [near, far, hand] = [await a.fleet.newLogger(), await a.fleet.newLogger(), await a.fleet.newLogger()];
  await store(work(near.streamId, AT, CENTRE));
  await store(work(near.streamId, AT + 30 * MINUTE, undefined).slice(1));
  await store(work(far.streamId, AT, { ...CENTRE, lat: 51.6 }));
  await store(work(hand.streamId, AT, undefined));
  const area = { centre: CENTRE, radiusMetres: 100 };
  const _id = await made({ firstDay: '2026-11-10', lastDay: null, areas: [area] });
  await allComputed(_id);
  const { assignment } = (await assign(_id, hand.serialNumber, '2026-11-10T08:10:00Z', null)).json;
  await allComputed(_id);
  const shown = await page(_id);
  expect(shown.project).toMatchObject({ _id, machinesNow: 2, left: 0 });
  expect(shown.now).toEqual([
    {
      serial: near.serialNumber,
      since: '2026-11-10T08:00:00.000Z',
      byHand: false,
      // Here the last five buckets, from 8:35 to 9:00, have no position.
      unseenMs: 25 * MINUTE,
    },
    { serial: hand.serialNumber, since: '2026-11-10T08:10:00.000Z', byHand: true, unseenMs: 0 },
  ]);
  expect(shown.assignments).toEqual([
    { assignment, serial: hand.serialNumber, from: '2026-11-10T08:10:00.000Z', until: null },
  ]);
  const day = {
    day: '2026-11-10',
    chargingMs: 0,
    chargedKwh: 0,
    isProvisional: true,
  };
  expect(shown.days).toEqual([
    {
      ...day,
      serial: near.serialNumber,
      runningMs: 60 * MINUTE,
      outKwh: 20,
      knownMs: 60 * MINUTE,
      heardMs: 60 * MINUTE,
      windowMs: 60 * MINUTE,
      windowHeardMs: 60 * MINUTE,
    },
    {
      ...day,
      serial: hand.serialNumber,
      runningMs: 20 * MINUTE,
      outKwh: expect.closeTo(20 / 3, 9),
      knownMs: 20 * MINUTE,
      heardMs: 20 * MINUTE,
      windowMs: 20 * MINUTE,
      windowHeardMs: 20 * MINUTE,
    },
  ]);

  // The machine sends a newer reading whose day is not computed yet. The page still shows the machine on the project.
  const { rows } = await a.portal.pool.query(
    `select time + interval '1 minute' as time from latest where stream_id = $1`,
    [near.streamId],
  );
  await inEachShard(
    a.portal.pool,
    'update telemetry.latest set time = $2, updated_at = now() where stream_id = $1',
    [near.streamId, rows[0].time],
  );
  expect((await page(_id)).project.machinesNow).toBe(2);
  await computeUntilUpToDate(a.portal.pool, near.streamId);

  // Seven days later no late readings are expected any more, so the figures are final.
  a.fleet.clock = AT + 8 * 86_400_000;
  expect((await page(_id)).days.map((one: { isProvisional: boolean }) => one.isProvisional)).toEqual([
    false,
    false,
  ]);
  // The area lies elsewhere now, and no machine is assigned by hand.
  await a.call('POST /api/project/unassign', { as: manager, body: { assignment } });
  const moved = { centre: { ...CENTRE, lat: 51.6 }, radiusMetres: 100 };
  await edit(_id, 1, { firstDay: '2026-11-10', lastDay: null, areas: [moved] });
  await allComputed(_id);
  const after = await page(_id);
  expect(after.days.map(({ serial }: { serial: string }) => serial)).toEqual([far.serialNumber]);
  expect(after.now.map(({ serial }: { serial: string }) => serial)).toEqual([far.serialNumber]);
});

test.each([
  ['another organization’s', {}, () => other, 'Dit project bestaat niet.'],
  ['401 days', { firstDay: '2025-10-26' }, () => manager, 'Kies een periode van 1 tot 400 dagen.'],
  [
    'the end before the beginning',
    { lastDay: '2026-10-31' },
    () => manager,
    'Kies een periode van 1 tot 400 dagen.',
  ],
  ['no number', { _id: 'x' }, () => manager, '_id heeft een waarde die niet kan.'],
])('the page of a project, %s, is rejected (14.1g)', async (_, query, who, message) => {
  expect((await page(await made(), who(), query as Record<string, string>)).message).toBe(message);
});

test('a change of areas recomputes only machines that it can affect, from the first affected time (14.1h)', async () => {
  const [near, far, hand] = [await a.fleet.newLogger(), await a.fleet.newLogger(), await a.fleet.newLogger()];
  const place = { lat: 53.1, lon: 6.5 };
  await store(work(near.streamId, AT, place));
  await store(work(far.streamId, AT, { ...place, lat: 53.2 }));
  await store(work(hand.streamId, AT, undefined));
  const _id = await made({ firstDay: '2026-11-01', lastDay: null, areas: [] });
  await assign(_id, hand.serialNumber, '2026-11-10T08:10:00Z', null);
  const before = { firstDay: '2026-11-01', lastDay: null, areas: [] };
  const after = {
    ...before,
    areas: [{ corners: [place, { ...place, lat: 53.101 }, { ...place, lon: 6.501 }] }],
  };
  const rolledBack = inTransaction(a.portal.pool, async (client) => {
    const project = { id: _id, organizationId: a.fleet.organization };
    // The lock on the day cursors stops the computation of all machines.
    await inEachShard(client, 'select from telemetry.day_cursor order by stream_id for update');
    await inEachShard(client, 'delete from telemetry.changed_history');
    const recomputations = await markDaysOutdatedForProject(client, (work) => work(client), project, [
      before,
      after,
    ]);
    const touched: number[] = [];
    for (const { streamId, isTouched } of recomputations) if (await isTouched?.()) touched.push(streamId);
    const { rows } = await client.query(
      `select stream_id as id, date_part('epoch', from_time) * 1000 as "from" from changed_history order by 1`,
    );
    throw Object.assign(new Error('done'), { touched, rows });
  });
  const found = await rolledBack.catch((error) => error);
  expect(found.message).toBe('done');
  expect(new Set(found.touched)).toEqual(new Set([near.streamId, hand.streamId]));
  expect(found.rows).toHaveLength(2);
  expect(found.rows).toEqual(
    expect.arrayContaining([
      { id: near.streamId, from: AT },
      { id: hand.streamId, from: Date.parse('2026-11-01T00:00+01:00') },
    ]),
  );
});

test('the page of a project leaves out the figures of a machine from after its sale, and hides the name that the buyer gave it (14.1i)', async () => {
  const { serialNumber, streamId } = await a.fleet.newLogger();
  const place = { lat: 50.9, lon: 5.8 };
  await store(work(streamId, AT, place));
  const area = { centre: place, radiusMetres: 100 };
  const _id = await made({ firstDay: '2026-11-01', lastDay: null, areas: [area] });
  const { rows } = await a.portal.pool.query(`select id from organization where name = 'ander'`);
  await moveStream(a.portal.pool, streamId, rows[0].id, new Date(AT + 10 * MINUTE));
  const theirs = await made({ firstDay: '2026-11-01', lastDay: null, areas: [area] }, other);
  const days = async (project: number, as: string) => (await page(project, as)).days;
  await expect
    .poll(() => days(theirs, other), { timeout: 20_000 })
    .toEqual([expect.objectContaining({ serial: serialNumber, runningMs: 20 * MINUTE })]);
  expect(await days(_id, manager)).toEqual([expect.objectContaining({ runningMs: 9.5 * MINUTE })]);
  await a.portal.pool.query(
    `update stream set serial = 'NIEUW-VAN-KOPER', alias = 'Van de koper' where id = $1`,
    [streamId],
  );
  const shown = await page(_id);
  expect(shown.now).toEqual([]);
  const transferred = `Overgedragen machine ${streamId}`;
  expect(shown.machines).toEqual([{ serial: transferred, alias: '' }]);
  expect(shown.days).toMatchObject([{ serial: transferred }]);
  expect(JSON.stringify(shown)).not.toMatch(/NIEUW-VAN-KOPER|Van de koper/);
  // The present owner sees the machine by its present name.
  expect((await page(theirs, other)).machines).toEqual([
    { serial: 'NIEUW-VAN-KOPER', alias: 'Van de koper' },
  ]);
});

test('a user with the role kijker and limited hours sees only in working hours which machines are on a project by position (14.1j)', async () => {
  const { streamId } = await a.fleet.newLogger();
  const place = { lat: 52.7, lon: 6.2 };
  await store(work(streamId, AT, place));
  a.fleet.clock = AT + 40 * MINUTE;
  const areas = [{ centre: place, radiusMetres: 100 }];
  const _id = await made({ firstDay: '2026-11-01', lastDay: null, areas });
  await allComputed(_id);
  await a.portal.user('kijker@klant.nl', a.fleet.organization, 'kijker');
  const kijker = await a.portal.login('kijker@klant.nl');
  const seen = async (as: string) => {
    const { project, now } = await page(_id, as);
    return [project.machinesNow, now.length];
  };
  expect(await seen(kijker)).toEqual([1, 1]);
  // The clock stands at 9:30 on a Tuesday in Amsterdam, which is before these hours.
  const hours = { days: [1, 2, 3, 4, 5], from: '10:00', to: '16:00' };
  await a.call('POST /api/organization/privacy', {
    as: manager,
    body: { name: 'klant', routesFrom: 'kijker', viewerHours: hours, positionDays: null },
  });
  // Each process learns of the change within about a second.
  await expect.poll(() => seen(kijker), { timeout: 10_000 }).toEqual([0, 0]);
  expect(await seen(manager)).toEqual([1, 1]);
});
