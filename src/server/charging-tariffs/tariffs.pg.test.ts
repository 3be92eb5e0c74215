import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

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

const TARIFF = {
  terreinId: null,
  firstDay: '2026-01-01',
  lastDay: null,
  dayPrice: 0.24505,
  nightPrice: 0.18,
  nightFrom: 23,
  nightTo: 7,
  nightWeekend: true,
};
type Body = Readonly<Record<string, unknown>>;
const add = (body: Body, as = manager) => a.call('POST /api/charging-tariff/create', { as, body });
const edit = (body: Body, as = manager) => a.call('POST /api/charging-tariff/edit', { as, body });
const remove = (_id: number, as = manager) =>
  a.call('POST /api/charging-tariff/delete', { as, body: { _id } });
const listed = async (as = manager): Promise<{ _id: number }[]> =>
  (await a.call('GET /api/charging-tariff/get', { as })).json;
const clear = async () => {
  for (const { _id } of await listed(a.admin)) await remove(_id, a.admin);
};

test('a tariff is added, changed and deleted, each with a row in the log, and every user of the organization sees it (53.32)', async () => {
  expect(await listed()).toEqual([]);
  const { json: made } = await add(TARIFF);
  expect(made).toEqual({ message: 'Het laadtarief is opgeslagen.', _id: expect.any(Number) });
  const named = { organization: 'klant', cleanorg: 'klant BV', terreinName: null };
  expect(await listed(viewer)).toEqual([{ ...TARIFF, ...named, _id: made._id }]);
  const { json: fixed } = await add({ firstDay: '2026-06-01', dayPrice: 0.3 });
  expect((await listed()).map(({ _id }) => _id)).toEqual([fixed._id, made._id]);
  const changed = await edit({ ...TARIFF, lastDay: '2026-03-31', dayPrice: 0.25, _id: made._id });
  expect(changed.json).toEqual({ message: 'Het laadtarief is gewijzigd.' });
  expect((await remove(fixed._id)).json).toEqual({ message: 'Het laadtarief is verwijderd.' });
  expect((await edit({ ...TARIFF, _id: fixed._id })).message).toBe('Dit laadtarief bestaat niet.');
  const { rows } = await a.portal.pool.query(
    `select action, changes, subject from audit where action like 'charging-tariff.%' order by id`,
  );
  expect(rows).toEqual([
    expect.objectContaining({ action: 'charging-tariff.create', subject: 'klant' }),
    expect.objectContaining({ action: 'charging-tariff.create' }),
    {
      action: 'charging-tariff.edit',
      subject: 'klant',
      changes: { lastDay: [null, '2026-03-31'], dayPrice: [0.24505, 0.25] },
    },
    expect.objectContaining({
      action: 'charging-tariff.delete',
      changes: expect.objectContaining({ dayPrice: [0.3, null] }),
    }),
  ]);
  await clear();
});

test('a second tariff that begins on the same day is rejected, also for simultaneous requests (53.32)', async () => {
  const { json } = await add(TARIFF);
  const taken = await add({ ...TARIFF, dayPrice: 0.1 });
  expect([taken.status, taken.message]).toEqual([409, 'Vanaf 01-01-2026 is er al een laadtarief.']);
  expect((await edit({ ...TARIFF, dayPrice: 0.1, _id: json._id })).status).toBe(200);
  const both = await Promise.all([1, 2].map((dayPrice) => add({ firstDay: '2027-01-01', dayPrice })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await clear();
});

test('a terrein has its own tariffs in addition to those of its organization, and only a terrein of that organization can have them (53.32)', async () => {
  const { rows } = await a.portal.pool.query<{ id: number }>(
    `insert into terrein (organization_id, name, areas, counted_from)
     select o.id, o.name || '-werf', '[]', now() from organization o where o.name in ('klant', 'ander') order by o.name = 'klant' desc returning id`,
  );
  const [own, foreign] = rows.map(({ id }) => id);
  await add(TARIFF);
  expect((await add({ ...TARIFF, terreinId: own })).status).toBe(200);
  const taken = await add({ ...TARIFF, terreinId: own });
  expect([taken.status, taken.message]).toEqual([
    409,
    'Vanaf 01-01-2026 is er al een laadtarief voor dit terrein.',
  ]);
  for (const terreinId of [foreign, 7]) {
    const refused = await add({ ...TARIFF, terreinId });
    expect([refused.status, refused.message]).toEqual([400, 'Kies een terrein van deze organisatie.']);
  }
  const all = (await listed()) as { _id: number; terreinName: string | null }[];
  expect(all.map(({ terreinName }) => terreinName)).toEqual([null, 'klant-werf']);
  // A deleted terrein keeps its tariff for earlier charges, and takes no new tariff.
  await a.portal.pool.query('update terrein set deleted_at = now() where id = $1', [own]);
  const kept = all[1]?._id as number;
  expect((await edit({ ...TARIFF, terreinId: own, dayPrice: 0.4, _id: kept })).status).toBe(200);
  expect((await add({ ...TARIFF, firstDay: '2026-05-01', terreinId: own })).status).toBe(400);
  await clear();
});

test.each<[string, Body, string]>([
  ['a price below nothing', { ...TARIFF, dayPrice: -0.1 }, 'Prijs per kWh is minstens 0.'],
  ['text', { ...TARIFF, dayPrice: '0,3' }, 'Prijs per kWh heeft een waarde die niet kan.'],
  ['25 euro', { ...TARIFF, dayPrice: 25 }, 'Prijs per kWh is hoogstens 10.'],
  ['six decimals', { ...TARIFF, nightPrice: 0.123456 }, 'Nachtprijs per kWh heeft hoogstens 5 decimalen.'],
  ['no day', { ...TARIFF, firstDay: '2026-02-30' }, 'Eerste dag is geen datum.'],
  ['an end before the begin', { ...TARIFF, lastDay: '2025-12-31' }, 'Laatste dag ligt voor de eerste dag.'],
  [
    'a night without hours',
    { ...TARIFF, nightTo: 23 },
    'Einde van de nacht is gelijk aan het begin van de nacht.',
  ],
  ['half an hour', { ...TARIFF, nightFrom: 22.5 }, 'Begin van de nacht heeft een waarde die niet kan.'],
  ['24:00', { ...TARIFF, nightTo: 24 }, 'Einde van de nacht is hoogstens 23.'],
])('a tariff with %s is rejected with a sentence (53.32)', async (_, body, message) => {
  for (const answer of [await add(body), await edit({ ...body, _id: 1 })])
    expect([answer.status, answer.message]).toEqual([400, message]);
  expect(await listed()).toEqual([]);
});

test('tariffs and their costs are visible to their own organization only, and an administrator must name the organization of a new tariff (53.32)', async () => {
  const { json } = await add(TARIFF);
  expect(await listed(other)).toEqual([]);
  expect((await edit({ ...TARIFF, _id: json._id }, other)).message).toBe('Dit laadtarief bestaat niet.');
  expect((await remove(json._id, other)).status).toBe(404);
  expect((await add({ ...TARIFF, dayPrice: 9, nightPrice: null, organization: 'klant' }, other)).status).toBe(
    200,
  );
  const refused = await add(TARIFF, a.admin);
  expect([refused.status, refused.message]).toEqual([400, 'Kies een organisatie.']);
  expect(await listed(a.admin)).toHaveLength(2);

  // The machine belongs to the other organization until 11:00 UTC: each organization sees its own days and costs.
  const at = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 30 * 86_400_000 + 10 * 3_600_000;
  const { rows } = await a.portal.pool.query<{ id: number }>(
    `select id from organization where name = 'ander'`,
  );
  const streamId = await a.portal.machine(a.fleet.organization, { serial: 'L-2' });
  await a.portal.pool.query('update ownership set valid_from = $2 where stream_id = $1', [
    streamId,
    new Date(at + 3_600_000),
  ]);
  await a.portal.pool.query(
    `insert into ownership (stream_id, organization_id, valid_from, valid_to) values ($1, $2, '-infinity', $3)`,
    [streamId, rows[0]?.id, new Date(at + 3_600_000)],
  );
  const signals = { IsCharging1: 1, ChargingCurrent: 100, ChargingVoltage: 400 };
  await storeTestReadings(
    a.portal.pool,
    streamId,
    Array.from({ length: 121 }, (_, n) => ({ time: at + n * 60_000, signals })),
  );
  await computeUntilUpToDate(a.portal.pool, streamId);
  const day = amsterdamDay(at + 3_600_000);
  const month = day.slice(0, 7);
  type Cost = { euros: number; unpricedKwh: number };
  const costs = async (as: string): Promise<(Cost | undefined)[]> => {
    const days = (await a.portal.get(`/api/influx/days/L-2?month=${month}`, as)).json().days ?? [];
    return days.flatMap(({ charged, cost }: { charged: number | null; cost?: Cost }) =>
      (charged ?? 0) > 0 ? [cost] : [],
    );
  };
  for (const cost of await costs(manager)) {
    expect(cost?.euros).toBeLessThan(20);
    expect(cost?.unpricedKwh).toBe(0);
  }
  expect((await costs(a.admin)).some((cost) => Number(cost?.euros) > 100)).toBe(true);

  // An organization without tariffs sees no costs, whatever others pay.
  const { columns } = (await a.portal.get(`/api/report/dagstaten?from=${day}&to=${day}`, manager)).json();
  expect(columns.map(({ key }: { key: string }) => key)).toContain('cost');
  await remove(json._id);
  expect((await costs(manager)).filter((cost) => cost !== undefined)).toEqual([]);
  const without = (await a.portal.get(`/api/report/dagstaten?from=${day}&to=${day}`, manager)).json();
  expect(without.columns.map(({ key }: { key: string }) => key)).not.toContain('cost');
  await clear();
});
