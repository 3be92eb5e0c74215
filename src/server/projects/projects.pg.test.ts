import { afterAll, beforeAll, expect, test } from 'vitest';
import { Administration } from '#server/machines/test/administration.ts';

let a: Administration;
let manager: string;
let other: string;
beforeAll(async () => {
  a = await Administration.open();
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
  ['it ends before it starts', { lastDay: '2026-11-01' }, 'Laatste dag ligt voor de eerste dag.'],
  ['no day of the calendar', { firstDay: '2026-02-30' }, 'Eerste dag is geen datum.'],
  ['no name', { projectName: '  ' }, 'Naam ontbreekt.'],
  ['a long name', { projectName: 'x'.repeat(121) }, 'Naam is te lang.'],
  ['a name of two lines', { projectName: 'a\nb' }, 'Naam is onleesbaar.'],
])('14.1b %s is refused with a sentence', async (_, changed, message) => {
  const before = await listed();
  const answer = await create(changed);
  expect([answer.status, answer.message]).toEqual([400, message]);
  expect(await listed()).toEqual(before);
});

test('14.1a a beheerder makes, changes and deletes projects, and the log says so', async () => {
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

test('14.1c of two who change a project at once the second is told', async () => {
  const _id = await made();
  expect((await edit(_id, 1, { client: 'Waterschap' })).status).toBe(200);
  const second = await edit(_id, 1, { client: 'Provincie' });
  expect([second.status, second.message]).toEqual([
    409,
    'Iemand anders heeft dit project intussen gewijzigd. Laad de pagina opnieuw.',
  ]);
  expect(await find(_id)).toMatchObject({ client: 'Waterschap', version: 2 });
});

test('14.1d a project is its organization’s only; an administrator says of which one', async () => {
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

test('14.1e a machine is on one project at a time by hand, and on its own organization’s', async () => {
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
  // Not even by an administrator, who sees the machines of all.
  expect((await assign(theirs, serialNumber, '2027-01-01T00:00:00Z', null, a.admin)).status).toBe(404);

  const unassign = (as: string) =>
    a.call('POST /api/project/unassign', { as, body: { assignment: first.json.assignment } });
  expect((await unassign(other)).status).toBe(404);
  expect((await unassign(manager)).json).toEqual({ message: 'De toewijzing is verwijderd.' });
  expect((await unassign(manager)).message).toBe('Deze toewijzing bestaat niet.');
  expect((await assign(one, serialNumber, '2026-11-03T06:00:00Z', '2026-11-05T16:00:00Z')).status).toBe(200);
});
