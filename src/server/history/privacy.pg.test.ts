import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { removeOldPositions } from '#server/telemetry/old-positions.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { DEFAULT_PRIVACY, type Privacy } from '#shared/domain/privacy.ts';
import { storeTestReadings } from './test/readings.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Wednesday, 13:00 in Amsterdam. */
const NOW = Date.UTC(2026, 10, 18, 12);
const WEEK = { days: [1, 2, 3, 4, 5], from: '07:00', to: '16:00' };

let portal: TestPortal;
let klant: number;
let streamId: number;
const cookies = { beheerder: '', gebruiker: '', kijker: '', administrator: '' };
beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  // Positions are removed only when a test does it.
  await portal.portal.upkeep.close();
  klant = await portal.organization('klant');
  const admin = await portal.organization('admin');
  for (const role of ['beheerder', 'gebruiker', 'kijker', 'administrator'] as const) {
    await portal.user(`${role}@klant.nl`, role === 'administrator' ? admin : klant, role);
    cookies[role] = await portal.login(`${role}@klant.nl`);
  }
  streamId = await portal.machine(klant, { serial: 'P-1' });
  // One reading each hour from Monday 00:00 on.
  const first = NOW - 2 * DAY - 13 * HOUR;
  const readings = Array.from({ length: 61 }, (_, n) => ({
    time: first + n * HOUR,
    signals: { LATITUDE: 52 + n / 100, LONGITUDE: 5, MotorSpeed: 900 },
  }));
  await storeTestReadings(portal.pool, streamId, readings);
});
afterAll(() => portal.close());
beforeEach(() => decide({}));

async function decide(privacy: Partial<Privacy>, cookie = cookies.administrator): Promise<number> {
  const { statusCode } = await portal.app.inject({
    method: 'POST',
    url: '/api/organization/privacy',
    headers: { cookie, ...SCRIPT_HEADERS },
    payload: { name: 'klant', ...DEFAULT_PRIVACY, ...privacy },
  });
  await portal.untilNotified();
  return statusCode;
}
const range = (from: number, to: number) =>
  `start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}`;
const route = (cookie: string, more = '') =>
  portal.get(`/api/influx/gps/P-1?${range(NOW - 3 * DAY, NOW + DAY)}${more}`, cookie);
/** Returns day and hour of each point in Amsterdam, which is one hour ahead of UTC in winter. */
const hoursOf = (points: { time: string }[]) =>
  points.map(({ time }) => new Date(Date.parse(time) + HOUR).toISOString().slice(8, 13).replace('T', ' '));
const live = async (cookie: string) => (await portal.get('/api/live', cookie)).json()['P-1'].liveData;

test('an organization chooses which roles may see past routes (13.12a)', async () => {
  const statuses = async () =>
    Promise.all(Object.values(cookies).map(async (cookie) => (await route(cookie)).statusCode));
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  expect(await decide({ routesFrom: 'gebruiker' }, cookies.beheerder)).toBe(200);
  await expect.poll(statuses).toEqual([200, 200, 403, 200]);
  expect(await decide({ routesFrom: 'beheerder' })).toBe(200);
  await expect.poll(statuses).toEqual([200, 403, 403, 200]);
  const me = (await portal.get('/api/auth/validate-token', cookies.kijker)).json();
  expect(me.user.seesRoutes).toBe(false);
  // The viewer can still see the present position.
  expect(await live(cookies.kijker)).toMatchObject({ LONGITUDE: 5 });
});

test.each([
  ['points', ''],
  ['every point', '&mode=path&resolution=full'],
])('a kijker sees positions of working hours only: %s (13.12b)', async (_, more) => {
  await decide({ viewerHours: WEEK });
  const seen = async (cookie: string) => hoursOf((await route(cookie, more)).json());
  await expect
    .poll(() => seen(cookies.kijker))
    .toEqual(
      [16, 17, 18]
        .flatMap((day) =>
          [7, 8, 9, 10, 11, 12, 13, 14, 15].map((h) => `${day} ${String(h).padStart(2, '0')}`),
        )
        .slice(0, 24),
    );
  expect(await seen(cookies.gebruiker)).toHaveLength(61);
});

test('live data hide a position outside working hours, but not the machine and its values (13.12b)', async () => {
  await decide({ viewerHours: { ...WEEK, to: '12:00' } });
  await expect.poll(() => live(cookies.kijker)).toMatchObject({ LATITUDE: 0, LONGITUDE: 0, MotorSpeed: 900 });
  expect(await live(cookies.kijker)).not.toHaveProperty('POSITION_UNIX');
  expect(await live(cookies.gebruiker)).toMatchObject({ LONGITUDE: 5 });
});

test('positions are removed after the organization’s number of days, including those that arrive late, while figures stay (13.12c)', async () => {
  const old = await portal.machine(klant, { serial: 'P-2' });
  const start = Date.now() - 40 * DAY;
  const drive = (from: number, count: number) =>
    storeTestReadings(
      portal.pool,
      old,
      Array.from({ length: count }, (_, n) => ({
        time: from + n * 60_000,
        signals: { LATITUDE: 52 + n / 1_000, LONGITUDE: 5, MotorSpeed: 900 },
      })),
    );
  await drive(start, 30);
  await drive(Date.now() - 10 * DAY, 30);
  const placed = async () => {
    const rows = await storedRows(portal.pool, old, ['time', 'latitude', 'longitude']);
    const isOld = ({ time }: { time: Date }) => time.getTime() < Date.now() - 35 * DAY;
    return {
      old: rows.filter((row) => isOld(row) && row.latitude !== null).length,
      young: rows.filter((row) => !isOld(row) && row.longitude !== null).length,
    };
  };
  const metres = async () =>
    (await portal.pool.query('select sum(distance_mm) as mm from rollup where stream_id = $1', [old])).rows[0]
      .mm;
  const before = await metres();
  await removeOldPositions(portal.pool);
  expect(await placed()).toEqual({ old: 30, young: 30 });
  await decide({ positionDays: 35 });
  await removeOldPositions(portal.pool);
  expect(await placed()).toEqual({ old: 0, young: 30 });
  expect(await metres()).toBe(before);
  await drive(start + 2 * HOUR, 5);
  expect(await placed()).toEqual({ old: 5, young: 30 });
  await removeOldPositions(portal.pool);
  expect(await placed()).toEqual({ old: 0, young: 30 });
  // The newest position of machine P-1 is recent, so it is kept.
  expect(await live(cookies.gebruiker)).toMatchObject({ LONGITUDE: 5 });
});

test('a machine that was silent for longer than positions are kept loses its last position and the old uploads of its logger (13.12c)', async () => {
  const silent = await portal.machine(klant, { serial: 'P-3' });
  const at = Date.now() - 50 * DAY;
  await storeTestReadings(portal.pool, silent, [
    { time: at, signals: { LATITUDE: 52, LONGITUDE: 5, Soc1: 40 } },
  ]);
  const logger = await portal.logger(silent, '7300001', undefined, new Date(at));
  await portal.pool.query(
    `insert into object (logger_serial, key, size, etag, content_type, metadata, outcome, body, modified_at)
     select $1, key, 2, '', '', '{}', '[]', '{}', at from (values ('old', $2::timestamptz), ('new', now())) as v (key, at)`,
    [logger.loggerSerial, new Date(at)],
  );
  await decide({ positionDays: 31 });
  await removeOldPositions(portal.pool);
  const { rows } = await portal.pool.query('select signals from latest where stream_id = $1', [silent]);
  expect(Object.keys(rows[0].signals)).toEqual(['Soc1']);
  const { rows: left } = await portal.pool.query('select key from object where logger_serial = $1', [
    '7300001',
  ]);
  expect(left).toEqual([{ key: 'new' }]);
});

test.each([
  ['fewer days than raw files are kept', { positionDays: 30 }],
  ['a role of another kind', { routesFrom: 'technicus' }],
  ['an hour that there is not', { viewerHours: { ...WEEK, from: '24:00' } }],
  ['a day that there is not', { viewerHours: { ...WEEK, days: [0] } }],
])('privacy settings are refused with a status of 400: %s (13.12)', async (_, privacy) => {
  expect(await decide(privacy as Partial<Privacy>)).toBe(400);
});

test('a beheerder can change only its own organization (13.12)', async () => {
  await portal.user('baas@ander.nl', await portal.organization('ander'), 'beheerder');
  const other = await portal.login('baas@ander.nl');
  expect(await decide({ routesFrom: 'beheerder' }, other)).toBe(404);
  expect((await portal.get('/api/organization/privacy?name=klant', other)).statusCode).toBe(404);
  expect((await portal.get('/api/organization/privacy?name=klant', cookies.beheerder)).json()).toEqual(
    DEFAULT_PRIVACY,
  );
});
