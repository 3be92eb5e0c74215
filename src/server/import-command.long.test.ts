import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Definition } from '#shared/contract/definition.ts';
import { IMPORT_CANDUMP_LOG, IMPORT_DBC, IMPORT_GVRET_LOG, ImportTestPortal } from './test/import-desk.ts';

let desk: ImportTestPortal;
beforeAll(async () => {
  desk = await ImportTestPortal.open();
});
afterAll(() => desk.close());

test('an import of a candump log stores its readings, and a second run stores nothing new (INGEST-04, INGEST-05, 13.9i)', async () => {
  const streamId = await desk.machine('IMP-1');
  const args = [
    ...['--machine', 'IMP-1', '--log', await desk.file('drive.log', IMPORT_CANDUMP_LOG)],
    ...['--dbc', `can0=${await desk.file('own.dbc', IMPORT_DBC)}`],
    ...['--mapping', await desk.file('map.json', '{"PackSoc": "Soc1", "Rpm": "MotorSpeed"}')],
    ...['--start', '2026-06-01T12:00:00+02:00'],
  ];
  const first = await desk.run(...args);
  expect(first).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^2 new readings; 0 were there already; 4 frames .* 1 of them .*; 1 line was not read: line 5 is "\(7\.500000\) can0 1"; expected is a line such as "\(1436509052\.249713\) can0 123#DEADBEEF" \(candump -L\)\.\n$/,
    ),
    stderr: expect.any(String),
    auditRows: [
      expect.objectContaining({
        action: 'readings.import',
        subject: 'IMP-1',
        streamId,
        data: { file: 'drive.log', size: IMPORT_CANDUMP_LOG.length },
      }),
      expect.objectContaining({ action: 'readings.imported', subject: 'IMP-1', data: { file: 'drive.log' } }),
    ],
  });
  const rows = [
    { time: new Date('2026-06-01T10:00:00Z'), soc1: 80, motorSpeed: null, speed: null, rest: null },
    { time: new Date('2026-06-01T10:00:02Z'), soc1: 81, motorSpeed: 1000, speed: null, rest: null },
  ];
  expect(await desk.rowsOf(streamId)).toEqual(rows);
  expect((await desk.run(...args)).stdout).toMatch(/^0 new readings; 2 were there already;/);
  expect(await desk.rowsOf(streamId)).toEqual(rows);
  expect((await desk.live('IMP-1'))?.liveData).toMatchObject({ Soc1: 81, MotorSpeed: 1000 });
});

test("an import without --dbc uses the machine's own definition, and reads gzip (INGEST-05)", async () => {
  const definition: Definition = {
    buses: [{ bus: 0, bitrate: 250_000, name: 'own.dbc', dbc: IMPORT_DBC }],
    mapping: { signals: [{ signal: 'PackSoc', to: 'Soc1' }], keep: [{ bus: 0, message: 'Motor' }] },
  };
  const streamId = await desk.machine('IMP-2');
  await desk.portal.logger(streamId, '6000001', definition);
  const log = await desk.file('WS_6000001_20260601_100000.log.gz', gzipSync(IMPORT_CANDUMP_LOG));
  expect((await desk.run('--machine', 'IMP-2', '--log', log)).code).toBe(0);
  expect(await desk.rowsOf(streamId)).toMatchObject([{ soc1: 80 }, { soc1: 81, rest: { Rpm: 1000 } }]);
});

test('--undo removes the readings of an import, also after the mapping was corrected, and keeps those of other sources (55.14, 55.68)', async () => {
  const definition: Definition = {
    buses: [{ bus: 0, bitrate: 250_000, name: 'own.dbc', dbc: IMPORT_DBC }],
    mapping: { signals: [{ signal: 'PackSoc', to: 'Soc2' }], keep: [{ bus: 0, message: 'Motor' }] },
  };
  const streamId = await desk.machine('IMP-9');
  await desk.portal.logger(streamId, '6000009', definition);
  const other = await desk.file('other.csv', 'time,Speed\n2026-06-01T10:00:00Z,3.5\n');
  await desk.run('--machine', 'IMP-9', '--log', other);
  const args = [
    '--machine',
    'IMP-9',
    '--log',
    await desk.file('WS_6000009_20260601_100000.log', IMPORT_CANDUMP_LOG),
  ];
  const before = await desk.rowsOf(streamId);
  const none = await desk.run(...args, '--undo');
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('was not imported for IMP-9')]);
  await desk.run(...args);
  expect(await desk.rowsOf(streamId)).toHaveLength(2);
  await desk.portal.pool.query(`update writer set definition_id = null where stream_id = $1`, [streamId]);
  const undone = await desk.run(...args, '--undo');
  expect([undone.code, undone.stdout]).toEqual([0, '1 readings removed; 1 lost a part of their values.\n']);
  expect(await desk.rowsOf(streamId)).toEqual(before);
  expect(undone.auditRows).toEqual([expect.objectContaining({ action: 'readings.undo-import' })]);
  const again = await desk.run(...args, '--undo');
  // The error says when the import was undone (55.68).
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining('for IMP-9 was undone already, at 20'),
  ]);
  // A second import of the file, after the undo, stores its readings again.
  await desk.portal.pool.query(
    `update writer set definition_id = (select max(id) from definition where stream_id = $1) where stream_id = $1`,
    [streamId],
  );
  expect((await desk.run(...args)).stdout).toMatch(/^1 new readings; 1 were there already/);
});

test('an import with a J1939 DBC file decodes the log as J1939 (42.1)', async () => {
  const streamId = await desk.machine('IMP-10');
  const dbc =
    'BO_ 2566873598 Pack: 8 X\n SG_ Charge : 0|8@1+ (0.4,0) [0|100] "%" X\nBA_ "ProtocolType" "J1939";\n';
  const log = '(1780300800.000000) can0 0CFF6117#64\n(1780300801.000000) can0 0CFF6117#FF\n';
  const { code } = await desk.run(
    ...['--machine', 'IMP-10', '--log', await desk.file('j1939.log', log)],
    ...['--dbc', `can0=${await desk.file('j1939.dbc', dbc)}`],
    ...['--mapping', await desk.file('j1939.json', '{"Charge": "Soc1"}')],
  );
  expect(code).toBe(0);
  expect(await desk.rowsOf(streamId)).toMatchObject([{ soc1: 40 }]);
});

test('an import reports the unreadable parts of a DBC file and decodes the rest (43.7)', async () => {
  const streamId = await desk.machine('IMP-11');
  const dbc =
    'BO_ 513 Pack: 8 X\n SG_ Bad : 0|0@1+ (1,0) [0|0] "" X\n SG_ Charge : 0|8@1+ (0.4,0) [0|100] "%" X\n';
  const { code, stderr } = await desk.run(
    ...['--machine', 'IMP-11', '--log', await desk.file('bad.log', '(1780300800.000000) can0 201#64\n')],
    ...['--dbc', `can0=${await desk.file('bad.dbc', dbc)}`],
    ...['--mapping', await desk.file('bad.json', '{"Charge": "Soc1"}')],
  );
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(
      'bad.dbc - Niet leesbaar:\n  regel 2, signaal Bad van Pack: 0 bits (1 tot en met 64 kan)\n',
    ),
  ]);
  expect(await desk.rowsOf(streamId)).toMatchObject([{ soc1: 40 }]);
});

test('an import of wide CSV needs no data definition (INGEST-05)', async () => {
  const streamId = await desk.machine('IMP-3');
  const csv = await desk.file('export.csv', 'time,Soc1,Speed,Oil\n2026-06-01T10:00:00Z,50,3.5,80\n');
  expect((await desk.run('--machine', 'IMP-3', '--log', csv)).code).toBe(0);
  expect(await desk.rowsOf(streamId)).toEqual([
    { time: new Date('2026-06-01T10:00:00Z'), soc1: 50, motorSpeed: null, speed: 3.5, rest: { Oil: 80 } },
  ]);
});

test('an import recognizes GVRET CSV by its first row and reads it like the candump of the same log (INGEST-05)', async () => {
  const streamId = await desk.machine('IMP-6');
  const args = [
    ...['--machine', 'IMP-6', '--log', await desk.file('savvycan.csv.gz', gzipSync(IMPORT_GVRET_LOG))],
    ...['--dbc', `can0=${await desk.file('own.dbc', IMPORT_DBC)}`],
    ...['--mapping', await desk.file('map.json', '{"PackSoc": "Soc1", "Rpm": "MotorSpeed"}')],
    ...['--start', '2026-06-01T12:00:00+02:00'],
  ];
  expect((await desk.run(...args)).stdout).toMatch(
    /^2 new readings; 0 were there already; 4 frames .* 1 of them .*; 1 line was not read: line 6 is "7500000,0000"; expected is a line with the columns of the first line.*\n$/,
  );
  const rows = await desk.rowsOf(streamId);
  expect(rows).toMatchObject([
    { time: new Date('2026-06-01T10:00:00Z'), soc1: 80, motorSpeed: null },
    { time: new Date('2026-06-01T10:00:02Z'), soc1: 81, motorSpeed: 1000 },
  ]);
  expect((await desk.run(...args)).stdout).toMatch(/^0 new readings; 2 were there already;/);
  expect(await desk.rowsOf(streamId)).toEqual(rows);
});

test('an import of GPX needs no data definition, and a second run stores nothing new (INGEST-05)', async () => {
  const streamId = await desk.machine('IMP-7');
  const at = (second: number) => `<time>2026-06-01T10:00:0${second}Z</time>`;
  const gpx = await desk.file(
    'ride.gpx',
    `<?xml version="1.0"?><gpx version="1.1"><trk><trkseg>
<trkpt lat="52.1" lon="5.1">${at(0)}<ele>4</ele><extensions><gpxtpx:speed>2</gpxtpx:speed></extensions></trkpt>
<trkpt lat="52.2" lon="5.2"></trkpt>
<trkpt lat="52.1001" lon="5.1">${at(5)}</trkpt>
</trkseg></trk></gpx>`,
  );
  expect((await desk.run('--machine', 'IMP-7', '--log', gpx)).stdout).toMatch(
    /^2 new readings; 0 were there already; 2 frames .*; 1 line was not read: line 3 is "<trkpt .*\n$/,
  );
  const rows = await desk.rowsOf(streamId);
  expect(rows).toMatchObject([
    { time: new Date('2026-06-01T10:00:00Z'), speed: expect.closeTo(7.2, 4), rest: { ELEVATION: 4 } },
    { time: new Date('2026-06-01T10:00:05Z'), speed: null, rest: null },
  ]);
  expect((await desk.live('IMP-7'))?.liveData).toMatchObject({ LATITUDE: 52.1001, LONGITUDE: 5.1 });
  expect((await desk.run('--machine', 'IMP-7', '--log', gpx)).stdout).toMatch(
    /^0 new readings; 2 were there/,
  );
  expect(await desk.rowsOf(streamId)).toEqual(rows);
});

test('an import that gives no reading exits with 1 and the reason (52.2)', async () => {
  await desk.machine('IMP-NOTHING');
  const output = await desk.run(
    ...['--machine', 'IMP-NOTHING', '--log', await desk.file('nothing.log', '(1780308000.0) can0 3A5#00\n')],
    ...['--dbc', `can0=${await desk.file('nothing.dbc', IMPORT_DBC)}`],
    ...['--mapping', await desk.file('nothing.json', '{"PackSoc": "Soc1"}')],
  );
  expect(output.code).toBe(1);
  expect(output.stdout).toContain(
    '1 of them with an identifier that no DBC of their bus knows (1 identifiers)',
  );
  expect(output.stderr).toContain('Nothing of the file became a reading: ');
});
