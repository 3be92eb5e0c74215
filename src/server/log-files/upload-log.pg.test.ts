import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import type { LogFile } from '#shared/contract/log-files.ts';
import { CARD_SECRET_KEY, createSdCardFile, uploadSdCardFile } from './test/sd-card.ts';

const START = Date.parse('2026-06-01T08:00:00Z');

let a: AdminTestPortal;
let technician: string;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  const { pool } = a.portal;
  const { rows } = await pool.query(`select id from organization where name = 'admin'`);
  await a.portal.user('technicus@portaal.nl', rows[0].id, 'technicus');
  technician = await a.portal.login('technicus@portaal.nl');
});
afterAll(() => a.close());

/**
 * Creates a machine with a logger and a DBC.
 * @returns the logger's serial number
 */
async function machine(serial: string): Promise<string> {
  await a.machine(serial);
  await a.upload(serial, BATTERY_DBC);
  await a.portal.untilNotified();
  return validMachineForm(serial).influx_serial;
}
const streamOf = async (serial: string): Promise<number> =>
  (await a.portal.pool.query('select id from stream where serial = $1', [serial])).rows[0].id;
const readingsOf = async (serial: string) => a.fleet.readingsOf(await streamOf(serial));
const listed = async (serial: string): Promise<LogFile[]> =>
  (await a.call(`GET /api/machine/log-file/${serial}`)).json.files;
const lastAudit = async () =>
  (
    await a.portal.pool.query(
      `select actor, action, subject, data from ${AUDIT_ROWS_SQL} order by id desc limit 1`,
    )
  ).rows[0];

test('a technicus uploads the file of an SD card, its readings are added to the machine’s history, and the table of log files has its summary (43.5)', async () => {
  const logger = await machine('C-1');
  const file = createSdCardFile(logger, START, { seconds: 3600, others: [0x700, 0x701] });
  const { status, json } = await uploadSdCardFile(a, 'C-1', file, technician);
  expect([status, json]).toEqual([
    200,
    {
      id: expect.any(String),
      name: file.name,
      loggerSerial: logger,
      size: file.bytes.length,
      at: expect.any(String),
      isByHand: true,
      summary: {
        from: '2026-06-01T08:00:00.000Z',
        to: '2026-06-01T08:59:59.000Z',
        frames: 3 * 3600,
        unknownFrames: 2 * 3600,
        unknownIdentifiers: 2,
        mapped: expect.any(Number),
        found: expect.any(Number),
        missing: expect.any(Array),
      },
      result: '3.600 metingen',
      findings: [{ kind: 'readings', count: 3600 }],
      canDecode: true,
      isWithheld: false,
    },
  ]);
  const { mapped, found, missing } = json.summary;
  expect([found > 0, found + missing.length]).toEqual([true, mapped]);
  expect(await readingsOf('C-1')).toBe(3600);
  expect(await listed('C-1')).toEqual([json]);
  expect(await lastAudit()).toMatchObject({
    actor: 'technicus@portaal.nl',
    action: 'log-file.upload',
    subject: 'C-1',
    data: { logger, file: file.name, size: file.bytes.length },
  });
});

test('a second upload of the same file replaces it and adds no reading (43.5)', async () => {
  const logger = await machine('C-2');
  const file = createSdCardFile(logger, START);
  await uploadSdCardFile(a, 'C-2', file);
  expect((await uploadSdCardFile(a, 'C-2', file)).json.result).toBe('60 metingen');
  expect([await readingsOf('C-2'), (await listed('C-2')).length]).toEqual([60, 1]);
});

test('the secrets of an .rxd file are blanked in the stored and the downloaded file (43.5)', async () => {
  const logger = await machine('C-3');
  const file = createSdCardFile(logger, START);
  expect(file.bytes.includes(CARD_SECRET_KEY)).toBe(true);
  const { json } = await uploadSdCardFile(a, 'C-3', file);
  const { rows } = await a.portal.pool.query(
    `select string_agg(data, '' order by n) as bytes from object_chunk where object_id = $1`,
    [json.id],
  );
  expect([rows[0].bytes.length, rows[0].bytes.includes(CARD_SECRET_KEY)]).toEqual([file.bytes.length, false]);
  const answer = await a.portal.get(`/api/machine/log-file/C-3/${json.id}`, a.admin);
  expect(answer.headers).toMatchObject({
    'content-disposition': `attachment; filename="${file.name}"`,
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.rawPayload).toEqual(rows[0].bytes);
  expect(await lastAudit()).toMatchObject({ action: 'log-file.download', data: { file: file.name } });
});

test('an uploaded file with no frame that the DBC contains is kept for another DBC, and the answer says how many frames are unknown (43.5)', async () => {
  const logger = await machine('C-4');
  const { status, json } = await uploadSdCardFile(a, 'C-4', createSdCardFile(logger, START, { bms: 0x123 }));
  expect([status, json.result, json.summary]).toEqual([
    200,
    expect.stringMatching(
      /^0 metingen; geen van de 60 frames staat in het DBC-bestand van zijn CAN-bus \(1 onbekende identifier\): /,
    ),
    expect.objectContaining({ frames: 60, unknownIdentifiers: 1, found: 0 }),
  ]);
});

test.each([
  ['rit.rxd', 'geen rxd', /^Dit bestand is niet bewaard: Het \.rxd-bestand houdt op in zijn configuratie/],
  [
    'nul.rxd',
    Buffer.alloc(2048),
    /^Dit bestand is niet bewaard: Dit is geen \.rxd-bestand van een ReXgen-logger/,
  ],
  [
    'rit.log',
    'geen frame\n',
    /^Dit bestand is niet bewaard: Het logbestand heeft geen enkele leesbare regel/,
  ],
  ['rit.rxe', 'x', /versleuteld \(RSA\) en kan niet gelezen worden/],
  ['rit.rxd.gz', gzipSync('x'), /^Pak dit bestand eerst uit/],
  ['foto.jpg', 'x', /^Dit soort bestand leest het portaal niet\. Het leest \.rxd, /],
  ['Status.json', '{}', /^Dit soort bestand leest het portaal niet/],
  ['leeg.rxd', '', /^Het bestand is leeg\.$/],
  ['../rit.rxd', 'x', /^De naam van het bestand is onleesbaar\.$/],
])('an uploaded file is rejected with the reason, and not stored: %s (43.5)', async (name, body, reason) => {
  if ((await a.call('GET /api/machine/log-file/C-5')).status === 404) await machine('C-5');
  const { status, message } = await uploadSdCardFile(a, 'C-5', { name, bytes: Buffer.from(body) });
  expect([status, message]).toEqual([400, expect.stringMatching(reason)]);
  expect(await listed('C-5')).toEqual([]);
});

test('a file of a logger that was never on this machine is rejected, and an upload for a machine without a logger gets a message to bind one (43.5)', async () => {
  await machine('C-6');
  const other = await machine('C-7');
  const { status, message } = await uploadSdCardFile(a, 'C-6', createSdCardFile(other, START));
  expect([status, message]).toEqual([
    400,
    `Dit bestand is van logger ${other}, en die was nooit aan deze machine gekoppeld. Upload het bij de machine van die logger.`,
  ]);
  await a.call('POST /api/machine/writer/release', { body: { serial: 'C-7' } });
  await a.portal.untilNotified();
  expect(await uploadSdCardFile(a, 'C-7', createSdCardFile(other, START))).toMatchObject({
    status: 409,
    message: 'Koppel eerst een logger aan deze machine.',
  });
  expect([await readingsOf('C-6'), await readingsOf('C-7')]).toEqual([0, 0]);
});

test('an uploaded file of a former logger gives the machine the readings from the time before that logger moved to another machine (43.5)', async () => {
  const former = await machine('C-8');
  await a.machine('C-9');
  await a.call('POST /api/machine/writer/replace', {
    body: { serial: 'C-8', influx_serial: '4999001', replaces: former },
  });
  await a.call('POST /api/machine/writer/replace', {
    body: { serial: 'C-9', influx_serial: former, replaces: validMachineForm('C-9').influx_serial },
  });
  await a.portal.pool.query(
    `update writer set valid_to = $2 where logger_serial = $1 and valid_to <> 'infinity'`,
    [former, new Date(START + 30_000)],
  );
  await a.portal.pool.query(
    `update writer set valid_from = $2 where logger_serial = $1 and valid_to = 'infinity'`,
    [former, new Date(START + 30_000)],
  );
  await a.portal.pool.query(`select pg_notify('werkstroom', 'directory')`);
  await a.call('POST /api/machine/writer/key', { body: { serial: 'C-9' } });
  await a.portal.untilNotified();
  const { status, json } = await uploadSdCardFile(a, 'C-8', createSdCardFile(former, START));
  expect([status, json.result, json.loggerSerial]).toEqual([
    200,
    `30 metingen; de metingen van een tijd waarin logger ${former} bij iets anders hoorde zijn weggelaten`,
    '4999001',
  ]);
  expect([await readingsOf('C-8'), await readingsOf('C-9')]).toEqual([30, 0]);
  const elsewhere = await uploadSdCardFile(a, 'C-8', createSdCardFile(former, START + 3_600_000));
  expect([elsewhere.status, elsewhere.message]).toEqual([
    400,
    `Dit bestand is niet bewaard: het is van een tijd waarin logger ${former} niet aan deze machine gekoppeld was.`,
  ]);
});

test('a file that a person uploaded is not in the listing of the upload endpoint (43.5)', async () => {
  const logger = await machine('C-10');
  await a.call('POST /api/machine/writer/key', { body: { serial: 'C-10' } });
  await uploadSdCardFile(a, 'C-10', createSdCardFile(logger, START));
  const own = await a.loggerOf('C-10');
  await a.fleet.put(own, 'eigen.log', '(1780308000.000000) can0 1F4#A0');
  const { Contents = [] } = await a.fleet
    .clientOf(own)
    .send(new ListObjectsV2Command({ Bucket: 'telemetry' }));
  expect(Contents.map(({ Key }) => Key)).toEqual([`WS_SN${logger}/eigen.log`]);
});

test('an upload beyond the size or the quota of a day is rejected (43.5)', async () => {
  const logger = await machine('C-11');
  const { name, bytes } = createSdCardFile(logger, START);
  await uploadSdCardFile(a, 'C-11', { name, bytes });
  const { quotas } = a.portal.portal.telemetry;
  await a.portal.pool.query('update object set size = $2 where logger_serial = $1', [logger, quotas.keyDay]);
  const { status, message } = await uploadSdCardFile(a, 'C-11', createSdCardFile(logger, START + 60_000));
  expect([status, message]).toEqual([
    429,
    expect.stringMatching(
      /^Voor deze machine is vandaag al .* aan logbestanden geüpload\. Ga morgen verder\.$/,
    ),
  ]);
  const tooLarge = request(`${a.portal.address}/api/machine/log-file/upload?serial=C-11&name=a.rxd`, {
    method: 'POST',
    headers: {
      ...SCRIPT_HEADERS,
      cookie: a.admin,
      'content-type': 'application/octet-stream',
      'content-length': 129 * 1024 ** 2,
    },
  });
  tooLarge.on('error', () => {});
  tooLarge.write('x');
  const [answer] = await once(tooLarge, 'response');
  expect(answer.statusCode).toBe(413);
  tooLarge.destroy();
});

test('a large file that is rejected by its name gets the reason as its answer (43.5)', async () => {
  await machine('C-13');
  const answer = await fetch(`${a.portal.address}/api/machine/log-file/upload?serial=C-13&name=film.mp4`, {
    method: 'POST',
    headers: { ...SCRIPT_HEADERS, cookie: a.admin, 'content-type': 'application/octet-stream' },
    body: Buffer.alloc(30 * 1024 ** 2),
  });
  expect([answer.status, (await answer.json()).message]).toEqual([
    400,
    expect.stringMatching(/^Dit soort bestand leest het portaal niet/),
  ]);
});

test('an upload stores nothing if the person is signed out before the upload is complete (43.5)', async () => {
  const logger = await machine('C-14');
  const { name, bytes } = createSdCardFile(logger, START);
  // Zeros at the end are no records. The body is larger than the socket buffers, so the portal has begun to read it.
  const body = Buffer.concat([bytes, Buffer.alloc(40 * 1024 ** 2)]);
  const most = 30 * 1024 ** 2;
  const cookie = await a.portal.login('technicus@portaal.nl');
  const url = `${a.portal.address}/api/machine/log-file/upload?${new URLSearchParams({ serial: 'C-14', name })}`;
  const upload = request(url, {
    method: 'POST',
    headers: {
      ...SCRIPT_HEADERS,
      cookie,
      'content-type': 'application/octet-stream',
      'content-length': body.length,
    },
  });
  await new Promise((sent) => upload.write(body.subarray(0, most), sent));
  expect((await a.call('POST /api/auth/logout', { as: cookie })).status).toBe(200);
  upload.end(body.subarray(most));
  const [answer] = await once(upload, 'response');
  answer.resume();
  expect([answer.statusCode, await readingsOf('C-14'), await listed('C-14')]).toEqual([401, 0, []]);
});

test('an upload whose connection breaks leaves no file, no reading and no spool file (43.5)', async () => {
  const logger = await machine('C-12');
  const { name, bytes } = createSdCardFile(logger, START, { seconds: 600 });
  const url = `${a.portal.address}/api/machine/log-file/upload?${new URLSearchParams({ serial: 'C-12', name })}`;
  const broken = request(url, {
    method: 'POST',
    headers: {
      ...SCRIPT_HEADERS,
      cookie: a.admin,
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
    },
  });
  broken.on('error', () => {});
  await new Promise((sent) => broken.write(bytes.subarray(0, bytes.length - 1), sent));
  const closed = new Promise((done) => broken.once('close', done));
  broken.destroy();
  await closed;
  // The next upload of the account is answered after the broken one is released.
  expect((await uploadSdCardFile(a, 'C-12', createSdCardFile(logger, START + 3_600_000))).status).toBe(200);
  expect([await readingsOf('C-12'), (await listed('C-12')).length]).toEqual([60, 1]);
  // A spool file exists briefly while an upload is decoded.
  await expect.poll(() => readdir(a.portal.portal.spoolDirectory)).toEqual([]);
});
