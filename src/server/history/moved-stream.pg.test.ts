import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveStream } from '#server/streams/streams.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { storeTestReadings } from './test/readings.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const NOW = Date.UTC(2026, 10, 20, 12);
/** Time of the sale; the machine drove before and after it without a pause. */
const MOVED = NOW - 2 * DAY;
/** The buyer's first reading, half a minute after the sale. */
const FIRST = MOVED + MINUTE / 2;
const iso = (ms: number) => new Date(ms).toISOString();

let portal: TestPortal;
const cookies = new Map<string, string>();
const ids = new Map<string, number>();
beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  for (const [name, isLmbCustomer] of [
    ['koper', false],
    ['verkoper', false],
    ['rails', true],
    ['spoor', true],
  ] as const) {
    ids.set(name, await portal.organization(name, { isLmbCustomer }));
    await portal.user(`iemand@${name}.nl`, ids.get(name) as number);
    cookies.set(name, await portal.login(`iemand@${name}.nl`));
  }
});
afterAll(() => portal.close());

const get = async (who: string, url: string) => {
  const answer = await portal.get(url, cookies.get(who));
  return { status: answer.statusCode, body: answer.json() };
};
/** Returns half an hour of readings, one a minute. */
const drive = (from: number, signals: Record<string, number>): Reading[] =>
  Array.from({ length: 30 }, (_, n) => ({ time: from + n * MINUTE, signals }));

/** Creates a stream that is sold at MOVED. Speed and codes are 1 in the seller's readings, and 2 in those of the buyer. */
async function sold(
  kind: 'machine' | 'logger',
  serial: string,
  seller: string,
  buyer: string,
): Promise<void> {
  const streamId = await portal.machine(ids.get(seller) as number, { serial, alias: `kar ${serial}` });
  if (kind === 'logger') {
    await portal.pool.query('delete from machine where stream_id = $1', [streamId]);
    await portal.pool.query(`update stream set kind = 'logger' where id = $1`, [streamId]);
  }
  const one = {
    MotorSpeed: 900,
    Speed: 1,
    Machinestatus: 1,
    Spoor: 1,
    Spoorstand: 1,
    Soc1: 11,
    LATITUDE: 51,
    LONGITUDE: 5,
    BatteryCurrent: 10,
  };
  const two = {
    MotorSpeed: 900,
    Speed: 2,
    Machinestatus: 2,
    Spoor: 2,
    Spoorstand: 2,
    Soc1: 22,
    LATITUDE: 52,
    LONGITUDE: 5,
    BatteryCurrent: 20,
  };
  await storeTestReadings(portal.pool, streamId, drive(MOVED - 30 * MINUTE, one));
  await moveStream(portal.pool, streamId, ids.get(buyer) as number, new Date(MOVED));
  if (serial.endsWith('-new')) return;
  await storeTestReadings(portal.pool, streamId, drive(FIRST, two));
}
const RANGE = `start=${iso(MOVED - DAY)}&end=${iso(MOVED + DAY)}`;

describe('history from before a sale (INGEST-06, API-02)', () => {
  beforeAll(() => sold('machine', 'M-1', 'verkoper', 'koper'));

  test('power, energy and charge from before the sale are hidden from the buyer (INGEST-06)', async () => {
    const { body: power } = await get('koper', `/api/influx/workpower/M-1?start=${iso(MOVED - DAY)}`);
    expect(power.AvgPower).toBeCloseTo((20 * 700) / 1_000, 9);
    expect(power.days.map(({ date }: { date: string }) => date)).toEqual(['2026-11-18']);
    const { body: day } = await get('koper', `/api/influx/day/M-1?${RANGE}`);
    expect(day.packs).toMatchObject([{ name: 'Soc1' }]);
    expect(new Set(day.packs[0].mean)).toEqual(new Set([22]));
    expect(day.bands).toEqual([{ kind: 'running', from: FIRST / 1_000, to: (FIRST + 29 * MINUTE) / 1_000 }]);
  });

  test('after the sale the seller gets the same answers as for an unknown machine (INGEST-06)', async () => {
    const calls = ['gps', 'driverhours', 'workpower', 'powerback', 'day'].map(
      (call) => `/api/influx/${call}/M-1?${RANGE}`,
    );
    for (const url of [
      ...calls,
      '/api/machine/get/serial?serialNumber=M-1',
      '/api/machine/get?merk=M-1',
      '/api/mail/subscription-status?serialNumber=M-1',
      '/api/img/M-1',
    ]) {
      const known = await get('verkoper', url);
      expect([url, known]).toEqual([url, await get('verkoper', url.replace('M-1', 'M-0'))]);
      expect([url, known.status]).toEqual([url, 404]);
    }
    expect((await get('verkoper', '/api/machine/get/all')).body).toEqual([]);
  });

  test('the last day with data of the new owner is not one from before the sale (INGEST-06)', async () => {
    await sold('machine', 'M-new', 'verkoper', 'koper');
    const range = `start=${iso(MOVED)}&end=${iso(NOW)}`;
    expect((await get('koper', `/api/influx/day/M-1?${range}`)).body.lastDay).toBe('2026-11-18');
    expect((await get('koper', `/api/influx/day/M-new?${range}`)).body.lastDay).toBe(null);
  });
});

describe('history from before an LMB logger changed its owner (INGEST-06, API-02)', () => {
  beforeAll(() => sold('logger', 'L-1', 'spoor', 'rails'));

  const data = async () => (await get('rails', `/api/berend/get/data?loggerid=L-1&${RANGE}`)).body as LmbData;

  test('speed and track of the former owner are hidden from the new one (LOG-06, INGEST-06)', async () => {
    const { speed, location } = await data();
    expect(new Set(speed.flatMap((series) => series.data.map(({ _value }) => _value)))).toEqual(new Set([2]));
    expect(new Set(location.map(({ lat }) => lat))).toEqual(new Set([52]));
  });

  test('codes of the former owner are hidden from the new one (LOG-06, INGEST-06)', async () => {
    const { machinestatus, spoordata, spoor, spoorstand } = await data();
    const intervals = [...machinestatus, ...spoordata].flatMap((series) => series.data);
    expect(new Set([...intervals, ...spoor, ...spoorstand].map(({ _value }) => _value))).toEqual(
      new Set([2]),
    );
    expect(intervals.map(({ _start }) => _start).sort()[0]).toBe(iso(FIRST));
  });

  test('the former owner gets the same answers as for an unknown logger (API-03, INGEST-06)', async () => {
    for (const url of [
      `/api/berend/get/data?loggerid=L-1&${RANGE}`,
      '/api/berend/get/one?loggerid=L-1',
      '/api/berend/get/one?alias=kar L-1',
      `/api/influx/powerback/L-1?${RANGE}`,
    ])
      expect([url, await get('spoor', url)]).toEqual([url, await get('spoor', url.replace('L-1', 'L-0'))]);
    expect((await get('spoor', '/api/berend/get')).body).toEqual([]);
  });
});

test('a stream of a kind that a person may not see does not exist for them, even in their own organization (API-02, APP-06)', async () => {
  await portal.machine(ids.get('rails') as number, { serial: 'M-rails' });
  await portal.machine(ids.get('koper') as number, { serial: 'L-koper' });
  await portal.pool.query(
    `delete from machine where stream_id = (select id from stream where serial = 'L-koper')`,
  );
  await portal.pool.query(`update stream set kind = 'logger' where serial = 'L-koper'`);
  for (const call of ['gps', 'driverhours', 'workpower', 'powerback', 'day'])
    expect([call, (await get('rails', `/api/influx/${call}/M-rails?${RANGE}`)).status]).toEqual([call, 404]);
  expect((await get('rails', '/api/mail/subscription-status?serialNumber=M-rails')).status).toBe(404);
  expect((await get('koper', `/api/influx/powerback/L-koper?${RANGE}`)).status).toBe(404);
});
