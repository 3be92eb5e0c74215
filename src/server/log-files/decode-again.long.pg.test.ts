import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal, BATTERY_DBC, validMachineForm } from '#server/machines/test/administration.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { createSdCardFile, uploadSdCardFile } from './test/sd-card.ts';

const START = Date.parse('2026-06-01T08:00:00Z');

let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.portal.organization('koper');
});
afterAll(() => a.close());

const listed = async (serial: string) => (await a.call(`GET /api/machine/log-file/${serial}`)).json;
const again = (serial: string, id: string) =>
  a.call('POST /api/machine/log-file/decode', { body: { serial, id } });
const download = async (serial: string, id: string) =>
  (await a.call(`GET /api/machine/log-file/${serial}/${id}`)).status;
async function withKey(serial: string) {
  await a.machine(serial);
  await a.call('POST /api/machine/writer/key', { body: { serial } });
  return a.loggerOf(serial);
}

test('a log file that was uploaded before the DBC can be decoded again, its readings are stored, and the table shows the new result (43.5)', async () => {
  await a.machine('D-1');
  const { json } = await uploadSdCardFile(
    a,
    'D-1',
    createSdCardFile(validMachineForm('D-1').influx_serial, START),
  );
  expect(json.result).toMatch(/^0 metingen; er is geen datadefinitie \(DBC\) voor deze logger/);
  await a.upload('D-1', BATTERY_DBC);
  await a.portal.untilNotified();
  const decoded = await again('D-1', json.id);
  expect([decoded.status, decoded.json]).toEqual([
    200,
    {
      ...json,
      result: '60 metingen',
      findings: [{ kind: 'readings', count: 60 }],
      summary: expect.objectContaining({ found: 1, unknownIdentifiers: 0 }),
    },
  ]);
  expect((await listed('D-1')).files).toEqual([decoded.json]);
  const { rows } = await a.portal.pool.query(
    `select action, subject, data from ${AUDIT_ROWS_SQL} order by id desc limit 1`,
  );
  expect(rows[0]).toMatchObject({
    action: 'log-file.decode',
    subject: 'D-1',
    data: { logger: json.loggerSerial, file: json.name },
  });
});

test('a log file that a logger delivered has the same summary as an uploaded one, and can be decoded again (43.5)', async () => {
  const own = await withKey('D-2');
  await a.upload('D-2', BATTERY_DBC);
  await a.portal.untilNotified();
  await a.fleet.put(own, 'rit.log', '(1780308000.000000) can0 1F4#A0\n(1780308001.000000) can0 7FF#A0\n');
  const { files } = await listed('D-2');
  expect(files).toMatchObject([
    {
      name: 'rit.log',
      isByHand: false,
      result: '1 meting',
      summary: { from: '2026-06-01T10:00:00.000Z', frames: 2, unknownFrames: 1, unknownIdentifiers: 1 },
    },
  ]);
  expect((await again('D-2', files[0].id)).json).toEqual(files[0]);
});

test('the table of log files has no file of another machine or a former owner, and a file whose readings wait in quarantine can be neither downloaded nor decoded again (43.5)', async () => {
  const own = await withKey('D-3');
  await withKey('D-4');
  await a.fleet.put(own, 'rit.log', '(1780308000.000000) can0 1F4#A0\n');
  const [{ id }] = (await listed('D-3')).files;
  expect((await listed('D-4')).count).toBe(0);
  expect([await download('D-4', id), (await again('D-4', id)).status]).toEqual([404, 404]);

  await a.portal.pool.query('update object set is_withheld = true where id = $1', [id]);
  expect((await listed('D-3')).files).toMatchObject([{ isWithheld: true, canDecode: false }]);
  expect([await download('D-3', id), (await again('D-3', id)).status]).toEqual([409, 409]);
  await a.portal.pool.query('update object set is_withheld = false where id = $1', [id]);
  expect(await download('D-3', id)).toBe(200);

  a.fleet.clock = Date.now();
  expect((await a.sell('D-3', 'koper')).status).toBe(200);
  expect((await listed('D-3')).count).toBe(0);
  expect([await download('D-3', id), (await again('D-3', id)).status]).toEqual([404, 404]);
});

test('when a logger moves, the table of each machine has the files of the time on that machine (43.5)', async () => {
  const own = await withKey('D-7');
  await a.fleet.put(own, 'eerst.log', '(1780308000.000000) can0 1F4#A0\n');
  await a.call('POST /api/machine/writer/release', { body: { serial: 'D-7' } });
  await a.machine('D-8', { influx_serial: own.loggerSerial });
  await a.call('POST /api/machine/writer/key', { body: { serial: 'D-8' } });
  await a.portal.untilNotified();
  await a.fleet.put(await a.loggerOf('D-8'), 'later.log', '(1780308000.000000) can0 1F4#A0\n');
  const names = async (serial: string) =>
    (await listed(serial)).files.map(({ name }: { name: string }) => name);
  expect([await names('D-7'), await names('D-8')]).toEqual([['eerst.log'], ['later.log']]);
});

test('the list of log files has 20 files unless the caller asks for more, at most 1,000, and contains the total number (43.5)', async () => {
  const own = await withKey('D-5');
  await a.portal.pool.query(
    `insert into object (logger_serial, key, size, etag, content_type, outcome, log_stored_at)
     select $1, 'WS_SN' || $1 || '/' || n || '.log', 1, 'x', 'x', '[]', now() from generate_series(1, 1000) as n`,
    [own.loggerSerial],
  );
  const first = await listed('D-5');
  expect([first.count, first.files.length]).toEqual([1_000, 20]);
  const all = await a.call('GET /api/machine/log-file/D-5', { query: { most: '1000' } });
  expect(all.json.files).toHaveLength(1_000);
  expect((await a.call('GET /api/machine/log-file/D-5', { query: { most: '1001' } })).status).toBe(400);
});

test('an LMB logger has the same table of log files, and accepts the same files (43.5)', async () => {
  await a.portal.organization('spoor', { isLmbCustomer: true });
  const loggerid = '4700001';
  await a.call('GET /api/berend/new', { query: { organization: 'spoor', loggerid, alias: 'Krol' } });
  await a.upload(loggerid, BATTERY_DBC);
  await a.portal.untilNotified();
  const { status, json } = await uploadSdCardFile(a, loggerid, createSdCardFile(loggerid, START));
  expect([status, json.result]).toEqual([200, '60 metingen']);
  expect((await listed(loggerid)).files).toEqual([json]);
});

test('re-decoding a machine’s files after a change of the mapping includes a file of a former logger (43.5)', async () => {
  await a.machine('D-6');
  const former = validMachineForm('D-6').influx_serial;
  await a.upload('D-6', BATTERY_DBC);
  await a.call('POST /api/machine/writer/replace', {
    body: { serial: 'D-6', influx_serial: '4999002', replaces: former },
  });
  await a.portal.pool.query(`update writer set valid_to = $2 where logger_serial = $1`, [
    former,
    new Date(START + 86_400_000),
  ]);
  await a.portal.pool.query(`update writer set valid_from = $1 where logger_serial = '4999002'`, [
    new Date(START + 86_400_000),
  ]);
  await a.call('POST /api/machine/writer/key', { body: { serial: 'D-6' } });
  await a.portal.untilNotified();
  expect((await uploadSdCardFile(a, 'D-6', createSdCardFile(former, START))).json.result).toBe('60 metingen');
  const signals = [{ bus: 0, message: 'BMS_Status', signal: 'soc1', to: 'Soc2' }];
  await a.call('POST /api/machine/dbc/mapping', { body: { serial: 'D-6', mapping: { signals, keep: [] } } });
  expect(
    (await a.call('POST /api/machine/dbc/redecode', { body: { serial: 'D-6', preview: false } })).status,
  ).toBe(200);
  await expect
    .poll(async () => (await a.call('GET /api/machine/dbc/D-6/redecode')).json.redecoding.state, {
      timeout: 30_000,
    })
    .toBe('done');
  const { streamId } = await a.loggerOf('D-6');
  const rows = await storedRows(a.portal.pool, streamId, ['soc1', 'soc2']);
  expect(rows).toEqual(Array(60).fill({ soc1: null, soc2: 50 }));
});
