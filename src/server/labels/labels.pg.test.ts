import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { inTransaction } from '#server/platform/database.ts';
import { moveStream } from '#server/streams/streams.store.ts';
import type { Labels } from '#shared/contract/labels.ts';
import { removeLabelsAtSale } from './labels.store.ts';

let a: AdminTestPortal;
let viewer: string;
let other: string;
let stream: number;
let elsewhere: number;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.user('kijk@klant.nl', a.fleet.organization, 'kijker');
  elsewhere = await a.portal.organization('ander');
  await a.portal.user('b@ander.nl', elsewhere);
  viewer = await a.portal.login('kijk@klant.nl');
  other = await a.portal.login('b@ander.nl');
  stream = await a.portal.machine(a.fleet.organization, { serial: 'L-1' });
  await a.portal.machine(a.fleet.organization, { serial: 'L-2' });
  await a.portal.machine(elsewhere, { serial: 'A-1' });
});
afterAll(() => a.close());

const user = () => a.fleet.cookie;
type Body = Readonly<Record<string, unknown>>;
const create = (labelName: unknown, more: Body = {}, as = user()) =>
  a.call('POST /api/label/create', { as, body: { labelName, labelColour: 'blue', ...more } });
const made = async (labelName: string, more: Body = {}, as = user()): Promise<number> =>
  (await create(labelName, more, as)).json._id;
const edit = (_id: number, changed: Body, as = user()) =>
  a.call('POST /api/label/edit', { as, body: { _id, ...changed } });
const remove = (_id: number, as = user()) => a.call('POST /api/label/delete', { as, body: { _id } });
const assign = (_id: number, serial: string, as = user()) =>
  a.call('POST /api/label/assign', { as, body: { _id, serial } });
const unassign = (_id: number, serial: string, as = user()) =>
  a.call('POST /api/label/unassign', { as, body: { _id, serial } });
const favourite = (what: 'add' | 'remove', serial: string, as = user()) =>
  a.call(`POST /api/favourite/${what}`, { as, body: { serial } });
const listed = async (as = user()): Promise<Labels> => (await a.call('GET /api/label/get', { as })).json;
const find = async (id: number, as = user()) => (await listed(as)).labels.find(({ _id }) => _id === id);
const clear = async () => {
  for (const as of [user(), other]) {
    const { labels, favourites } = await listed(as);
    for (const { _id } of labels) await remove(_id, as);
    for (const serial of favourites) await favourite('remove', serial, as);
  }
};
const newestOfLog = async (count: number) => {
  const { rows } = await a.portal.pool.query(
    'select action, subject, data, changes from audit order by id desc limit $1',
    [count],
  );
  return rows.reverse();
};

test('a permitted user creates, assigns, unassigns, renames, recolours and deletes labels, each with a row in the audit log (15.2a)', async () => {
  const _id = await made('  =Zand \u0065\u0301 wal  ');
  expect(await listed()).toEqual({
    labels: [
      {
        _id,
        labelName: '=Zand é wal',
        labelColour: 'blue',
        organization: 'klant',
        cleanorg: 'klant BV',
        machines: [],
      },
    ],
    favourites: [],
  });
  for (const serial of ['L-2', 'l-1', 'L-1'])
    expect((await assign(_id, serial)).json).toEqual({ message: 'De machine draagt het label.' });
  expect((await find(_id))?.machines).toEqual(['L-1', 'L-2']);
  expect((await edit(_id, { labelName: 'Kade' })).json).toEqual({ message: 'Het label is gewijzigd.' });
  await edit(_id, { labelColour: 'red' });
  expect(await find(_id)).toMatchObject({ labelName: 'Kade', labelColour: 'red', machines: ['L-1', 'L-2'] });
  for (const _ of ['once', 'twice'])
    expect((await unassign(_id, 'L-2')).json).toEqual({ message: 'De machine draagt het label niet meer.' });
  expect((await find(_id))?.machines).toEqual(['L-1']);
  expect((await remove(_id)).json).toEqual({ message: 'Het label is verwijderd.' });
  expect((await listed()).labels).toEqual([]);
  expect(await newestOfLog(7)).toEqual([
    {
      action: 'label.create',
      subject: '=Zand é wal',
      data: {},
      changes: { labelName: [null, '=Zand é wal'], labelColour: [null, 'blue'] },
    },
    { action: 'label.assign', subject: 'L-2', data: { name: '=Zand é wal' }, changes: {} },
    { action: 'label.assign', subject: 'L-1', data: { name: '=Zand é wal' }, changes: {} },
    { action: 'label.edit', subject: 'Kade', data: {}, changes: { labelName: ['=Zand é wal', 'Kade'] } },
    { action: 'label.edit', subject: 'Kade', data: {}, changes: { labelColour: ['blue', 'red'] } },
    { action: 'label.unassign', subject: 'L-2', data: { name: 'Kade' }, changes: {} },
    {
      action: 'label.delete',
      subject: 'Kade',
      data: {},
      changes: { labelName: ['Kade', null], labelColour: ['red', null] },
    },
  ]);
});

test.each([
  [{ labelName: ' ' }, 'Naam ontbreekt.'],
  [{ labelName: 'x'.repeat(31) }, 'Naam is te lang.'],
  [{ labelName: 'a\nb' }, 'Naam is onleesbaar.'],
  [{ labelName: 'a\u202eb' }, 'Naam is onleesbaar.'],
  [{ labelColour: 'pink' }, 'Kleur heeft een waarde die niet kan.'],
  [{ labelColour: undefined }, 'Kleur ontbreekt.'],
])('a label with %j is rejected with a sentence (15.2b)', async (changed, message) => {
  const answer = await create('Kade', changed);
  expect([answer.status, answer.message]).toEqual([400, message]);
  expect((await listed()).labels).toEqual([]);
});

test('label names that differ only in case and spaces count as one name in an organization, also for simultaneous requests (15.2b)', async () => {
  const taken = (name: string) => ({ status: 409, message: `Er is al een label '${name}'.` });
  const both = await Promise.all([create('Zwaar  werk'), create('ZWAAR werk')]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await create('zwaar WERK')).toMatchObject(taken('zwaar WERK'));
  const _id = await made('Licht');
  expect(await edit(_id, { labelName: 'zwaar werk' })).toMatchObject(taken('zwaar werk'));
  expect((await edit(_id, { labelName: 'LICHT' })).status).toBe(200);
  expect((await create('Licht', {}, other)).status).toBe(200);
  await clear();
});

test('an organization has at most 200 labels and a machine 20, and more are rejected with a message (15.2c)', async () => {
  const { rows } = await a.portal.pool.query<{ id: number }>(
    `insert into label (organization_id, name, colour) select $1, 'nr ' || n, 'grey' from generate_series(1, 199) n returning id`,
    [a.fleet.organization],
  );
  const last = await Promise.all([create('voorlaatste'), create('laatste')]);
  expect(last.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(last.find(({ status }) => status === 409)?.message).toBe(
    'Een organisatie heeft hoogstens 200 labels.',
  );
  const given = await Promise.all(rows.slice(0, 21).map(({ id }) => assign(id, 'L-1')));
  expect(given.map(({ status }) => status).sort()).toEqual([...Array(20).fill(200), 409]);
  expect(given.find(({ status }) => status === 409)?.message).toBe('Een machine draagt hoogstens 20 labels.');
  expect((await listed()).labels.filter(({ machines }) => machines.length > 0)).toHaveLength(20);
  expect((await create('Van ander', {}, other)).status).toBe(200);
  await a.portal.pool.query('delete from label');
});

test('labels are visible to their own organization only, and an administrator must choose the organization of a label, which only machines of that organization can get (15.2d)', async () => {
  const own = await made('Eigen');
  const theirs = await made('Van hen', { organization: 'klant' }, other);
  await assign(theirs, 'A-1', other);
  expect((await listed()).labels.map(({ _id }) => _id)).toEqual([own]);
  expect((await listed(other)).labels.map(({ _id, machines }) => [_id, machines])).toEqual([
    [theirs, ['A-1']],
  ]);
  expect(
    (await listed(a.admin)).labels.map(({ labelName, organization }) => [labelName, organization]),
  ).toEqual([
    ['Eigen', 'klant'],
    ['Van hen', 'ander'],
  ]);
  for (const answer of [
    await edit(theirs, { labelName: 'Gekaapt' }),
    await remove(theirs),
    await assign(theirs, 'L-1'),
    await unassign(theirs, 'A-1'),
    await edit(999_999, { labelName: 'Gekaapt' }),
  ])
    expect([answer.status, answer.message]).toEqual([404, 'Dit label bestaat niet.']);
  for (const answer of [
    await assign(own, 'A-1'),
    await unassign(own, 'A-1'),
    await assign(own, 'nergens'),
    await assign(own, 'A-1', a.admin),
    await favourite('add', 'A-1'),
    await favourite('remove', 'A-1'),
  ])
    expect([answer.status, answer.message]).toEqual([404, 'Deze machine bestaat niet.']);
  expect(await find(theirs, other)).toMatchObject({ labelName: 'Van hen', machines: ['A-1'] });
  expect(await create('X', {}, a.admin)).toMatchObject({ status: 400, message: 'Kies een organisatie.' });
  const byAdmin = await made('Van beheer', { organization: 'klant' }, a.admin);
  expect((await assign(byAdmin, 'L-1', a.admin)).status).toBe(200);
  expect(await find(byAdmin)).toMatchObject({ organization: 'klant', machines: ['L-1'] });
  await clear();
});

test('a user with the role kijker sees labels and cannot change them (15.2e)', async () => {
  const _id = await made('Kade');
  await assign(_id, 'L-1');
  expect((await find(_id, viewer))?.machines).toEqual(['L-1']);
  for (const answer of [
    await create('Zelf', {}, viewer),
    await edit(_id, { labelName: 'Zelf' }, viewer),
    await remove(_id, viewer),
    await assign(_id, 'L-2', viewer),
    await unassign(_id, 'L-1', viewer),
  ])
    expect(answer.status).toBe(403);
  expect((await find(_id))?.machines).toEqual(['L-1']);
  await clear();
});

test('each person has their own favourites, also with the role kijker, and they are deleted with the account (15.2f)', async () => {
  for (const _ of ['once', 'twice'])
    expect((await favourite('add', 'l-2', viewer)).json).toEqual({ message: 'De machine is een favoriet.' });
  await favourite('add', 'A-1', a.admin);
  expect((await listed(viewer)).favourites).toEqual(['L-2']);
  expect((await listed(a.admin)).favourites).toEqual(['A-1']);
  expect((await listed()).favourites).toEqual([]);
  expect(await newestOfLog(2)).toEqual([
    { action: 'favourite.add', subject: 'L-2', data: {}, changes: {} },
    { action: 'favourite.add', subject: 'A-1', data: {}, changes: {} },
  ]);
  const { json: data } = await a.call('GET /api/account/data', { as: viewer });
  expect(data.favorieten).toEqual(['L-2']);
  expect((await favourite('remove', 'A-1', a.admin)).json).toEqual({
    message: 'De machine is geen favoriet meer.',
  });
  expect((await listed(a.admin)).favourites).toEqual([]);
  await a.portal.user('weg@klant.nl', a.fleet.organization);
  await favourite('add', 'L-1', await a.portal.login('weg@klant.nl'));
  expect((await a.call('DELETE /api/user/delete', { query: { email: 'weg@klant.nl' } })).status).toBe(200);
  expect(
    (await a.portal.pool.query('select stream_id from favourite where stream_id = $1', [stream])).rows,
  ).toEqual([]);
  await favourite('remove', 'L-2', viewer);
});

test('a machine that moves to another organization begins without labels, and favourites of the former owner end (15.2g)', async () => {
  await a.machine('M-1');
  const _id = await made('Kade');
  await assign(_id, 'M-1');
  for (const as of [user(), a.admin]) await favourite('add', 'M-1', as);
  const move = async (bedrijf: string, from: string) => {
    a.fleet.clock += 1_000;
    expect((await a.sell('M-1', bedrijf, { from })).status).toBe(200);
  };
  await move('ander', 'klant');
  expect(await listed()).toMatchObject({ labels: [{ machines: [] }], favourites: [] });
  expect(await listed(other)).toEqual({ labels: [], favourites: [] });
  expect((await listed(a.admin)).favourites).toEqual(['M-1']);
  await move('klant', 'ander');
  expect(await listed()).toMatchObject({ labels: [{ machines: [] }], favourites: [] });
  await favourite('remove', 'M-1', a.admin);
  await clear();
});

test('labels and favourites of the former owner are not shown (15.2g)', async () => {
  const own = await made('Kade');
  await a.portal.pool.query(
    `insert into machine_label (label_id, stream_id) select $1, id from stream where serial = 'A-1'`,
    [own],
  );
  await a.portal.pool.query(
    `insert into favourite (account_id, stream_id) select a.id, s.id from account a, stream s where a.email = 'a@klant.nl' and s.serial = 'A-1'`,
  );
  expect(await listed()).toMatchObject({ labels: [{ machines: [] }], favourites: [] });
  expect((await find(own, a.admin))?.machines).toEqual([]);
  await a.portal.pool.query('delete from favourite');
  await clear();
});

test('a label for a machine that moves at the same moment is rejected (15.2g)', async () => {
  const _id = await made('Kade');
  const { pool } = a.portal;
  const machine = await a.portal.machine(a.fleet.organization, { serial: 'M-2' });
  const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from stream%'`;
  const given = await inTransaction(pool, async (client) => {
    await client.query('select from stream where id = $1 for no key update', [machine]);
    const asked = [assign(_id, 'M-2'), favourite('add', 'M-2')];
    await expect.poll(async () => (await pool.query(waiting)).rows[0].n, { timeout: 5_000 }).toBe(2);
    await moveStream(client, machine, elsewhere, new Date());
    await removeLabelsAtSale(client, machine);
    return { asked };
  });
  expect((await Promise.all(given.asked)).map(({ status }) => status)).toEqual([404, 404]);
  expect((await pool.query('select from machine_label')).rowCount).toBe(0);
  expect((await pool.query('select from favourite')).rowCount).toBe(0);
  await clear();
});

test('a machine that is deleted and restored has its labels again (15.2h)', async () => {
  await a.machine('D-1');
  const _id = await made('Kade');
  await assign(_id, 'D-1');
  await favourite('add', 'D-1');
  await a.call('DELETE /api/machine/delete', { query: { machine_serial: 'D-1' } });
  expect(await listed()).toMatchObject({ labels: [{ machines: [] }], favourites: [] });
  const { json } = await a.call('GET /api/machine/get/deleted');
  const body = { _id: json.find(({ serialNumber }: { serialNumber: string }) => serialNumber === 'D-1')._id };
  expect((await a.call('POST /api/machine/restore', { body })).status).toBe(200);
  expect(await listed()).toMatchObject({ labels: [{ machines: ['D-1'] }], favourites: ['D-1'] });
  await clear();
});

test('two simultaneous requests to label a machine lose no label (15.2i)', async () => {
  const ids = await Promise.all(['A', 'B', 'C', 'D'].map((name) => made(name)));
  await Promise.all(ids.map((id) => assign(id, 'L-1')));
  await Promise.all([unassign(ids[0] as number, 'L-1'), ...ids.slice(1).map((id) => assign(id, 'L-2'))]);
  expect((await listed()).labels.map(({ machines }) => machines)).toEqual([
    [],
    ['L-1', 'L-2'],
    ['L-1', 'L-2'],
    ['L-1', 'L-2'],
  ]);
  await clear();
});
