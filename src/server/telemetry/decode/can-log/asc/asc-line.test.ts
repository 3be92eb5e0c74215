import { expect, test } from 'vitest';
import {
  EXPORTED_START_MS,
  exportedLog,
  exportedRows,
} from '#server/telemetry/decode/can-log/test/exported-log.ts';
import { randomTestFrames, testFrameRow } from '#server/telemetry/decode/can-log/test/given-frames.ts';
import { hasPythonCan, writtenByPythonCan } from '#server/telemetry/decode/can-log/test/python-can.ts';
import { readLines } from '#server/telemetry/decode/can-log/test/read-lines.ts';
import { hasSharedData } from '#server/telemetry/decode/test/shared-data.ts';
import { readAscDate } from './asc-date.ts';
import { AscLine } from './asc-line.ts';

const readAsc = (text: string | Uint8Array, utcStartMs?: number) =>
  readLines(new AscLine(utcStartMs), Buffer.from(text));

const HEADER = 'date Wed Jul 1 10:00:00.000 am 2026\nbase hex  timestamps absolute\n';
const START_US = Date.UTC(2026, 6, 1, 8) * 1000;

test.skipIf(!hasSharedData)(
  'the ASC of the ReXgen exporter is read as the 240 frames of its .rxd (43.1)',
  () => {
    expect(readAsc(exportedLog('asc'), EXPORTED_START_MS)).toEqual({ rows: exportedRows(), bad: [] });
  },
);

test.skipIf(!hasPythonCan)(
  'an ASC file that python-can wrote decodes to the frames that were given to it (43.1)',
  () => {
    const frames = randomTestFrames(1, 3000, { fd: true, remote: true, error: true });
    const { rows, bad } = readAsc(writtenByPythonCan('asc', frames));
    expect(rows).toEqual(frames.map(testFrameRow));
    expect(bad).toEqual([]);
  },
);

const GERMAN = Buffer.from(
  `date Mit M\u00e4r 4 15:06:13.191 2026
base dec  timestamps relative
no internal events logged
// version 9.0.0
Begin Triggerblock Mit M\u00e4r 4 15:06:13.191 2026
   0.000000 Start of measurement
   1.000000 1  Statistic: D 0 R 0 XD 0 XR 0 E 0 O 0 B 0.00%
   0.500000 2  291   Rx   d 3 10 255 0  Length = 240015 BitCount = 124 ID = 291
   0.250000 1  419385573x   Tx   d 0
   0.000100 1 ErrorFrame ECC: 10100010
   0.000100 2 512 Tx r Length = 1704000 BitCount = 145 ID = 512
   0.000100 2 512 TxRq d 1 1
   0.000100 1  J1939TP FEE3p        6    0  0   -   Rx   d 23 A0 0F
   0.000100 CANFD   3 Rx        300  Generic_Name_12   1 0 9  12 1 2 3 4 5 6 7 8 9 10 11 12   102203  133
End TriggerBlock
`,
  'latin1',
);

test('an ASC with German month names, decimal numbers and relative times is read (43.1)', () => {
  const start = Date.UTC(2026, 2, 4, 14, 6, 13, 191) * 1000;
  expect(readAsc(GERMAN)).toEqual({
    rows: [
      `${start + 1_500_000} 1 123 0aff00`,
      `${start + 1_750_000} 0 ${(419385573).toString(16)}x `,
      `${start + 1_750_100} error`,
      `${start + 1_750_200} remote`,
      `${start + 1_750_500} 2 12c 0102030405060708090a0b0c`,
    ],
    bad: [],
  });
});

test('the CAN FD frames of an ASC of the ReXgen exporter are read (43.1)', () => {
  const bytes = Array.from({ length: 24 }, (_, index) => index.toString(16).padStart(2, '0'));
  const line = `            0.500000    CANFD 2  00000201x    Rx  1 0 d 12  18 ${bytes.join(' ').toUpperCase()}`;
  const cut = line.slice(0, -3);
  expect(readAsc(`${HEADER}${line}\n${cut}\n`)).toEqual({
    rows: [`${START_US + 500_000} 1 201x ${bytes.join('')}`],
    bad: [cut],
  });
});

test.each<[string, string | undefined]>([
  ['Fri Nov 27 08:00:00.000 AM 2026', '2026-11-27T08:00:00.000Z'],
  ['Fri Nov 27 08:00:00 pm 2026', '2026-11-27T20:00:00.000Z'],
  ['Fri Nov 27 12:00:00.5 am 2026', '2026-11-27T00:00:00.500Z'],
  ['Fri Nov 27 12:30:00.250 pm 2026', '2026-11-27T12:30:00.250Z'],
  ['Fri Nov 27 15:00:00.000 PM 2026', '2026-11-27T15:00:00.000Z'],
  ['Don Okt 1 08:00:00.000 nachm. 2026', '2026-10-01T20:00:00.000Z'],
  ['Don  Dez 31 23:59:59.999 2026', '2026-12-31T23:59:59.999Z'],
  ['Mon Mai 4 1:02:03.004 2026', '2026-05-04T01:02:03.004Z'],
  ['Mon März 2 01:02:03 2026', '2026-03-02T01:02:03.000Z'],
  ['Mon Mrz 2 01:02:03 2026', '2026-03-02T01:02:03.000Z'],
  ['Mon Feb 30 01:02:03 2026', undefined],
  ['Mon constructor 2 01:02:03 2026', undefined],
  ['Mon Foo 2 01:02:03 2026', undefined],
  ['2026-11-27 08:00:00', undefined],
])('the date of an ASC header is read: %s (43.1)', (written, iso) => {
  const ms = readAscDate(written);
  expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(iso);
});

test('the date of an ASC is read as Europe/Amsterdam, and as UTC when the name of the file has the same time (43.1)', () => {
  const line = '0.5 1 7 Rx d 1 0A\n';
  expect(readAsc(HEADER + line).rows).toEqual([`${START_US + 500_000} 0 7 0a`]);
  expect(readAsc(HEADER + line, Date.UTC(2026, 6, 1, 10)).rows).toEqual([
    `${START_US + 7_200_500_000} 0 7 0a`,
  ]);
});

test('the times of an ASC count from a later trigger block only if they restart there (43.1)', () => {
  const block = 'Begin TriggerBlock Wed Jul 1 11:00:00.000 am 2026\n';
  expect(readAsc(`${HEADER}5.0 1 7 Rx d 0\n${block}6.0 1 7 Rx d 0\n`).rows).toEqual([
    `${START_US + 5_000_000} 0 7 `,
    `${START_US + 6_000_000} 0 7 `,
  ]);
  expect(readAsc(`${HEADER}5.0 1 7 Rx d 0\n${block}0.5 1 7 Rx d 0\n`).rows).toEqual([
    `${START_US + 5_000_000} 0 7 `,
    `${START_US + 3_600_500_000} 0 7 `,
  ]);
});

test.each([
  'hallo',
  'date hallo',
  '0.1 1 7 Rx d 9x',
  '0.1 1 7 Rx d 2 0A',
  '0.1 1 7 Rx d 2 0A 100',
  '0.1 1 7 Rx q 2 0A 10',
  '0.1 1 40000000x Rx d 1 0A',
  '0.1 CANFD 1 Rx 7 1 0 f 64 00',
  '0.1 CANFD 1 Rx 7 1 0 1 8 00 00 00 00 00 00 00 00',
  '0.1 CANFD 1 Rx 7',
  '0.x 1 7 Rx d 1 0A',
])('an unreadable line of an ASC counts as bad: %s (43.1)', (line) => {
  expect(readAsc(`${HEADER}${line}\n`)).toEqual({ rows: [], bad: [line] });
});

test('an ASC that is truncated at any byte is read up to the cut (43.1)', () => {
  const text = Buffer.from(`${HEADER}0.5 1 7 Rx d 2 0A 1B\n0.6 1 18FEF100x Rx d 1 FF`);
  const { rows } = readAsc(text);
  expect(rows).toHaveLength(2);
  for (let length = 0; length < text.length; length++)
    expect(rows.slice(0, 1)).toEqual(expect.arrayContaining(readAsc(text.subarray(0, length)).rows));
});
