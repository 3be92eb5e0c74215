import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { readFactorsOfOrganization } from './factors.store.ts';

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

const CO2 = {
  factorKind: 'co2',
  factorValue: 0.268,
  firstDay: '2026-01-01',
  factorSource: '=co2emissiefactoren.nl, 2026',
};
const DIESEL = {
  factorKind: 'diesel',
  factorValue: 9.5,
  firstDay: '2026-01-01',
  fromKw: 56,
  belowKw: 130,
  comparedTo: 'Graafmachine van 20 t, Stage V',
  factorSource: 'eigen tankbeurten 2025',
};
type Body = Readonly<Record<string, unknown>>;
const add = (body: Body, as = manager) => a.call('POST /api/report-factor/create', { as, body });
const edit = (body: Body, as = manager) => a.call('POST /api/report-factor/edit', { as, body });
const remove = (_id: number, as = manager) => a.call('POST /api/report-factor/delete', { as, body: { _id } });
const listed = async (as = manager): Promise<{ _id: number }[]> =>
  (await a.call('GET /api/report-factor/get', { as })).json;
const clear = async () => {
  for (const { _id } of await listed()) await remove(_id);
};

test('an organization sets the factors of its reports, nothing is preset, and each factor shows its source (14.3r)', async () => {
  expect(await listed()).toEqual([]);
  expect(await readFactorsOfOrganization(a.portal.pool, a.fleet.organization)).toEqual({
    co2: [],
    diesel: [],
  });
  const { json: co2 } = await add(CO2);
  const { json: diesel } = await add(DIESEL);
  expect(co2).toEqual({ message: 'De factor is opgeslagen.', _id: expect.any(Number) });
  const named = { organization: 'klant', cleanorg: 'klant BV' };
  expect(await listed(viewer)).toEqual([
    { ...CO2, fromKw: null, belowKw: null, comparedTo: '', ...named, _id: co2._id },
    { ...DIESEL, ...named, _id: diesel._id },
  ]);
  expect(await readFactorsOfOrganization(a.portal.pool, a.fleet.organization)).toEqual({
    co2: [{ kgPerKwh: 0.268, firstDay: '2026-01-01', source: CO2.factorSource }],
    diesel: [
      {
        litresPerHour: 9.5,
        firstDay: '2026-01-01',
        fromKw: 56,
        belowKw: 130,
        comparedTo: DIESEL.comparedTo,
        source: DIESEL.factorSource,
      },
    ],
  });
  const changed = await edit({ ...DIESEL, belowKw: null, factorValue: 11, _id: diesel._id });
  expect(changed.json).toEqual({ message: 'De factor is gewijzigd.' });
  expect((await listed()).find(({ _id }) => _id === diesel._id)).toMatchObject({
    belowKw: null,
    factorValue: 11,
  });
  expect((await remove(co2._id)).json).toEqual({ message: 'De factor is verwijderd.' });
  expect(await listed()).toHaveLength(1);
  expect((await edit({ ...CO2, _id: co2._id })).message).toBe('Deze factor bestaat niet.');
  const { rows } = await a.portal.pool.query(
    `select action, changes, subject from audit where action like 'report-factor.%' order by id`,
  );
  expect(rows).toEqual([
    expect.objectContaining({ action: 'report-factor.create', subject: 'klant' }),
    expect.objectContaining({ action: 'report-factor.create' }),
    {
      action: 'report-factor.edit',
      subject: 'klant',
      changes: { belowKw: [130, null], factorValue: [9.5, 11] },
    },
    expect.objectContaining({
      action: 'report-factor.delete',
      changes: expect.objectContaining({ factorValue: [0.268, null] }),
    }),
  ]);
  await clear();
});

test('a second report factor of a kind that begins on the same day is rejected, and a newer factor replaces an older one (14.3s)', async () => {
  const class1 = { ...DIESEL, fromKw: 0, belowKw: 56 };
  for (const one of [CO2, DIESEL, class1]) expect((await add(one)).status).toBe(200);
  const taken = await add({ ...CO2, factorValue: 0.3 });
  expect([taken.status, taken.message]).toEqual([409, 'Vanaf 01-01-2026 is er al een factor voor CO2.']);
  const overlap = 'Deze klasse overlapt met een andere die ook vanaf 01-01-2026 geldt.';
  for (const [fromKw, belowKw] of [
    [55.9, 56.1],
    [0, null],
    [129.9, null],
    [56, 130],
  ]) {
    const answer = await add({ ...DIESEL, fromKw, belowKw });
    expect([answer.status, answer.message]).toEqual([409, overlap]);
  }
  expect((await add({ ...DIESEL, fromKw: 130, belowKw: null })).status).toBe(200);
  expect((await add({ ...CO2, firstDay: '2026-07-01', factorValue: 0 })).status).toBe(200);
  expect((await add({ ...DIESEL, firstDay: '2026-07-01', fromKw: 40, belowKw: 80 })).status).toBe(200);
  // A factor does not conflict with itself.
  const [first] = await listed();
  expect((await edit({ ...CO2, firstDay: '2026-07-01', factorValue: 0.1, _id: first?._id })).status).toBe(
    200,
  );
  expect((await edit({ ...CO2, _id: first?._id })).status).toBe(409);
  // One of two simultaneous requests succeeds.
  const both = await Promise.all(
    [1, 2].map((value) => add({ ...CO2, firstDay: '2027-01-01', factorValue: value })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await clear();
});

test.each<[string, Body, string]>([
  ['a negative value', { ...CO2, factorValue: -0.1 }, 'Factor is minstens 0.'],
  ['no number', { ...CO2, factorValue: '0,3' }, 'Factor heeft een waarde die niet kan.'],
  ['1e9', { ...CO2, factorValue: 1e9 }, 'Factor is hoogstens 5.'],
  ['a list', { ...CO2, factorValue: [1] }, 'Factor heeft een waarde die niet kan.'],
  ['no source', { ...CO2, factorSource: ' ' }, 'Bron ontbreekt.'],
  ['a source of two lines', { ...CO2, factorSource: 'a\nb' }, 'Bron is onleesbaar.'],
  ['a long source', { ...CO2, factorSource: 'x'.repeat(201) }, 'Bron is te lang.'],
  ['no day', { ...CO2, firstDay: '2026-02-30' }, 'Eerste dag is geen datum.'],
  ['another kind', { ...CO2, factorKind: 'nox' }, 'Soort heeft een waarde die niet kan.'],
  ['a class of CO2', { ...CO2, fromKw: 0 }, 'Vermogen vanaf (kW) hoort niet bij CO2.'],
  ['no diesel', { ...DIESEL, factorValue: 0 }, 'Factor is meer dan 0.'],
  ['a lake', { ...DIESEL, factorValue: 501 }, 'Factor is hoogstens 500.'],
  ['no class', { ...DIESEL, fromKw: null }, 'Vermogen vanaf (kW) ontbreekt.'],
  ['an empty class', { ...DIESEL, belowKw: 56 }, 'Vermogen tot (kW) is niet meer dan waar de klasse begint.'],
  ['1e9 kW', { ...DIESEL, belowKw: 1e9 }, 'Vermogen tot (kW) is hoogstens 2000.'],
  ['no comparison', { ...DIESEL, comparedTo: '' }, 'Vergeleken met ontbreekt.'],
])('a factor with %s is rejected with a sentence (14.3t)', async (_, body, message) => {
  for (const answer of [await add(body), await edit({ ...body, _id: 1 })])
    expect([answer.status, answer.message]).toEqual([400, message]);
  expect(await listed()).toEqual([]);
});

test('report factors are visible to their own organization only, and an administrator must name the organization of a new factor (14.3u)', async () => {
  const { json } = await add(CO2);
  expect(await listed(other)).toEqual([]);
  expect((await edit({ ...CO2, _id: json._id }, other)).message).toBe('Deze factor bestaat niet.');
  expect((await remove(json._id, other)).status).toBe(404);
  // If a person who is no administrator names an organization in the body, the portal ignores it.
  expect((await add({ ...CO2, organization: 'klant' }, other)).status).toBe(200);
  expect(await listed()).toHaveLength(1);
  const refused = await add(CO2, a.admin);
  expect([refused.status, refused.message]).toEqual([400, 'Kies een organisatie.']);
  expect((await add({ ...CO2, organization: 'klant', firstDay: '2025-01-01' }, a.admin)).status).toBe(200);
  expect(await listed()).toHaveLength(2);
  expect((await readFactorsOfOrganization(a.portal.pool, a.fleet.organization)).co2).toHaveLength(2);
  expect(await listed(a.admin)).toHaveLength(3);
});
