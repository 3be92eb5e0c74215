import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  CHARGER_OFF,
  CHARGER_ON,
  ChargingTestPortal,
  readingsDuring,
  TEST_START_MS,
} from '#server/alerts/test/charging-desk.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import { TestFleet } from '#server/telemetry/test/fleet.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';

/** Tests in which the server's clock jumps, while the clocks of the loggers and browsers are right. */
const MINUTE = 60_000;
const HOUR = 3_600_000;

let fleet: TestFleet;
let desk: ChargingTestPortal;
beforeAll(async () => {
  [fleet, desk] = await Promise.all([TestFleet.open(), ChargingTestPortal.open()]);
});
afterAll(() => Promise.all([fleet.close(), desk.close()]));

// The upload endpoint allows 15 minutes between the time of the signature and the server's clock, as S3 does (docs/design.md section 7). A
// logger retries a refused upload.
test.each<[what: string, shiftMs: number, status: number, stored: number, quarantined: string[]]>([
  ['1 hour ahead', HOUR, 403, 0, []],
  ['1 hour behind', -HOUR, 403, 0, []],
  ['in 1970', 1_000 - Date.now(), 403, 0, []],
  ['12 minutes ahead', 12 * MINUTE, 200, 1, []],
  ['9 minutes behind', -9 * MINUTE, 200, 1, []],
  [
    '12 minutes behind',
    -12 * MINUTE,
    200,
    0,
    ['De tijd van de momentopname ligt meer dan 10 minuten in de toekomst ('],
  ],
])(
  'an upload is answered while the clock is %s (INGEST-03)',
  async (_what, shiftMs, status, stored, quarantined) => {
    const logger = await fleet.newLogger();
    const snapshot = JSON.stringify({ GMT_UNIX: Math.floor(Date.now() / 1000), Soc1: 50 });
    fleet.clock = Date.now() + shiftMs;
    expect(await fleet.putStatus(logger, 'snapshot.json', snapshot)).toBe(status);
    expect(await fleet.readingsOf(logger.streamId)).toBe(stored);
    const reasons = await fleet.quarantined(logger);
    expect(reasons).toEqual(quarantined.map((reason) => expect.stringContaining(reason)));
    fleet.clock = Date.now();
    expect(await fleet.putStatus(logger, 'snapshot.json', snapshot)).toBe(200);
    expect(await fleet.readingsOf(logger.streamId)).toBe(1);
  },
);

test.each([
  ['1 hour ahead', HOUR],
  ['1 hour behind', -HOUR],
  ['in 1970', 1_000 - Date.now()],
])(
  'live data stays the same and is updated while the clock is %s (LIVE-03, LIVE-07)',
  async (_what, shiftMs) => {
    const { streamId, serialNumber } = await fleet.newLogger();
    const second = Math.floor(Date.now() / 1000);
    const report = (time: number, Soc1: number) =>
      storeReadings(fleet.portal.pool, [{ streamId, time: time * 1000, signals: { Soc1, MotorSpeed: 900 } }]);
    fleet.clock = Date.now();
    await report(second - 400, 51);
    const before = (await fleet.live(serialNumber))?.liveData;
    fleet.clock = Date.now() + shiftMs;
    expect((await fleet.live(serialNumber))?.liveData).toEqual(before);
    await report(second, 50);
    expect((await fleet.live(serialNumber))?.liveData).toMatchObject({ GMT_UNIX: second, Soc1: 50 });
    // If the database's clock runs behind, `updated_at` of a new row is older than that of the last row that the portal has read. The
    // portal must find the new row too.
    await report(second + 1, 49);
    await inEachShard(
      fleet.portal.pool,
      `update telemetry.latest set updated_at = now() - interval '1 hour' where stream_id = $1`,
      [streamId],
    );
    fleet.clock -= 2 * HOUR;
    expect((await fleet.live(serialNumber))?.liveData).toMatchObject({ Soc1: 49 });
    fleet.clock = Date.now();
  },
);

test('a session survives clock jumps, ends after its 14 days, and then leaves the session cache (AUTH-10)', async () => {
  const { pool } = fleet.portal;
  const status = async () => (await fleet.portal.get('/api/live', cookie)).statusCode;
  const shift = (interval: string) =>
    pool.query(`update session set expires_at = expires_at - $1::interval`, [interval]);
  let cookie = await fleet.portal.login('a@klant.nl');
  // Without the trigger, which notifies the portal of ended sessions, only the expiry of the cached session can end it.
  await pool.query('alter table session disable trigger session_changed');
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await shift('1 hour');
    expect(await status()).toBe(200);
    vi.setSystemTime(Date.now() - HOUR);
    expect(await status()).toBe(200);
    await shift('14 days');
    await expect.poll(status, { timeout: 20_000, interval: 250 }).toBe(401);
  } finally {
    vi.useRealTimers();
    await pool.query('alter table session enable trigger session_changed');
  }
  cookie = await fleet.portal.login('a@klant.nl');
  expect(await status()).toBe(200);
});

test('one e-mail is sent per charging event, whatever the clock jumps to (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, [
    ...readingsDuring(0, 10, CHARGER_OFF),
    ...readingsDuring(10, 14, CHARGER_ON),
  ]);
  const far = (ms: number) => (ms - TEST_START_MS) / MINUTE;
  for (const minute of [14 + 60, 14, 14 - 60, far(0), 14, far(Date.UTC(2038, 0, 19)), 14])
    await desk.evaluate(minute);
  expect(await desk.events(machine.streamId)).toEqual(['started 10']);
  await desk.store(machine.streamId, readingsDuring(14, 40, CHARGER_ON));
  await desk.store(machine.streamId, readingsDuring(40, 45, CHARGER_OFF));
  await desk.evaluate(45);
  expect(await desk.events(machine.streamId)).toEqual(['started 10', 'ended 40']);
  const subjects = (await desk.mailsAbout(machine)).map(({ subject }) => subject.split(': ', 2)[1]);
  expect(subjects.sort()).toEqual(['laden begonnen', 'laden gestopt']);
});

test('late readings are evaluated, also after the clock has been in the future (MAIL-01)', async () => {
  const machine = await desk.machine('anna@klant.nl');
  await desk.live(machine.streamId, readingsDuring(0, 5, CHARGER_OFF));
  // Late readings are evaluated while the clock is wrong.
  await desk.store(machine.streamId, readingsDuring(-30, -20, CHARGER_OFF));
  await desk.evaluate((Date.UTC(2038, 0, 19) - TEST_START_MS) / MINUTE);
  await desk.store(machine.streamId, [...readingsDuring(20, 60, CHARGER_OFF)]);
  await desk.evaluate(61);
  await desk.store(machine.streamId, readingsDuring(5, 20, CHARGER_ON));
  await desk.evaluate(62);
  await desk.evaluate(68);
  expect(await desk.events(machine.streamId)).toEqual(['started 5', 'ended 20']);
});
