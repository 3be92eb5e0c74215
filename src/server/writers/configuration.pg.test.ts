import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readUploadSettings } from '#server/logger-config/test/upload-settings.ts';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const create = (serienummer: string) => a.call('GET /api/machine/config/create', { query: { serienummer } });
const download = (serienummer: string) =>
  a.call('GET /api/machine/config/download', { query: { serienummer } });
const health = async (serial: string) => (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
const newKey = (serial: string) => a.call('POST /api/machine/writer/key', { body: { serial } });
/** Returns the logger of a machine with the key pair of its newest configuration, and the upload settings in that configuration. */
const runningLogger = async (serial: string) => {
  const settings = readUploadSettings((await download(serial)).text);
  return {
    settings,
    logger: { ...(await a.loggerOf(serial)), accessKey: settings.accessKey, secret: settings.secret },
  };
};
const seconds = () => Math.floor(a.fleet.clock / 1000);

async function mapped(serial: string): Promise<void> {
  await a.machine(serial);
  await a.upload(serial, BATTERY_DBC);
}

describe('config.xml', () => {
  test('a configuration is made, downloaded as it was made, and the upload endpoint accepts its key pair (MEDIT-10, MEDIT-11)', async () => {
    await mapped('C-1');
    expect((await download('C-1')).status).toBe(404);
    const made = await create('C-1');
    expect([made.status, made.message]).toEqual([
      200,
      expect.stringContaining('Het configuratiebestand is gemaakt.'),
    ]);
    const file = await download('C-1');
    expect(file.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'content-disposition': 'attachment; filename="config.xml"',
      'cache-control': 'no-store',
    });
    expect((await download('C-1')).text).toBe(file.text);
    const { settings, logger } = await runningLogger('C-1');
    expect(settings).toMatchObject({
      bucket: 'telemetry',
      endpoint: { host: 'localhost', port: 3000, https: false },
    });
    await a.fleet.snapshot(logger, { GMT_UNIX: seconds(), LATITUDE: 52, LONGITUDE: 5, Soc1: 77 });
    expect((await a.fleet.live('C-1'))?.liveData).toMatchObject({ Soc1: 77 });
    const { rows } = await a.portal.pool.query('select xml from logger_config where xml is not null');
    expect(rows.some(({ xml }) => xml.includes(settings.secret))).toBe(false);
  });

  test('the portal lists what a configuration lacks, and makes no key while something is missing (MEDIT-11)', async () => {
    await a.create('C-2');
    const unbound = await create('C-2');
    expect([unbound.status, unbound.message]).toEqual([409, 'Koppel eerst een logger.']);
    expect((await health('C-2')).missing).toEqual(['Koppel eerst een logger.']);
    await a.bind('C-2', validMachineForm('C-2').influx_serial);
    const { missing } = await health('C-2');
    expect(missing).not.toEqual([]);
    const empty = await create('C-2');
    expect([empty.status, empty.message]).toEqual([
      409,
      `Het configuratiebestand kan nog niet. ${missing.join(' ')}`,
    ]);
    const { rowCount } = await a.portal.pool.query(
      `select from writer_key k join writer w on w.id = k.writer_id where w.logger_serial = $1`,
      [validMachineForm('C-2').influx_serial],
    );
    expect(rowCount).toBe(0);
    await a.upload('C-2', BATTERY_DBC);
    expect((await health('C-2')).missing).toEqual([]);
    expect((await create('C-2')).status).toBe(200);
  });

  test('a new configuration has a new GUID and the same key, and the old text is deleted (MEDIT-10)', async () => {
    await mapped('C-3');
    await create('C-3');
    const first = (await runningLogger('C-3')).settings;
    await Promise.all([create('C-3'), create('C-3')]);
    const second = (await runningLogger('C-3')).settings;
    expect(second.guid).not.toBe(first.guid);
    expect(second.accessKey).toBe(first.accessKey);
    const { rows } = await a.portal.pool.query(
      `select xml is null as emptied from logger_config c join writer w on w.id = c.writer_id
       where w.logger_serial = $1 order by c.id`,
      [validMachineForm('C-3').influx_serial],
    );
    expect(rows.map(({ emptied }) => emptied)).toEqual([true, true, false]);
  });

  test('an old key works until the first upload with the new key (MEDIT-10)', async () => {
    await mapped('C-4');
    await create('C-4');
    const old = (await runningLogger('C-4')).logger;
    await a.fleet.snapshot(old, { GMT_UNIX: seconds(), Soc1: 1 });
    expect((await newKey('C-4')).status).toBe(200);
    expect((await health('C-4')).config.outdated).toBe(true);
    await a.fleet.snapshot(old, { GMT_UNIX: seconds() - 1, Soc1: 1 });
    await create('C-4');
    expect((await health('C-4')).config.outdated).toBe(false);
    const { logger } = await runningLogger('C-4');
    expect(logger.accessKey).not.toBe(old.accessKey);
    await a.fleet.snapshot(old, { GMT_UNIX: seconds() - 2, Soc1: 1 });
    await a.fleet.snapshot(logger, { GMT_UNIX: seconds() - 3, Soc1: 1 });
    await expect.poll(() => a.fleet.putStatus(old, 'snapshot.json', '{}'), { timeout: 6_000 }).toBe(403);
    expect(await a.fleet.putStatus(logger, 'snapshot.json', '{}')).toBe(200);
    await create('C-4');
    expect((await runningLogger('C-4')).logger.accessKey).toBe(logger.accessKey);
  });
});

test('the first upload with a key ends the older keys, never a newer one (MEDIT-10)', async () => {
  await mapped('C-9');
  const keys: string[] = [];
  for (let n = 0; n < 3; n++) {
    await newKey('C-9');
    keys.push((await a.loggerOf('C-9')).accessKey);
  }
  const { rows } = await a.portal.pool.query(
    'select access_key, secret from writer_key where access_key = $1',
    [keys[1]],
  );
  const middle = { ...(await a.loggerOf('C-9')), accessKey: rows[0].accessKey };
  await a.fleet.snapshot(
    { ...middle, secret: a.portal.secrets.open('writer_key.secret', keys[1] as string, rows[0].secret) },
    { GMT_UNIX: seconds(), Soc1: 1 },
  );
  const { rows: after } = await a.portal.pool.query(
    `select retired_at is null as open, first_used_at is not null as used from writer_key
     where access_key = any ($1) order by created_at`,
    [keys],
  );
  expect(after).toEqual([
    { open: false, used: false },
    { open: true, used: true },
    { open: true, used: false },
  ]);
});

test('a configuration with a former address of the portal is outdated, and its logger is listed until it runs a new configuration (55.15)', async () => {
  const { portal } = a;
  const oldOnes = async () =>
    (await a.call('GET /api/machine/writer/old-addresses')).json.map(
      ({ serial }: { serial: string }) => serial,
    );
  await mapped('C-20');
  await create('C-20');
  expect((await health('C-20')).config).toMatchObject({ outdated: false, oldAddress: null });
  const { logger } = await runningLogger('C-20');
  const { rows } = await portal.pool.query(
    `update logger_config c set address = 'https://oud.nl', settings_digest = 'another' from writer w
     where w.id = c.writer_id and w.logger_serial = $1 returning guid`,
    [logger.loggerSerial],
  );
  expect((await health('C-20')).config).toMatchObject({ outdated: true, oldAddress: 'https://oud.nl' });
  const status = (guid: string) => a.fleet.put(logger, 'Status.json', JSON.stringify({ config_GUID: guid }));
  await status(rows[0].guid);
  await create('C-20');
  expect((await health('C-20')).config).toMatchObject({ outdated: false, oldAddress: null });
  // The logger runs the old configuration.
  await expect.poll(oldOnes, { timeout: 20_000 }).toEqual(['C-20']);
  const { rows: made } = await portal.pool.query(
    `select guid from logger_config c join writer w on w.id = c.writer_id where w.logger_serial = $1 order by c.id desc limit 1`,
    [logger.loggerSerial],
  );
  await status(made[0].guid);
  await expect.poll(oldOnes, { timeout: 20_000 }).toEqual([]);
});
