import { expect, test } from 'vitest';
import type { LogFormat } from './log-file-name.ts';
import { printableLineStart } from './log-outcome.ts';
import { decodeLog, readAllBatches } from './test/small-log.ts';

const LMB = 'time;lat;lon;Speed;Machinestatus;Spoor;Spoorstand';
const GVRET = 'Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8';

test.each<[string, LogFormat, string, string, string]>([
  [
    'a candump log',
    'candump',
    'hallo\n(1.0) nee\n',
    'regel 1 is ‘hallo’; verwacht wordt een regel zoals ‘(1436509052.249713) can0 123#DEADBEEF’ (candump -L)',
    'line 1 is "hallo"; expected is a line such as "(1436509052.249713) can0 123#DEADBEEF" (candump -L)',
  ],
  [
    'a GVRET log',
    'csv',
    `${GVRET}\nhallo\n`,
    'regel 2 is ‘hallo’; verwacht wordt een regel met de kolommen van de eerste regel, zoals ‘39747828,',
    'line 2 is "hallo"; expected is a line with the columns of the first line, such as "39747828,',
  ],
  [
    'a wide CSV without a time in its rows',
    'csv',
    'time;Soc1;Speed\ngisteren;50;3\nvandaag;51;4\n',
    'regel 2 is ‘gisteren;50;3’; verwacht wordt een rij van 3 kolommen, zoals de eerste regel, met een tijd zoals 2026-06-01T10:00:00Z of 1780308000',
    'line 2 is "gisteren;50;3"; expected is a row of 3 columns, as the first line has, with a time such as 2026-06-01T10:00:00Z or 1780308000',
  ],
  [
    'a wide CSV with too few columns',
    'csv',
    'time,Soc1,Speed\n2026-06-01T10:00:00Z,50\n',
    'regel 2 is ‘2026-06-01T10:00:00Z,50’; verwacht wordt een rij van 3 kolommen',
    'line 2 is "2026-06-01T10:00:00Z,50"; expected is a row of 3 columns',
  ],
  [
    "an LMB logger's CSV",
    'csv',
    `${LMB}\ngisteren;52;5;1;2;1;0\n`,
    'regel 2 is ‘gisteren;52;5;1;2;1;0’; verwacht wordt een rij van 7 kolommen, zoals de eerste regel, met een tijd zoals 12-4-2025 08:00:00 of 2026',
    'line 2 is "gisteren;52;5;1;2;1;0"; expected is a row of 7 columns, as the first line has, with a time such as 12-4-2025 08:00:00 or 2026',
  ],
  [
    'a GPX with no position on the globe',
    'gpx',
    '<gpx><trk><trkseg><trkpt lat="95" lon="5"><time>2026-06-01T10:00:00Z</time></trkpt></trkseg></trk></gpx>',
    'regel 1 is ‘<trkpt lat="95" lon="5"><time>2026-06-01T10:00:00Z</time>’; verwacht wordt een punt zoals ‘<trkpt',
    'line 1 is "<trkpt lat="95" lon="5"><time>2026-06-01T10:00:00Z</time>"; expected is a point such as <trkpt',
  ],
])(
  'the error of %s without a readable line shows the first line and the expected form (55.21)',
  async (_, format, log, nl, en) => {
    await expect(readAllBatches(decodeLog(log, { format }))).rejects.toMatchObject({
      kind: 'no lines',
      message: expect.stringContaining(`Het logbestand heeft geen enkele leesbare regel: ${nl}`),
      english: expect.stringContaining(`The log has no line that can be read: ${en}`),
    });
  },
);

test('a log with one good line, an empty log, and a CSV of only its first row are read (55.21)', async () => {
  for (const [format, log] of [
    ['candump', 'hallo\n(1767225600.0) can0 001#00\n'],
    ['candump', ''],
    ['csv', 'time;Soc1\n'],
  ] as const)
    await expect(readAllBatches(decodeLog(log, { format }))).resolves.toBeDefined();
});

test.each<[string | Uint8Array, string]>([
  ['kort', 'kort'],
  ['  met\ttab \r', 'met tab'],
  ['\u0000a\u001b[31m', '\uFFFDa\uFFFD[31m'],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['x'.repeat(81), `${'x'.repeat(79)}…`],
  ['🚜'.repeat(100), `${'🚜'.repeat(79)}…`],
  [Buffer.from('é'.repeat(200)), `${'é'.repeat(79)}…`],
  [Uint8Array.of(0xff, 0x41), '\uFFFDA'],
])('the error about line %j shows %s (55.21)', (line, shown) => {
  expect(printableLineStart(line)).toBe(shown);
});
