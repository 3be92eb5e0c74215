import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveStream } from '#server/streams/streams.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { PathPoint } from '#shared/contract/history.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { storeTestReadings } from './test/readings.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 12, 2, 30);
const iso = (ms: number) => encodeURIComponent(new Date(ms).toISOString());

let portal: TestPortal;
let own: number;
let other: number;
/** Session cookies by person. */
let who: Record<string, string>;

/** Returns readings of a machine that drives north, one every 10 s for an hour. */
const drive = (from: number): Reading[] =>
  Array.from({ length: 360 }, (_, n) => ({
    time: from + n * 10_000,
    signals: {
      LATITUDE: 52 + n / 10_000,
      LONGITUDE: 5,
      Speed: 4,
      MotorSpeed: 900,
      BatteryCurrent: n % 2 === 0 ? 60 : -20,
      BatteryVoltage: 700,
      Soc1: 80,
      Soc2: 81.5,
    },
  }));

const calls = (id: string): string[] => [
  `/api/influx/gps/${id}`,
  `/api/influx/gps/${id}?resolution=full`,
  `/api/influx/driverhours/${id}`,
  `/api/influx/workpower/${id}?start=-30d&window=300m`,
  `/api/influx/powerback/${id}?start=-30d`,
  `/api/influx/day/${id}?start=-24h`,
];
const json = async (url: string, cookie = who.user) => {
  const answer = await portal.get(url, cookie);
  return { status: answer.statusCode, body: answer.json() };
};

beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  own = await portal.organization('klant');
  other = await portal.organization('ander');
  const spoor = await portal.organization('spoor', { isLmbCustomer: true });
  const closed = await portal.organization('gesloten');
  const admin = await portal.organization('admin');
  const people: [string, number][] = [
    ['user', own],
    ['logger user', spoor],
    ['administrator', admin],
    ['other organization', other],
    ['disabled organization', closed],
    ['deleted user', own],
  ];
  who = { stranger: '' };
  for (const [name, organization] of people) {
    const email = `${name.replaceAll(' ', '.')}@portaal.nl`;
    await portal.user(email, organization);
    who[name] = await portal.login(email);
  }
  await portal.pool.query('update organization set is_active = false where id = $1', [closed]);
  await portal.pool.query(`delete from account where email = 'deleted.user@portaal.nl'`);
  const machine = await portal.machine(own, { serial: 'H-1', initialHours: 1_250.5 });
  await storeTestReadings(portal.pool, machine, drive(NOW - 2 * HOUR));
});
afterAll(() => portal.close());

describe('authorization of the history calls (API-02)', () => {
  test.each([
    ['stranger', 401],
    ['user', 200],
    ['logger user', 404],
    ['administrator', 200],
    ['other organization', 404],
    ['disabled organization', 401],
    ['deleted user', 401],
  ])('%s gets %d from every call about a machine of klant (API-02)', async (name, status) => {
    for (const url of calls('H-1')) {
      const answer = await portal.get(url, who[name]);
      expect([url, answer.statusCode]).toEqual([url, status]);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  test('unknown, deleted and impossible serials and another organization’s get the same answer (API-03)', async () => {
    await portal.machine(other, { serial: 'H-other' });
    const gone = await portal.machine(own, { serial: 'H-gone' });
    await portal.pool.query('update stream set deleted_at = now() where id = $1', [gone]);
    const unknown = await Promise.all(
      calls('H-0').map(async (url) => (await portal.get(url, who.user)).body),
    );
    expect(unknown[0]).toBe('{"code":"not_found","message":"Deze machine bestaat niet."}');
    for (const serial of ['H-other', 'H-gone', "'", 'x'.repeat(100)]) {
      const bodies = await Promise.all(
        calls(serial).map(async (url) => (await portal.get(url, who.user)).body),
      );
      expect(bodies, serial).toEqual(unknown);
    }
  });

  test('the query parameter machineOrg has no effect for any caller (API-02)', async () => {
    for (const path of ['gps', 'driverhours', 'workpower']) {
      const plain = await json(`/api/influx/${path}/H-1`);
      expect(await json(`/api/influx/${path}/H-1?machineOrg=ander`)).toEqual(plain);
      expect(await json(`/api/influx/${path}/H-1?machineOrg=klant`, who['other organization'])).toMatchObject(
        {
          status: 404,
        },
      );
      expect(await json(`/api/influx/${path}/H-1?machineOrg=ander`, who.administrator)).toEqual(plain);
    }
  });
});

describe('an invalid range (API-03)', () => {
  test.each([
    ['gps/H-1?start=-1h&end=-2h', 'De begintijd ligt na de eindtijd.'],
    ['gps/H-1?start=2030-01-01T00:00:00Z&end=2031-01-01T00:00:00Z', 'De begintijd ligt in de toekomst.'],
    ['gps/H-1?start=gisteren', 'Onbekende begintijd'],
    ['gps/H-1?start=', 'Onbekende begintijd'],
    ['gps/H-1?end=2026-11-20T12:00:00', 'Onbekende eindtijd'],
    ['gps/H-1?start=2026-02-30T00:00:00Z', 'Onbekende begintijd'],
    ['gps/H-1?resolution=half', 'resolution heeft een waarde die niet kan.'],
    ['gps/H-1?start=-1h&start=-2h', 'Begin heeft een waarde die niet kan.'],
    ['workpower/H-1?window=0ms', 'Het venster is te klein'],
    ['workpower/H-1?window=1ms', 'Het venster is te klein'],
    ['workpower/H-1?window=4m', 'Het venster is te klein'],
    ['workpower/H-1?window=groot', 'Onbekend venster'],
    ['powerback/H-1', 'Begin ontbreekt.'],
    ['powerback/H-1?start=-1h&stop=-2h', 'De begintijd ligt na de eindtijd.'],
    ['day/H-1?start=-1h&points=9', 'points is minstens 10.'],
    ['day/H-1?start=-1h&points=2001', 'points is hoogstens 2000.'],
  ])('%s is refused with an explanation (API-03)', async (path, message) => {
    const { status, body } = await json(`/api/influx/${path}`);
    expect([status, body.code]).toEqual([400, 'invalid']);
    expect(body.message).toContain(message);
  });

  test('a range that ends in the future is cut to now, and a range of ten years is answered (MDET-12, API-03)', async () => {
    const end = encodeURIComponent('2099-01-01T00:00:00+01:00');
    const plain = await json('/api/influx/gps/H-1?start=-3h');
    expect(plain.body).toHaveLength(360);
    expect(await json(`/api/influx/gps/H-1?start=-3h&end=${end}`)).toEqual(plain);
    for (const start of ['-3652d', '0001-01-01T00:00:00Z', '-9999999w']) {
      expect(await json(`/api/influx/gps/H-1?start=${start}&end=${end}`)).toEqual(plain);
      const work = await json(`/api/influx/workpower/H-1?start=${start}&stop=${end}&window=999999999w`);
      expect([work.status, work.body.days.length]).toEqual([200, 1]);
      expect((await json(`/api/influx/day/H-1?start=${start}`)).body.packs).toHaveLength(2);
      expect((await json(`/api/influx/powerback/H-1?start=${start}`)).body.kWh).toBeGreaterThan(0);
    }
  });
});

test('the history calls return a machine’s hours, power and energy (MDET-08, MDET-05, TEST-01)', async () => {
  expect((await json('/api/influx/driverhours/H-1')).body.hours).toBeCloseTo(1_250.5 + 359 / 360, 9);
  const { body } = await json('/api/influx/workpower/H-1');
  // 180 times 42 kW and 179 times -14 kW, ten seconds each.
  const kw = (180 * 42 - 179 * 14) / 359;
  expect(body.AvgPower).toBeCloseTo(kw, 9);
  expect(body.days).toEqual([{ date: '2026-11-20', hours: 359 / 360, AvgPower: body.AvgPower }]);
  const back = await json('/api/influx/powerback/H-1?start=-30d');
  expect(back.body.kWh).toBeCloseTo((179 * 14 * 10) / 3_600, 9);
});

test('the history calls succeed for a machine without readings, and for one with a single reading (MDET-08, MDET-12)', async () => {
  const machine = await portal.machine(own, { serial: 'H-new', initialHours: 3 });
  const empty = {
    '/api/influx/gps/H-new': [],
    '/api/influx/gps/H-new?resolution=full': [],
    '/api/influx/driverhours/H-new': { hours: 3 },
    '/api/influx/workpower/H-new': { AvgPower: null, known: null, days: [] },
    '/api/influx/powerback/H-new?start=-30d': { kWh: 0, known: null, days: [] },
  };
  for (const [url, body] of Object.entries(empty)) expect(await json(url)).toEqual({ status: 200, body });
  expect((await json('/api/influx/day/H-new?start=-24h')).body).toEqual({
    time: [],
    bucketSeconds: 300,
    packs: [],
    bands: [],
    seconds: { running: 0, charging: 0, off: 0, unknown: 86_400 },
    distance: 0,
    carried: 0,
    lastDay: null,
  });
  await storeTestReadings(portal.pool, machine, drive(NOW - HOUR).slice(0, 1));
  const point = { lat: 52, lon: 5, time: new Date(NOW - HOUR).toISOString(), speed: 4, soc: 80.75 };
  expect((await json('/api/influx/gps/H-new')).body).toEqual([point]);
  expect((await json('/api/influx/gps/H-new?resolution=full')).body).toEqual([point]);
  expect((await json('/api/influx/driverhours/H-new')).body).toEqual({ hours: 3 });
  expect((await json('/api/influx/workpower/H-new')).body).toEqual({ AvgPower: null, known: null, days: [] });
});

test("each organization sees only the history of a machine from the times in which it owned the machine, and gets 404 during another's ownership (INGEST-06)", async () => {
  const machine = await portal.machine(own, { serial: 'H-moves', initialHours: 10 });
  const from = NOW - 10 * HOUR;
  for (const n of [0, 2, 4]) await storeTestReadings(portal.pool, machine, drive(from + n * HOUR));
  // Organization klant owns the machine for 2.5 hours, ander for 2 hours, then klant again; both changes are in the middle of a drive.
  const cuts = [from + 2.5 * HOUR, from + 4.5 * HOUR];
  await moveStream(portal.pool, machine, other, new Date(cuts[0] as number));
  expect((await json('/api/influx/gps/H-moves')).status).toBe(404);
  const theirs = (await json('/api/influx/gps/H-moves', who['other organization'])).body as PathPoint[];
  expect(Date.parse(theirs[0]?.time as string)).toBe(cuts[0]);
  expect(theirs).toHaveLength(180 + 360);
  // The hour meter belongs to the machine: the new owner also sees the hours from before.
  const hours = (await json('/api/influx/driverhours/H-moves', who['other organization'])).body.hours;
  expect(hours).toBeCloseTo(10 + (3 * 359) / 360, 9);

  await moveStream(portal.pool, machine, own, new Date(cuts[1] as number));
  for (const resolution of ['screen', 'full']) {
    const path = (await json(`/api/influx/gps/H-moves?resolution=${resolution}`)).body as PathPoint[];
    const times = path.map(({ time }) => Date.parse(time));
    expect(times).toHaveLength(360 + 180 + 180);
    expect(times.filter((time) => (cuts[0] as number) <= time && time < (cuts[1] as number))).toEqual([]);
  }
  const whole = (await json(`/api/influx/powerback/H-moves?start=-24h`, who.administrator)).body.kWh;
  const mine = (await json('/api/influx/powerback/H-moves?start=-24h')).body.kWh;
  // klant owns one and two halves of the three drives. An interval across a change of owner belongs to neither owner.
  const kwh = (14 * 10) / 3_600;
  expect(whole).toBeCloseTo(3 * 179 * kwh, 9);
  expect(mine).toBeCloseTo((179 + 89 + 89) * kwh, 9);
  const day = (await json(`/api/influx/day/H-moves?start=${iso(from)}`)).body;
  expect(day.bands.filter(({ kind }: { kind: string }) => kind === 'running')).toEqual([
    { kind: 'running', from: from / 1000, to: from / 1000 + 3_590 },
    { kind: 'running', from: from / 1000 + 7_200, to: (cuts[0] as number) / 1000 - 10 },
    { kind: 'running', from: (cuts[1] as number) / 1000, to: from / 1000 + 4 * 3_600 + 3_590 },
  ]);
  expect(await json('/api/influx/gps/H-moves', who['other organization'])).toMatchObject({ status: 404 });
});
