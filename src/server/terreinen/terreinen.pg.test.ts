import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
let manager: string;
let other: string;
let viewer: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('kijk@klant.nl', a.fleet.organization, 'kijker');
  await a.portal.user('baas@ander.nl', await a.portal.organization('ander'), 'beheerder');
  manager = await a.portal.login('baas@klant.nl');
  viewer = await a.portal.login('kijk@klant.nl');
  other = await a.portal.login('baas@ander.nl');
});
afterAll(() => a.close());

const YARD = {
  terreinName: 'Werf Noord',
  terreinKind: 'yard',
  areas: [{ centre: { lat: 52.1, lon: 5.1 }, radiusMetres: 150 }],
};
const create = (changed: object = {}, as = manager) =>
  a.call('POST /api/terrein/create', { as, body: { ...YARD, ...changed } });
const made = async (changed: object = {}, as = manager): Promise<number> => {
  const { status, json } = await create(changed, as);
  expect(status).toBe(200);
  return json._id;
};
const edit = (_id: number, version: number, changed: object = {}, as = manager) =>
  a.call('POST /api/terrein/edit', { as, body: { ...YARD, ...changed, _id, version } });
const remove = (_id: number, as = manager) => a.call('POST /api/terrein/delete', { as, body: { _id } });
const listed = async (as = manager) => (await a.call('GET /api/terrein/get', { as })).json;
const namesOf = async (as = manager) =>
  (await listed(as)).map(({ terreinName }: { terreinName: string }) => terreinName);

/** Returns the corners of a polygon around Utrecht. */
const around = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const angle = (n / count) * 2 * Math.PI;
    return { lat: 52 + 0.01 * Math.sin(angle), lon: 5 + 0.01 * Math.cos(angle) };
  });

test('a beheerder creates, changes and deletes a terrein, and each call is logged (53.11)', async () => {
  const _id = await made({ terreinName: ' Depot West ', terreinKind: 'depot' });
  expect((await listed()).find((one: { _id: number }) => one._id === _id)).toEqual({
    _id,
    organization: 'klant',
    cleanorg: 'klant BV',
    terreinName: 'Depot West',
    terreinKind: 'depot',
    areas: YARD.areas,
    version: 1,
    machinesNow: 0,
  });
  expect(await edit(_id, 1, { terreinName: 'Depot Oost', terreinKind: null })).toMatchObject({
    status: 200,
    json: { version: 2 },
  });
  expect(await edit(_id, 1, { terreinName: 'Te laat' })).toMatchObject({ status: 409 });
  expect(await remove(_id)).toMatchObject({ status: 200 });
  expect(await remove(_id)).toMatchObject({ status: 404 });
  expect(await namesOf()).not.toContain('Depot Oost');
  expect(await a.audited()).toEqual(
    expect.arrayContaining([
      { actor: 'baas@klant.nl', action: 'terrein.create', subject: 'Depot West' },
      { actor: 'baas@klant.nl', action: 'terrein.edit', subject: 'Depot Oost' },
      { actor: 'baas@klant.nl', action: 'terrein.delete', subject: 'Depot Oost' },
    ]),
  );
});

test('a terrein of another organization is neither listed nor changed (53.11)', async () => {
  const _id = await made({ terreinName: 'Geheim' });
  expect(await namesOf(other)).not.toContain('Geheim');
  expect(await edit(_id, 1, {}, other)).toMatchObject({ status: 404 });
  expect(await remove(_id, other)).toMatchObject({ status: 404 });
  expect(await made({ terreinName: 'Geheim' }, other)).not.toBe(_id);
  expect(await namesOf(viewer)).toContain('Geheim');
  expect(await edit(_id, 1, {}, viewer)).toMatchObject({ status: 403 });
});

test('a name is unique within the organization, whatever its case, until its terrein is deleted (53.11)', async () => {
  const _id = await made({ terreinName: 'Loods' });
  const second = await made({ terreinName: 'Loods 2' });
  expect(await create({ terreinName: 'LOODS' })).toMatchObject({
    status: 409,
    json: { message: "Er is al een terrein 'LOODS'." },
  });
  expect(await edit(second, 1, { terreinName: 'loods' })).toMatchObject({ status: 409 });
  expect(await edit(_id, 1, { terreinName: 'LOODS' })).toMatchObject({ status: 200 });
  await remove(_id);
  expect(await create({ terreinName: 'loods' })).toMatchObject({ status: 200 });
});

test('two simultaneous calls create one terrein of a name (53.11)', async () => {
  const both = await Promise.all([create({ terreinName: 'Samen' }), create({ terreinName: 'samen' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test.each([
  ['no name', { terreinName: ' ' }, /ontbreekt/],
  ['a name of 121 characters', { terreinName: 'x'.repeat(121) }, /te lang/],
  ['a name with a control character', { terreinName: 'Werf\u0007' }, /onleesbaar/],
  ['no area', { areas: [] }, /ontbreken/],
  [
    'a polygon that crosses itself',
    { areas: [{ corners: [0, 2, 1, 3].map((n) => around(4)[n]) }] },
    /kruist zichzelf/,
  ],
  ['a polygon of 501 corners', { areas: [{ corners: around(501) }] }, /meer dan 500 hoeken/],
  ['21 areas', { areas: Array(21).fill(YARD.areas[0]) }, /hoogstens 20/],
  ['an unknown kind', { terreinKind: 'kantoor' }, /./],
])('a terrein with %s is rejected with 400 (53.11)', async (_, changed, message) => {
  const { status, json } = await create({ terreinName: 'Ongeldig', ...changed });
  expect(status).toBe(400);
  expect(JSON.stringify(json)).toMatch(message);
});

test('a polygon of 500 corners is accepted as a terrein (53.11)', async () => {
  const _id = await made({ terreinName: 'Rond', areas: [{ corners: around(500) }] });
  const found = (await listed()).find((one: { _id: number }) => one._id === _id);
  expect(found.areas[0].corners).toHaveLength(500);
});

test('an organization has at most 200 terreinen (53.11)', async () => {
  const organization = await a.portal.organization('vol');
  await a.portal.user('baas@vol.nl', organization, 'beheerder');
  const as = await a.portal.login('baas@vol.nl');
  await a.portal.pool.query(
    `insert into terrein (organization_id, name, areas, counted_from)
     select $1, 'Werf ' || n, '[]', now() from generate_series(1, 200) n`,
    [organization],
  );
  expect(await create({}, as)).toMatchObject({ status: 409 });
});
