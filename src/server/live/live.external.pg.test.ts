import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findShards } from '#server/platform/shards.ts';
import { createStream, moveStream } from '#server/streams/streams.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { LiveEntry, LiveResponse } from '#shared/contract/live.ts';
import type { Signals } from '#shared/domain/signal.ts';

let portal: TestPortal;
/** The live data cache is at most a second old; the tests' clock skips that second. */
let clock = Date.now();
let own: number;
let cookie: string;

beforeAll(async () => {
  portal = await testPortal({}, () => clock);
  own = await portal.organization('eigen');
  await portal.user('eigen@klant.nl', own);
  cookie = await portal.login('eigen@klant.nl');
});
afterAll(() => portal.close());

/** Waits until the portal knows every change so far, and moves the clock past the second for which the live data are cached. */
async function later(): Promise<void> {
  await portal.untilNotified();
  clock += 1_100;
}

async function store(streamId: number, time: number, signals: Signals): Promise<void> {
  await openPartitions(portal.pool, () => clock).ensure([time], undefined);
  await storeReadings(portal.pool, [{ streamId, time, signals }]);
  await later();
}

async function live(as = cookie): Promise<LiveResponse> {
  const answer = await portal.get('/api/live', as);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

const T = Date.UTC(2026, 5, 1, 10);

describe('GET /api/live', () => {
  test('the answer is keyed by serial number, with metadata and live data under the names of the loggers (LIVE-01, LIVE-03)', async () => {
    const streamId = await portal.machine(own, {
      serial: 'LV-1',
      alias: 'Rups',
      macaddress: '02:5A:10:00:04:17',
      batteries: [{ capacity: 130 }, { capacity: null }],
      accessories: [{ naam: 'Bak', nummer: 3 }],
    });
    await portal.logger(streamId, '0000101');
    await store(streamId, T, {
      LATITUDE: 52.1,
      LONGITUDE: 5.3,
      MotorSpeed: 900,
      ChargingCurrent: 0,
      ChargingVoltage: 690.5,
      IsCharging1: 0,
      IsChargingAC: 1,
      Soc1: 80.5,
      soc2: 79,
      SOC_3: 78,
      BatteryCurrent: 12,
      OilTemperature: 60,
    });
    expect((await live())['LV-1']).toEqual({
      metadata: {
        kind: 'machine',
        serialNumber: 'LV-1',
        organization: 'eigen',
        cleanorg: 'eigen BV',
        alias: 'Rups',
        brand: 'Volta',
        model: 'EX-1',
        macaddress: '02:5A:10:00:04:17',
        loggerId: '0000101',
        batteries: [{ capacity: 130 }, { capacity: null }],
        hulpstukken: [{ naam: 'Bak', nummer: 3 }],
      },
      liveData: {
        LATITUDE: 52.1,
        LONGITUDE: 5.3,
        GMT_UNIX: T / 1000,
        POSITION_UNIX: T / 1000,
        MotorSpeed: 900,
        ChargingCurrent: 0,
        ChargingVoltage: 690.5,
        IsCharging1: 0,
        IsChargingAC: 1,
        Soc1: 80.5,
        soc2: 79,
        SOC_3: 78,
        BatteryCurrent: 12,
      },
    } satisfies LiveEntry);
  });

  test('machines are sorted as in the list and the quick menu: by brand, model, alias and serial number (15.4c)', async () => {
    const organization = await portal.organization('volgorde');
    const named = [
      { serial: '99', brand: 'Volvo', model: 'B', alias: 'a' },
      { serial: 'OR-2', brand: 'Cat', model: '10', alias: 'a' },
      { serial: '98', brand: 'Cat', model: '2', alias: 'b' },
      { serial: 'OR-1', brand: 'Cat', model: '2', alias: 'A' },
    ];
    for (const machine of named) await portal.machine(organization, machine);
    await portal.user('v@volgorde.nl', organization);
    await later();
    const answer = await portal.get('/api/live', await portal.login('v@volgorde.nl'));
    expect([...answer.body.matchAll(/"([^"]+)":\{"metadata"/g)].map(([, serial]) => serial)).toEqual([
      'OR-1',
      '98',
      'OR-2',
      '99',
    ]);
  });

  test('a machine without a reading has position 0,0 and time 0 (LIVE-03)', async () => {
    await portal.machine(own, { serial: 'LV-2' });
    await later();
    expect((await live())['LV-2']?.liveData).toEqual({ LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: 0 });
  });

  test('a signal older than 5 minutes is dropped, and the position stays, with its age (LIVE-03)', async () => {
    const streamId = await portal.machine(own, { serial: 'LV-3' });
    await store(streamId, T, { LATITUDE: 52, LONGITUDE: 5, Soc1: 50, MotorSpeed: 10 });
    await store(streamId, T + 300_000, { MotorSpeed: 20 });
    expect((await live())['LV-3']?.liveData).toMatchObject({ Soc1: 50, MotorSpeed: 20 });
    await store(streamId, T + 300_001, { MotorSpeed: 30 });
    expect((await live())['LV-3']?.liveData).toEqual({
      LATITUDE: 52,
      LONGITUDE: 5,
      GMT_UNIX: (T + 300_000) / 1000,
      POSITION_UNIX: T / 1000,
      MotorSpeed: 30,
    });
  });

  test('an organization sees its own machines only, an administrator those of all (LIVE-01, API-02)', async () => {
    const other = await portal.organization('ander');
    await portal.user('ander@klant.nl', other);
    await portal.machine(other, { serial: 'OTHER-1', alias: 'Geheim' });
    const lmb = await portal.organization('spoor', { isLmbCustomer: true });
    await portal.user('spoor@klant.nl', lmb);
    await createStream(portal.pool, 'logger', { serial: '7770001', alias: 'Kar', organizationId: lmb });
    const admin = await portal.organization('admin');
    await portal.user('admin@klant.nl', admin);
    await later();
    const mine = await portal.get('/api/live?machineOrg=ander', cookie);
    expect(mine.body).not.toMatch(/OTHER-1|Geheim|ander|7770001/);
    expect(Object.keys(mine.json())).toContain('LV-1');
    expect(Object.keys(await live(await portal.login('ander@klant.nl')))).toEqual(['OTHER-1']);
    const loggers = await live(await portal.login('spoor@klant.nl'));
    expect(Object.keys(loggers)).toEqual(['7770001']);
    expect(loggers['7770001']?.metadata).toMatchObject({ kind: 'logger', alias: 'Kar' });
    const all = await live(await portal.login('admin@klant.nl'));
    expect(Object.keys(all)).toEqual(expect.arrayContaining(['LV-1', 'OTHER-1', '7770001']));
  });

  test('a machine that moves to another organization shows its new owner no earlier values, and its former owner nothing (INGEST-06)', async () => {
    const buyer = await portal.organization('koper');
    await portal.user('koper@klant.nl', buyer);
    const buyerCookie = await portal.login('koper@klant.nl');
    const streamId = await portal.machine(own, { serial: 'MOVED' });
    await store(streamId, T, { LATITUDE: 52.5, LONGITUDE: 5.5, Soc1: 66 });
    expect((await live()).MOVED?.liveData).toMatchObject({ Soc1: 66 });
    await moveStream(portal.pool, streamId, buyer, new Date(T + 60_000));
    await later();
    expect(Object.keys(await live(buyerCookie))).toEqual(['MOVED']);
    expect(await live()).not.toHaveProperty('MOVED');
    expect((await live(buyerCookie)).MOVED?.liveData).toEqual({ LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: 0 });
    await store(streamId, T + 61_000, { MotorSpeed: 5 });
    expect((await live(buyerCookie)).MOVED?.liveData).toEqual({
      LATITUDE: 0,
      LONGITUDE: 0,
      GMT_UNIX: (T + 61_000) / 1000,
      MotorSpeed: 5,
    });
  });

  test('the answer is 304 while nothing has changed, also if a proxy made the ETag a weak one (LIVE-01)', async () => {
    const first = await portal.get('/api/live', cookie);
    const etag = String(first.headers.etag);
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const again = await portal.get('/api/live', cookie, { 'if-none-match': tag });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    const streamId = await portal.machine(own, { serial: 'LV-4' });
    await store(streamId, T, { Soc1: 1 });
    const changed = await portal.get('/api/live', cookie, { 'if-none-match': etag });
    expect(changed.statusCode).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
  });

  test('the answer is compressed for clients that accept gzip (LIVE-01)', async () => {
    const plain = await portal.get('/api/live', cookie);
    const zipped = await portal.get('/api/live', cookie, { 'accept-encoding': 'gzip, br' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
    expect(plain.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const refusing = await portal.get('/api/live', cookie, { 'accept-encoding': 'gzip;q=0, identity' });
    expect([refusing.headers['content-encoding'], refusing.body]).toEqual([undefined, plain.body]);
  });

  test('a session that ends is rejected at once (API-02)', async () => {
    const mine = await portal.login('eigen@klant.nl');
    expect((await portal.get('/api/live', mine)).statusCode).toBe(200);
    await portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie: mine } });
    expect((await portal.get('/api/live', mine)).statusCode).toBe(401);
  });

  test('GET /api/live needs a session (API-02)', async () => {
    const answer = await portal.get('/api/live');
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { code: 'unauthenticated', message: 'Log eerst in.' },
    ]);
  });

  test('200 clients that ask for live data at once share their queries to the database (LIVE-01)', async () => {
    // The session is new, so no process has read it yet.
    const mine = await portal.login('eigen@klant.nl');
    const shards = await findShards(portal.pool);
    await later();
    const queries: string[] = [];
    const { pages } = portal.portal.pools;
    const query = pages.query.bind(pages);
    pages.query = ((...args: Parameters<typeof query>) => {
      queries.push(String((args[0] as { text?: string }).text ?? args[0]));
      return query(...args);
    }) as typeof pages.query;
    await Promise.all(Array.from({ length: 200 }, () => live(mine)));
    pages.query = query;
    expect(queries.filter((text) => text.includes('.latest where updated_at')).length).toBeGreaterThan(0);
    // Background work makes queries too, and a slow computer reads the live data again while it answers. 200 clients that do not share
    // their queries would repeat one 200 times.
    const counts = [...Map.groupBy(queries, (text) => text).values()].map(({ length }) => length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(5 * shards.length);
  });
});

describe('GET /api/health', () => {
  test('GET /api/health says that the portal serves, and how old the newest reading is (API-01)', async () => {
    const answer = await portal.get('/api/health');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'ok', database: { reachable: true } });
    expect(answer.json().newestReadingAgeSeconds).toBeGreaterThan(0);
  });
});

describe('unknown paths', () => {
  test.each(['/api/nothing', '/api/live/x', '/api', '/tiles/street/1/2', '/assets/gone.js'])(
    'the unknown path %s gets 404 with the usual error body (API-03)',
    async (url) => {
      const answer = await portal.get(url, cookie);
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { code: 'not_found', message: 'Niet gevonden.' },
      ]);
    },
  );
});
