import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { Reading } from '#shared/domain/signal.ts';

const MINUTE = 60_000;
/** 08:00 in Amsterdam, a Wednesday. */
const START = Date.UTC(2026, 10, 18, 7);
const NOW = START + 10 * 60 * MINUTE;
const YARD = 52;
const AWAY = 52.3;
const SERIAL = 'P-1';

let portal: TestPortal;
let own: number;
let other: number;
let cookies: Readonly<Record<'beheerder' | 'kijker' | 'administrator', string>>;

/** Returns the readings of two hours at the charger on the yard, an hour on a trailer to the north, and an hour of standing still there. */
function day(): Reading[] {
  const readings: Reading[] = [];
  for (let minute = 0; minute < 240; minute += 0.5) {
    const carried = Math.min(1, Math.max(0, (minute - 120) / 60));
    const rest = { MotorSpeed: 0, BatteryVoltage: 400, LONGITUDE: 5 };
    readings.push({
      time: START + minute * MINUTE,
      signals: {
        ...rest,
        LATITUDE: YARD + carried * (AWAY - YARD),
        ...(minute < 110
          ? { IsCharging1: 1, ChargingCurrent: 50, BatteryCurrent: -50, Soc1: 40 + minute / 4 }
          : { IsCharging1: 0, ChargingCurrent: 0, BatteryCurrent: 0, Soc1: 67 }),
      },
    });
  }
  return readings;
}

beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  own = await portal.organization('klant');
  other = await portal.organization('ander');
  await portal.user('b@klant.nl', own, 'beheerder');
  await portal.user('k@klant.nl', own, 'kijker');
  await portal.user('a@admin.nl', await portal.organization('admin'), 'administrator');
  cookies = {
    beheerder: await portal.login('b@klant.nl'),
    kijker: await portal.login('k@klant.nl'),
    administrator: await portal.login('a@admin.nl'),
  };
  const streamId = await portal.machine(own, { serial: SERIAL, batteries: [{ capacity: 100 }] });
  await storeTestReadings(portal.pool, streamId, day());
  await computeUntilUpToDate(portal.pool);
});
beforeEach(async () => {
  await portal.pool.query('delete from terrein');
  await portal.pool.query('delete from project');
});
afterAll(() => portal.close());

const circle = (lat: number) => JSON.stringify([{ centre: { lat, lon: 5 }, radiusMetres: 200 }]);
const terrein = (organization: number, name: string, lat: number) =>
  portal.pool.query(
    'insert into terrein (organization_id, name, areas, counted_from) values ($1, $2, $3, $4)',
    [organization, name, circle(lat), new Date(NOW)],
  );
const project = (name: string, lat: number) =>
  portal.pool.query(
    `insert into project (organization_id, name, areas, first_day) values ($1, $2, $3, '2026-11-01')`,
    [own, name, circle(lat)],
  );

const PERIOD = 'from=2026-11-18&to=2026-11-18';
/**
 * Returns the place names that a person sees: in the list of sessions, in both reports, and at both ends of the transport on the machine's
 * page.
 */
async function named(as: string): Promise<unknown> {
  const json = async (url: string) => (await portal.get(url, as)).json();
  const range = `start=${new Date(START).toISOString()}&end=${new Date(NOW).toISOString()}`;
  const { sessions } = await json(`/api/influx/sessions/${SERIAL}?${range}`);
  const { transports } = await json(`/api/influx/transports/${SERIAL}?${range}`);
  const cells = async (kind: string, keys: readonly string[]) => {
    const { columns, rows } = await json(`/api/report/${kind}?${PERIOD}`);
    return keys.map((key) => rows[0][columns.findIndex((column: { key: string }) => column.key === key)]);
  };
  return {
    session: sessions.map(({ placeName }: { placeName: string }) => placeName),
    transport: transports.map((one: { beginName: string; endName: string }) => [one.beginName, one.endName]),
    laadbeurten: await cells('laadbeurten', ['place']),
    vervoer: await cells('vervoer', ['begin', 'end']),
  };
}
const expected = (begin: unknown, end: unknown) => ({
  session: [begin],
  transport: [[begin, end]],
  laadbeurten: [begin],
  vervoer: [begin, end],
});

test('sessions, transports and their reports name the town when no area is drawn (53.13)', async () => {
  expect(await named(cookies.beheerder)).toEqual(expected('6 km van Nieuwegein', '10 km van Amstelveen'));
});

test('sessions, transports and their reports prefer the terrein to the project, also for an administrator (53.13)', async () => {
  await terrein(own, 'Werf Noord', YARD);
  await project('Kade', YARD);
  await project('Sluis', AWAY);
  for (const as of [cookies.beheerder, cookies.administrator])
    expect(await named(as)).toEqual(expected('Werf Noord', 'Sluis'));
});

test("another organization's terrein names no place of a machine (53.13)", async () => {
  await terrein(other, 'Werf van een ander', YARD);
  expect(JSON.stringify(await named(cookies.administrator))).not.toContain('Werf van een ander');
});

test('a deleted terrein no longer names a place (53.13)', async () => {
  await terrein(own, 'Werf Noord', YARD);
  await portal.pool.query('update terrein set deleted_at = now()');
  expect(JSON.stringify(await named(cookies.beheerder))).not.toContain('Werf Noord');
});

test('a kijker who may not see routes gets no name of a place (53.13)', async () => {
  await terrein(own, 'Werf Noord', YARD);
  await portal.pool.query(
    `update organization set privacy = '{"routesFrom": "beheerder", "viewerHours": null, "positionDays": null}' where id = $1`,
    [own],
  );
  await portal.untilNotified();
  await expect.poll(() => named(cookies.kijker), { timeout: 20_000 }).toEqual(expected(null, null));
});
