import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC } from './test/administration.ts';

let a: AdminTestPortal;
let buyer: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.user('koper@koper.nl', await a.portal.organization('koper'));
  buyer = await a.portal.login('koper@koper.nl');
});
afterAll(() => a.close());

const iso = (ms: number) => new Date(ms).toISOString();
const preview = (serial: string, bedrijf: string, at?: string) =>
  a.call(`GET /api/machine/sale/${serial}`, { query: { bedrijf, ...(at !== undefined && { at }) } });

/** Creates a machine with 30 readings, one per minute until now. `begin`: time of the first reading, ms. */
async function createMeasured(serial: string): Promise<{ begin: number }> {
  await a.machine(serial);
  await a.upload(serial, BATTERY_DBC);
  await a.call('POST /api/machine/writer/key', { body: { serial } });
  const logger = await a.loggerOf(serial);
  a.fleet.clock = Date.now();
  const end = Math.floor(a.fleet.clock / 60_000) * 60_000;
  const begin = end - 29 * 60_000;
  const rows = Array.from({ length: 30 }, (_, n) => `${iso(begin + n * 60_000)},80\n`);
  await a.fleet.put(logger, 'drive.csv', `time,Soc1\n${rows.join('')}`);
  return { begin };
}
const owners = async (serial: string) =>
  (
    await a.portal.pool.query(
      `select o.name, w.valid_from::text as "from", w.valid_to::text as "to" from ownership w
       join stream s on s.id = w.stream_id join organization o on o.id = w.organization_id
       where s.serial = $1 order by w.valid_from`,
      [serial],
    )
  ).rows;

test('the preview of a sale counts what each organization keeps, and the sale has the previewed result (55.11)', async () => {
  const { begin } = await createMeasured('V-1');
  const seller = a.fleet.cookie;
  const label = (
    await a.call('POST /api/label/create', { as: seller, body: { labelName: 'Huur', labelColour: 'red' } })
  ).json._id;
  await a.call('POST /api/label/assign', { as: seller, body: { _id: label, serial: 'V-1' } });
  await a.call('POST /api/favourite/add', { as: seller, body: { serial: 'V-1' } });
  await a.call('POST /api/mail/subscribe', { as: seller, body: { serialNumber: 'V-1' } });
  const at = iso(begin + 7.5 * 60_000);
  const answer = await preview('V-1', 'koper', at);
  expect(answer.json).toMatchObject({
    serialNumber: 'V-1',
    seller: 'klant BV',
    buyer: 'koper BV',
    at,
    ownedSince: null,
    // Name of the machine in the seller's reports (55.71).
    reportName: expect.stringMatching(/^Overgedragen machine \d+$/),
    kept: 8,
    given: 22,
    labels: 1,
    favourites: 1,
    subscribers: 1,
    projects: [],
    rules: 0,
    maintenancePlans: 0,
  });
  // The preview changes nothing.
  expect(await owners('V-1')).toHaveLength(1);
  const sold = await a.sell('V-1', 'koper', { at });
  expect(sold.status, sold.message).toBe(200);
  expect(await owners('V-1')).toMatchObject([{ name: 'klant' }, { name: 'koper', to: 'infinity' }]);
  expect((await a.details('V-1', seller)).status).toBe(404);
  expect((await a.details('V-1', buyer)).status).toBe(200);
  const again = await preview('V-1', 'klant', iso(begin + 20 * 60_000));
  expect(again.json).toMatchObject({
    seller: 'koper BV',
    ownedSince: at,
    kept: 12,
    given: 10,
    labels: 0,
    favourites: 0,
  });
});

test('a sale whose date is invalid, in the future or before the seller owned the machine is rejected, and nothing changes (55.11)', async () => {
  const { begin } = await createMeasured('V-2');
  for (const [at, message] of [
    [iso(a.fleet.clock + 60_000), 'Het moment van de verkoop ligt in de toekomst. Leg de verkoop dan vast.'],
    ['gisteren', 'Het moment van de verkoop is geen tijd.'],
    ['2026-02-31', 'Het moment van de verkoop is geen tijd.'],
  ] as const) {
    for (const answer of [await a.sell('V-2', 'koper', { at }), await preview('V-2', 'koper', at)])
      expect([answer.status, answer.message]).toEqual([400, message]);
  }
  for (const [bedrijf, message] of [
    ['klant', 'De machine is al van deze organisatie.'],
    ['weg', "Organisatie 'weg' bestaat niet."],
  ] as const)
    expect((await a.sell('V-2', bedrijf)).message).toBe(message);
  expect(await owners('V-2')).toHaveLength(1);
  await a.sell('V-2', 'koper', { at: iso(begin + 10 * 60_000) });
  const early = await a.sell('V-2', 'klant', { from: 'koper', at: iso(begin + 5 * 60_000) });
  expect(early.status).toBe(400);
  expect(early.message).toContain('De machine is pas sinds');
  expect(await owners('V-2')).toHaveLength(2);
});

test('a sale that is dated before the first reading gives all readings to the buyer (55.11)', async () => {
  const { begin } = await createMeasured('V-3');
  const at = iso(begin - 86_400_000);
  expect((await preview('V-3', 'koper', at)).json).toMatchObject({ kept: 0, given: 30 });
  expect((await a.sell('V-3', 'koper', { at })).status).toBe(200);
});

test('the second of two administrators who sell one machine is rejected (55.11)', async () => {
  await a.portal.organization('derde');
  await a.machine('V-4');
  const answers = await Promise.all([a.sell('V-4', 'koper'), a.sell('V-4', 'derde')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.message).toBe(
    'De machine is intussen van een andere organisatie. Laad de pagina opnieuw.',
  );
  expect(await owners('V-4')).toHaveLength(2);
});

test('a sale ends manual assignments at the time of the sale, and deletes assignments that begin later (55.11)', async () => {
  const { begin } = await createMeasured('V-5');
  const { pool } = a.portal;
  const project = async (name: string, organization: string) =>
    (
      await pool.query(
        `insert into project (organization_id, name, first_day) select id, $1, '2026-01-01' from organization where name = $2 returning id`,
        [name, organization],
      )
    ).rows[0].id;
  const [own, other] = [await project('Spoor A', 'klant'), await project('Spoor B', 'koper')];
  for (const [id, from] of [
    [own, begin],
    [own, begin + 20 * 60_000],
    [other, begin],
  ])
    await pool.query(
      `insert into assignment (project_id, stream_id, valid_from) select $1, id, $2 from stream where serial = 'V-5'`,
      [id, new Date(from)],
    );
  const at = iso(begin + 10 * 60_000);
  expect((await preview('V-5', 'koper', at)).json.projects).toEqual(['Spoor A']);
  await a.sell('V-5', 'koper', { at });
  const { rows } = await pool.query(
    `select p.name, nullif(a.valid_to, 'infinity') as until from assignment a join project p on p.id = a.project_id
     join stream s on s.id = a.stream_id where s.serial = 'V-5' order by 1`,
  );
  expect(rows).toEqual([
    { name: 'Spoor A', until: new Date(at) },
    { name: 'Spoor B', until: null },
  ]);
});
