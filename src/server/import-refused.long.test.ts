import { afterAll, beforeAll, expect, test } from 'vitest';
import { countAllStoredReadings } from '#server/telemetry/test/stored-rows.ts';
import { actionText } from '#shared/domain/log-text.ts';
import { IMPORT_CANDUMP_LOG, IMPORT_DBC, IMPORT_GVRET_LOG, ImportTestPortal } from './test/import-desk.ts';

let desk: ImportTestPortal;
beforeAll(async () => {
  desk = await ImportTestPortal.open();
  await desk.machine('IMP-1');
  await desk.machine('IMP-5');
  const files = {
    'drive.log': IMPORT_CANDUMP_LOG,
    'own.dbc': IMPORT_DBC,
    'map.json': '{"PackSoc": "Soc1"}',
    'broken.dbc': 'VERSION ""\nBU_: ECU\nBO_ 256 Battery 8 ECU\n',
    'nothing.json': '{"Nothing": "Soc1"}',
    'planned.gpx': '<gpx><rte><rtept lat="52" lon="5"/></rte></gpx>',
    'doctype.gpx': '<!DOCTYPE gpx [<!ENTITY a "b">]><gpx/>',
    'gvret.csv': IMPORT_GVRET_LOG,
    'words.csv': 'time,Soc1\ngisteren,50\nvandaag,51\n',
    'accu.json': '{"PackSoc": "Accu"}',
    'zone.csv': 'time,Soc1\n2026-06-01T10:00:00,50\n',
  };
  for (const [name, content] of Object.entries(files)) await desk.file(name, content);
});
afterAll(() => desk.close());

test.each([
  ['no arguments', () => [], /--machine and --log are needed\n\nnpm run import -- --machine SERIAL/],
  [
    'an unknown machine',
    () => ['--machine', 'NONE', '--log', 'drive.log'],
    /^There is no machine or LMB logger NONE\./,
  ],
  [
    'a log that is not there',
    () => ['--machine', 'IMP-1', '--log', 'gone.log'],
    /gone\.log cannot be read: ENOENT/,
  ],
  ['a file of another kind', () => ['--machine', 'IMP-1', '--log', 'own.dbc'], /name it \.rxd, \.mf4/],
  ['no definition', () => ['--machine', 'IMP-5', '--log', 'drive.log'], /IMP-5 has no data definition/],
  [
    'a start without a zone',
    () => ['--machine', 'IMP-1', '--log', 'drive.log', '--start', '2026-06-01T10:00'],
    /date, time and zone/,
  ],
  [
    'a broken DBC',
    () => ['--machine', 'IMP-1', '--log', 'drive.log', '--dbc', 'can0=broken.dbc'],
    /broken\.dbc, line 3 cannot be read as a DBC file: "BO_ 256 Battery 8 ECU"\./,
  ],
  [
    'a mapping that is no JSON',
    () => ['--machine', 'IMP-1', '--log', 'drive.log', '--dbc', 'can0=own.dbc', '--mapping', 'own.dbc'],
    /is no JSON/,
  ],
  [
    'a mapping to nothing',
    () => [
      '--machine',
      'IMP-1',
      '--log',
      'drive.log',
      '--dbc',
      'can0=own.dbc',
      '--mapping',
      'nothing.json',
      '--start',
      '2026-06-01T10:00:00Z',
    ],
    /There is no signal Nothing\./,
  ],
  [
    'a clock that counts from power-on',
    () => ['--machine', 'IMP-1', '--log', 'drive.log', '--dbc', 'can0=own.dbc', '--mapping', 'map.json'],
    /counts from power-on: give its start with --start/,
  ],
  ['a GPX of a route', () => ['--machine', 'IMP-1', '--log', 'planned.gpx'], /^GPX of a route only/],
  [
    'a GPX with a DOCTYPE',
    () => ['--machine', 'IMP-1', '--log', 'doctype.gpx'],
    /^GPX, line 1: a DOCTYPE is not read/,
  ],
  [
    'a GVRET CSV without a definition',
    () => ['--machine', 'IMP-5', '--log', 'gvret.csv'],
    /there is no data definition: give one with --dbc/,
  ],
  [
    'a CSV without a zone',
    () => ['--machine', 'IMP-1', '--log', 'zone.csv'],
    /line 2: the time .* has no time zone/,
  ],
  [
    'a CSV in which no line can be read',
    () => ['--machine', 'IMP-1', '--log', 'words.csv'],
    /^The log has no line that can be read: line 2 is "gisteren,50"; expected is a row of 2 columns, as the first line has, with a time such as /,
  ],
  [
    'a mapping to a name that is like one of ours',
    () => ['--machine', 'IMP-1', '--log', 'drive.log', '--dbc', 'can0=own.dbc', '--mapping', 'accu.json'],
    /^Mapping, entry 1 \(PackSoc\): Accu is no signal of the portal\. Did you mean BatteryCurrent/,
  ],
])('an import refuses %s with a sentence and stores nothing (API-03)', async (_, args, sentence) => {
  const count = () => countAllStoredReadings(desk.portal.pool);
  const before = await count();
  const absolute = args().map((part) =>
    part.replace(/(^|=)([\w-]+\.(log|dbc|json|csv|gpx))$/, `$1${desk.folder}/$2`),
  );
  const { code, stderr } = await desk.run(...absolute);
  expect(code).toBe(1);
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(await count()).toBe(before);
});

test('a failed import has a row in the audit log with the name of its file (55.40)', async () => {
  const { auditRows } = await desk.run('--machine', 'IMP-1', '--log', `${desk.folder}/planned.gpx`);
  expect(auditRows).toMatchObject([
    { action: 'readings.import', data: { file: 'planned.gpx' } },
    { action: 'readings.import-failed', data: { file: 'planned.gpx' } },
  ]);
  expect(actionText('readings.import-failed')).toBe('Inlezen van een bestand mislukt');
});
