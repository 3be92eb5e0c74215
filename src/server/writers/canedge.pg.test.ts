import { createHash } from 'node:crypto';
import { CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';
import { readStoredBody } from '#server/telemetry/test/stored-content.ts';
import { findTablesContaining } from '#server/telemetry/test/tables-with.ts';
import type { TestLogger } from '#server/test/portal.ts';
import type { LoggerHealth } from '#shared/contract/writers.ts';

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
});
afterAll(() => a.close());

const DEVICE = '2F6913DB';
const health = async (serial: string): Promise<LoggerHealth> =>
  (await a.call(`GET /api/machine/writer/health/${serial}`)).json;
const bind = (serienummer: string, influxserienummer: string, kind?: string) =>
  a.call('GET /api/machine/writer/create', {
    query: { serienummer, influxserienummer, ...(kind && { logger_kind: kind }) },
  });
const makeConfig = (serienummer: string) =>
  a.call('GET /api/machine/config/create', { query: { serienummer } });
const download = (serienummer: string) =>
  a.call('GET /api/machine/config/download', { query: { serienummer } });

/** Returns the CANedge of a machine, with the key pair of its newest configuration. */
async function configured(serial: string): Promise<TestLogger> {
  const { accesskey, secretkey } = JSON.parse((await download(serial)).text).connect.s3.server;
  return { ...(await a.loggerOf(serial)), accessKey: accesskey, secret: secretkey };
}

test('a CANedge is bound by its device id, and its settings give access to its own folder only (43.6)', async () => {
  await a.create('CE-1');
  expect((await health('CE-1')).kind).toBe('rexgen');
  const wrong = await bind('CE-1', validMachineForm('CE-1').influx_serial, 'canedge');
  expect([wrong.status, wrong.message]).toEqual([
    400,
    'Device ID moet uit 8 hexadecimale cijfers bestaan (0-9 en A-F).',
  ]);
  expect((await bind('CE-1', DEVICE)).status).toBe(400);
  expect((await bind('CE-1', DEVICE.toLowerCase(), 'canedge')).status).toBe(200);
  expect(await health('CE-1')).toMatchObject({ loggerId: DEVICE, kind: 'canedge', missing: [] });

  const made = await makeConfig('CE-1');
  expect([made.status, made.message]).toEqual([200, expect.stringContaining('PUBLIC_URL')]);
  const file = await download('CE-1');
  expect(file.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="canedge-s3.json"',
    'cache-control': 'no-store',
  });
  const own = await configured('CE-1');
  const file1 = '00000004/00000001-63BEF5CD.MF4';
  await a.fleet.put(own, file1, 'MF4', DEVICE);
  for (const folder of ['2F6913DC', `BM_SN${DEVICE}`, `WS_SN${validMachineForm('CE-1').influx_serial}`])
    await expect(a.fleet.put(own, file1, 'MF4', folder)).rejects.toMatchObject({ name: 'AccessDenied' });
  expect(await health('CE-1')).toMatchObject({ lastUpload: expect.any(String) });
  const files = (await a.portal.get('/api/machine/log-file/CE-1', a.admin)).json();
  expect(files.files.map(({ name }: { name: string }) => name).sort()).toEqual(['00000001-63BEF5CD.MF4']);
});

test('device.json sets the health of a CANedge; its configuration and schema files do not, and none of these is a log file (43.11)', async () => {
  await a.create('CE-6');
  await bind('CE-6', '6A6B6C6D', 'canedge');
  await makeConfig('CE-6');
  const own = await configured('CE-6');
  const put = (name: string, content: unknown) =>
    a.fleet.put(own, name, JSON.stringify(content), own.loggerSerial);
  const device = { id: '6A6B6C6D', fw_ver: '01.08.02', cfg_name: 'config-01.08.json' };
  await put('device.json', { ...device, space_used_mb: '36/7572' });
  await put('schema-01.08.json', {});
  await put('uischema-01.08.json', {});
  await put('config-01.08.json', {});
  const first = await health('CE-6');
  expect(first.status).toEqual({
    receivedAt: expect.any(String),
    firmware: '01.08.02',
    configName: 'config-01.08.json',
    freeMb: 7536,
    totalMb: 7572,
    clockAheadS: null,
  });
  await put('device.json', { ...device, fw_ver: '01.09.01' });
  const { status, events, quarantine } = await health('CE-6');
  expect(status).toMatchObject({ firmware: '01.09.01', freeMb: null });
  expect(events.map(({ kind, detail }) => [kind, detail])).toContainEqual(['firmware', '01.09.01']);
  expect(events.filter(({ kind }) => ['unread-file', 'log-file'].includes(kind))).toEqual([]);
  expect(quarantine).toEqual([]);
  const list = (await a.portal.get('/api/machine/log-file/CE-6', a.admin)).json();
  expect(list).toEqual({ files: [], count: 0 });
});

test('the secrets in the configuration of a CANedge are in no table and no file of the portal (43.12)', async () => {
  await a.create('CE-7');
  await bind('CE-7', '7A7B7C7D', 'canedge');
  await makeConfig('CE-7');
  const own = await configured('CE-7');
  const server = JSON.parse((await download('CE-7')).text).connect.s3.server;
  const secrets = [server.secretkey as string, 'wachtwoord-van-de-keet', 'pin-98431'];
  const [, password, pin] = secrets;
  const connect = {
    wifi: { accesspoint: [{ ssid: 'keet', pwd: password }] },
    cellular: { pin },
    s3: { server },
  };
  const name = 'config-01.09.json';
  const content = JSON.stringify({ log: { file: { split_size: 50 } }, connect });
  const { ETag } = await a.fleet.put(own, name, content, own.loggerSerial);
  expect(ETag).toBe(`"${createHash('md5').update(content).digest('hex')}"`);
  const upload = { Bucket: 'telemetry', Key: `${own.loggerSerial}/parts/${name}` };
  const client = a.fleet.clientOf(own);
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload));
  // Parts this small cannot be joined, so only part 1 is completed, and part 2 stays stored as a part.
  for (const PartNumber of [1, 2])
    await client.send(new UploadPartCommand({ ...upload, UploadId, PartNumber, Body: content }));
  expect(await findTablesContaining(a.portal.pool, secrets)).toEqual([]);
  const stored = await readStoredBody(a.portal.pool, own.loggerSerial, `${own.loggerSerial}/${name}`);
  expect(stored?.length).toBe(Buffer.byteLength(content));
  expect(JSON.parse(String(stored)).log).toEqual({ file: { split_size: 50 } });
  await a.fleet.put(own, `kapot/${name}`, content.slice(0, -1), own.loggerSerial);
  expect(await findTablesContaining(a.portal.pool, secrets)).toEqual([]);
});

test('a new key makes the settings of a CANedge outdated, and a changed definition or network does not (43.6)', async () => {
  await a.create('CE-2');
  await bind('CE-2', '0000ABCD', 'canedge');
  await makeConfig('CE-2');
  await a.upload('CE-2', BATTERY_DBC);
  await a.call('POST /api/machine/writer/network', { body: { serial: 'CE-2', kind: 'mobile', apn: 'm2m' } });
  expect((await health('CE-2')).config.outdated).toBe(false);
  await a.call('POST /api/machine/writer/key', { body: { serial: 'CE-2' } });
  expect((await health('CE-2')).config.outdated).toBe(true);
  await makeConfig('CE-2');
  expect((await health('CE-2')).config).toMatchObject({ outdated: false, oldAddress: null });
});

test('a CANedge can replace a ReXgen and move to another machine, and is never bound to two machines (43.6)', async () => {
  await a.machine('CE-3');
  const replaces = validMachineForm('CE-3').influx_serial;
  const body = { serial: 'CE-3', influx_serial: 'A1B2C3D4', replaces, logger_kind: 'canedge' };
  expect((await a.call('POST /api/machine/writer/replace', { body })).status).toBe(200);
  expect(await health('CE-3')).toMatchObject({ loggerId: 'A1B2C3D4', kind: 'canedge' });
  await a.create('CE-4');
  const taken = await bind('CE-4', 'a1b2c3d4', 'canedge');
  expect([taken.status, taken.message]).toEqual([
    409,
    'Logger A1B2C3D4 hoort bij machine CE-3. Koppel hem daar eerst los.',
  ]);
  const move = { serial: 'CE-4', influx_serial: 'A1B2C3D4', from: 'CE-3', logger_kind: 'canedge' };
  expect((await a.call('POST /api/machine/writer/move', { body: move })).status).toBe(200);
  expect((await health('CE-3')).kind).toBe('rexgen');
  expect(await health('CE-4')).toMatchObject({ loggerId: 'A1B2C3D4', kind: 'canedge' });
});

test('a machine is created for a CANedge, whose device id must have the form of a CANedge’s (43.6)', async () => {
  const form = { ...validMachineForm('CE-5'), influx_serial: 'c0ffee00' };
  const wrong = await a.call('POST /api/machine/create', { body: form });
  expect([wrong.status, wrong.message]).toEqual([400, 'Influx serienummer moet uit 7 cijfers bestaan.']);
  const made = await a.call('POST /api/machine/create', { body: { ...form, logger_kind: 'canedge' } });
  expect(made.status).toBe(200);
  expect((await health('CE-5')).plannedLogger).toBe('C0FFEE00');
  expect((await bind('CE-5', 'c0ffee00', 'canedge')).status).toBe(200);
  expect((await health('CE-5')).loggerId).toBe('C0FFEE00');
});

test('the database rejects a logger serial number that does not have the form of its kind of logger (43.6)', async () => {
  const insert = (serial: string, kind: string) =>
    a.portal.pool.query(
      `insert into writer (stream_id, logger_serial, kind, valid_to) select id, $1, $2, 'infinity' from stream limit 1`,
      [serial, kind],
    );
  for (const [serial, kind] of [
    ['1234567', 'canedge'],
    ['12345678', 'rexgen'],
    ['2f6913db', 'canedge'],
    ['1234567', 'other'],
  ] as const)
    await expect(insert(serial, kind)).rejects.toMatchObject({ code: '23514' });
});
