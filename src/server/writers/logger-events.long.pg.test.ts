import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';
import type { TestLogger } from '#server/test/portal.ts';
import type { LoggerEvent, LoggerHealth } from '#shared/contract/writers.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  // The portal's clock is moved ahead, so that events with its time come after those with the database's time.
  a.fleet.clock += 60_000;
});
afterAll(() => a.close());

const seconds = () => Math.floor(a.fleet.clock / 1000);
const health = async (serial: string): Promise<LoggerHealth> => {
  await a.portal.portal.counters.flush();
  return (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
};
const eventsOf = async (serial: string): Promise<Omit<LoggerEvent, 'at'>[]> =>
  (await health(serial)).events.map(({ kind, detail }) => ({ kind, detail }));
const kindsOf = async (serial: string): Promise<string[]> =>
  (await health(serial)).events.map(({ kind }) => kind);
const ofKind = async (serial: string, kind: string): Promise<string[]> =>
  (await eventsOf(serial)).filter((event) => event.kind === kind).map(({ detail }) => detail);
const config = (serienummer: string) => a.call('GET /api/machine/config/create', { query: { serienummer } });
const status = (logger: TestLogger, fields: object) =>
  a.fleet.put(logger, 'Status.json', JSON.stringify(fields));

async function configured(serial: string, changed: Record<string, string> = {}): Promise<TestLogger> {
  await a.machine(serial, changed);
  await a.upload(serial, BATTERY_DBC);
  await config(serial);
  return a.loggerOf(serial);
}
/** Uploads a snapshot. The counters are flushed after each upload, because otherwise one write would cover several uploads. */
async function sendSnapshot(logger: TestLogger, signals: Record<string, number> = {}): Promise<void> {
  await a.fleet.snapshot(logger, { GMT_UNIX: seconds(), Soc1: 50, ...signals });
  await a.portal.portal.counters.flush();
}

test('the list of events has the binding, its keys and its configuration, newest first (12.C6)', async () => {
  const logger = await configured('E-1');
  await a.call('GET /api/machine/config/download', { query: { serienummer: 'E-1' } });
  expect((await eventsOf('E-1')).at(-1)).toEqual({ kind: 'bound', detail: logger.loggerSerial });
  expect((await kindsOf('E-1')).toSorted()).toEqual([
    'bound',
    'config-downloaded',
    'config-made',
    'key-made',
  ]);
  await sendSnapshot(logger);
  await a.call('POST /api/machine/writer/key', { body: { serial: 'E-1' } });
  const next = await a.loggerOf('E-1');
  await sendSnapshot(next, { Soc1: 51 });
  expect(await ofKind('E-1', 'key-used')).toEqual([next.accessKey, logger.accessKey]);
  expect(await ofKind('E-1', 'key-ended')).toEqual([logger.accessKey]);
  const { events } = await health('E-1');
  expect(events.map(({ at }) => at)).toEqual(
    events
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  );
});

test('the first upload, and one after a silence of more than an hour, is an event, with the length of the silence (12.C6)', async () => {
  const logger = await configured('E-2');
  await sendSnapshot(logger);
  expect(await ofKind('E-2', 'heard')).toEqual(['']);
  for (const [silence, expected] of [
    ['59 minutes', ['']],
    ['1 hour', ['3600', '']],
  ] as const) {
    a.fleet.clock += 1;
    await a.portal.pool.query(
      'update writer_health set last_seen_at = last_seen_at - $2::interval where writer_id = $1',
      [logger.writerId, silence],
    );
    await sendSnapshot(logger);
    expect(await ofKind('E-2', 'heard')).toEqual(expected);
  }
});

test('a rejected or quarantined upload is an event with its reason, at most once an hour (12.C6)', async () => {
  const logger = await configured('E-3');
  for (let n = 0; n < 3; n++) {
    a.fleet.clock += 1_000;
    await a.fleet.put(logger, 'snapshot.json', 'rubbish');
    await a.portal.portal.counters.flush();
  }
  expect(await ofKind('E-3', 'error')).toHaveLength(1);
  await a.portal.pool.query(`update logger_event set at = at - interval '1 hour'`);
  a.fleet.clock += 1_000;
  await a.fleet.put(logger, 'snapshot.json', 'rubbish');
  await a.portal.portal.counters.flush();
  a.fleet.clock += 1_000;
  expect(await a.fleet.putStatus({ ...logger, secret: 'wrong' }, 'snapshot.json', '{}')).toBe(403);
  const { reason } = (await health('E-3')).quarantine[0] as { reason: string };
  await expect.poll(() => ofKind('E-3', 'refused'), { timeout: 20_000 }).toEqual(['SignatureDoesNotMatch']);
  expect(await ofKind('E-3', 'error')).toEqual([reason, reason]);
});

test('Status.json is shown, and a change of the firmware or of the running configuration is an event (12.C6)', async () => {
  const logger = await configured('E-4');
  expect((await health('E-4')).status).toBeNull();
  const clock = Math.floor(Date.now() / 1000);
  const reported = { fw_ver: '3.10', config_name: 'eigen', max_space_MB: 7600, free_space_MB: 1200.5 };
  await status(logger, { ...reported, config_GUID: 'ffff', RTC_UNIX: clock + 600 });
  const shown = (await health('E-4')).status;
  expect(shown).toMatchObject({ firmware: '3.10', configName: 'eigen', freeMb: 1200.5, totalMb: 7600 });
  // The difference is a little less than 600 s, because time passes between reading the clock and the upload.
  expect(shown?.clockAheadS).toBeGreaterThan(590);
  expect(shown?.clockAheadS).toBeLessThanOrEqual(600);
  expect(await eventsOf('E-4')).toContainEqual({ kind: 'config-another', detail: 'eigen' });
  const { rows } = await a.portal.pool.query('select guid from logger_config where writer_id = $1', [
    logger.writerId,
  ]);
  await status(logger, { fw_ver: '3.11', config_name: 'Werkstroom', config_GUID: `{${rows[0].guid}}` });
  await status(logger, { fw_ver: '3.11', config_name: 'Werkstroom', config_GUID: rows[0].guid });
  expect(await eventsOf('E-4')).toEqual(
    expect.arrayContaining([
      { kind: 'firmware', detail: '3.11' },
      { kind: 'config-running', detail: 'Werkstroom' },
    ]),
  );
  expect(await ofKind('E-4', 'firmware')).toEqual(['3.11']);
});

test('a clock that stands still, a log file with its result, and a file that is not read are events (12.C6)', async () => {
  const logger = await configured('E-5');
  for (let n = 0; n < 4; n++)
    await a.fleet.snapshot(logger, { GMT_UNIX: seconds() - 60, RTC_UNIX: seconds() + n, Soc1: n });
  await a.fleet.put(logger, '1/rit_20260601_100000.log', '(1780308000.000000) can0 1F4#A0');
  await a.fleet.put(logger, '1/noot.bin', 'binary');
  expect(await ofKind('E-5', 'frozen-clock')).toEqual(['']);
  expect(await ofKind('E-5', 'log-file')).toEqual(['rit_20260601_100000.log: 1 meting']);
  expect(await ofKind('E-5', 'unread-file')).toEqual(['noot.bin']);
});

test('a ticking clock that stays wrong by the same amount gives only one event (12.C6, 46.4)', async () => {
  const logger = await configured('E-9');
  for (const wrongBy of [9 * 86_400, -20 * 365 * 86_400])
    for (let n = 0; n < 3; n++) {
      a.fleet.clock += 7_000;
      await a.fleet.snapshot(logger, { GMT_UNIX: seconds() + wrongBy, Soc1: 50 });
      await a.portal.portal.counters.flush();
    }
  expect(await ofKind('E-9', 'error')).toEqual([
    expect.stringMatching(/^De tijd van de momentopname ligt voor 2015/),
    expect.stringMatching(
      /^De tijd van de momentopname ligt meer dan 10 minuten in de toekomst .* 9 dagen voor/,
    ),
  ]);
});

test('only the last 50 events of the present binding are shown (12.C6)', async () => {
  const first = await configured('E-6');
  await sendSnapshot(first);
  await status(first, { fw_ver: '1', config_GUID: 'van-de-vorige' });
  await a.fleet.put(first, 'van-de-vorige.rxd', 'x');
  const asked = await health('E-6');
  await a.call('POST /api/machine/writer/release', { body: { serial: 'E-6' } });
  expect(await health('E-6')).toMatchObject({ events: [], status: null });
  const logger = await configured('E-7', { influx_serial: validMachineForm('E-6').influx_serial });
  const events = await eventsOf('E-7');
  expect(events.map(({ kind }) => kind).toSorted()).toEqual(['bound', 'config-made', 'key-made']);
  expect(asked.events.length).toBeGreaterThan(5);
  for (let n = 0; n < 60; n++)
    await a.portal.pool.query(
      'update writer_health set last_error = $2, last_error_at = $3 where writer_id = $1',
      [
        logger.writerId,
        JSON.stringify([{ kind: 'text', text: `fout ${n}` }]),
        new Date(a.fleet.clock + n * 1000),
      ],
    );
  const shownEvents = await eventsOf('E-7');
  expect([shownEvents.length, shownEvents[0]]).toEqual([50, { kind: 'error', detail: 'fout 59' }]);
  const { rows } = await a.portal.pool.query(
    'select count(*)::int as n from logger_event where writer_id = $1',
    [logger.writerId],
  );
  expect(rows[0].n).toBe(50);
});

test('ordinary uploads write no event (12.C6)', async () => {
  const logger = await configured('E-8');
  await sendSnapshot(logger);
  const before = await eventsOf('E-8');
  for (let n = 1; n < 4; n++) {
    a.fleet.clock += 5_000;
    await sendSnapshot(logger, { Soc1: n });
    await status(logger, { fw_ver: '3.11', RTC_UNIX: seconds() });
  }
  expect(await eventsOf('E-8')).toEqual(before);
});

test('the health reports readings too far apart for running hours only if they are of the present binding and recent (12.C6)', async () => {
  const logger = await configured('E-9');
  for (let n = 11; n > 0; n--)
    await a.fleet.snapshot(logger, { GMT_UNIX: seconds() - 330 * n, MotorSpeed: 900 });
  expect((await health('E-9')).intervalTooLong).toBe(false);
  const bound = (hours: number) =>
    a.portal.pool.query('update writer set created_at = now() - make_interval(hours => $2) where id = $1', [
      logger.writerId,
      hours,
    ]);
  await bound(2);
  expect((await health('E-9')).intervalTooLong).toBe(true);
  a.fleet.clock += 24 * 3_600_000;
  expect((await health('E-9')).intervalTooLong).toBe(false);
  a.fleet.clock -= 24 * 3_600_000;
});
