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
import { TrcLine } from './trc-line.ts';

const readTrc = (text: string | Uint8Array, utcStartMs?: number) =>
  readLines(new TrcLine(utcStartMs), Buffer.from(text));

test.skipIf(!hasSharedData)(
  'the TRC of the ReXgen exporter is read as the 240 frames of its .rxd (43.1)',
  () => {
    // The exporter writes seconds in the column for milliseconds, so a tick of 10 us became one of 10 ns.
    expect(readTrc(exportedLog('trc'), EXPORTED_START_MS)).toEqual({ rows: exportedRows(0.01), bad: [] });
  },
);

test.skipIf(!hasPythonCan)(
  'a TRC file that python-can wrote decodes to the frames that were given to it (43.1)',
  () => {
    const frames = randomTestFrames(2, 3000, {});
    const log = writtenByPythonCan('trc', frames).toString();
    // python-can writes a start that depends on the time of its run.
    const { rows, bad } = readTrc(log.replace(/STARTTIME=.*/, 'STARTTIME=46204.4166666667'));
    expect(rows).toEqual(frames.map(testFrameRow));
    expect(bad).toEqual([]);
  },
);

/** The start of a TRC file: 2021-12-18 14:28:07.062, local time of Amsterdam. */
const START = ';$STARTTIME=44548.6028595139';
const START_US = Date.UTC(2021, 11, 18, 13, 28, 7, 62) * 1000;

test.each<[string, string]>([
  [
    '1.0',
    `;    Start time: 18.12.2021 14:28:07.062
     1)        18  00000100  8  01 02 03 04 05 06 07 08
     2)        19  FFFFFFFF  4  00 00 00 08 -- -- -- -- BUSHEAVY
     3)        20      0704  1  RTR
     4)        21      0008  4  ERROR 00 19 08 08
     5)        22      07FF  0`,
  ],
  [
    '1.1',
    `;$FILEVERSION=1.1\n${START}
     1)        18.0  Tx     00000100  8  01 02 03 04 05 06 07 08
     2)        19.3  Warng  FFFFFFFF  4  00 00 00 08  BUSHEAVY
     3)        20.0  Rx         0704  1  RTR
     4)        21.0  Error      0008  4  00 19 08 08
     5)        22.0  Rx         07FF  0`,
  ],
  [
    '1.2',
    `;$FILEVERSION=1.2\n${START}
     1)        18.000 1  Tx     00000100  8  01 02 03 04 05 06 07 08
     3)        20.000 1  Rx         0704  1  RTR
     4)        21.000 1  Error      0008  4  00 19 08 08
     5)        22.000 1  Rx         07FF  0`,
  ],
  [
    '1.3',
    `;$FILEVERSION=1.3\n${START}
     1)        18.000 1  Tx    00000100 -  8    01 02 03 04 05 06 07 08
     2)        19.300 1  Warng FFFFFFFF -  4    00 00 00 08 BUSHEAVY
     3)        20.000 1  Rx        0704 -  1    RTR
     4)        21.000 1  Error     0008 -  4    00 19 08 08
     5)        22.000 1  Rx        07FF -  0`,
  ],
  [
    '2.0',
    `;$FILEVERSION=2.0\n${START}\n;$COLUMNS=N,O,T,I,d,l,D
      1        18.000 DT 00000100 Tx 8  01 02 03 04 05 06 07 08
      2        19.300 ST          Rx    00 00 00 08
      3        20.000 RR     0704 Rx 1
      4        21.000 ER          Rx 5  04 00 02 00 00
      5        22.000 DT     07FF Rx 0`,
  ],
  [
    '2.1',
    `;$FILEVERSION=2.1\n${START}\n;$COLUMNS=N,O,T,B,I,d,R,L,D
      1        18.000 DT 1  00000100 Tx -  8    01 02 03 04 05 06 07 08
      2        19.300 ST 1         - Rx -  4    00 00 00 08
      3        20.000 RR 1      0704 Rx -  1
      4        21.000 ER 1         - Rx -  5    04 00 02 00 00
      5        22.000 DT 1      07FF Rx -  0`,
  ],
])('a TRC of version %s is read: frames, remote frames, errors and warnings (43.1)', (_, text) => {
  expect(readTrc(text)).toEqual({
    rows: [
      `${START_US + 18_000} 0 100x 0102030405060708`,
      `${START_US + 20_000} remote`,
      `${START_US + 21_000} error`,
      `${START_US + 22_000} 0 7ff `,
    ],
    bad: [],
  });
});

test('the CAN FD frames of a TRC are read, by length or by length code (43.1)', () => {
  const data = '00 11 22 33 44 55 66 77 88 99 AA BB';
  const hex = data.replaceAll(' ', '').toLowerCase();
  const byLength = `;$FILEVERSION=2.0\n${START}\n;$COLUMNS=N,O,T,I,d,l,D\n`;
  const byCode = `;$FILEVERSION=2.1\n${START}\n;$COLUMNS=N,O,T,B,I,d,R,L,D\n`;
  for (const type of ['FD', 'FB', 'FE', 'BI']) {
    expect(readTrc(`${byLength}1 18.0 ${type} 0300 Rx 12 ${data}\n`).rows).toEqual([
      `${START_US + 18_000} 0 300 ${hex}`,
    ]);
    expect(readTrc(`${byCode}1 18.0 ${type} 2 0300 Rx - 9 ${data}\n`).rows).toEqual([
      `${START_US + 18_000} 1 300 ${hex}`,
    ]);
  }
});

test('the CAN FD frames of a TRC of the ReXgen exporter, which contains lengths instead of length codes, are read (43.1)', () => {
  const header = `;$FILEVERSION=2.1\n${START}\n;$COLUMNS=N,O,T,B,I,d,L,D\n`;
  for (const length of [8, 12, 16, 20, 24, 32, 48, 64]) {
    const bytes = Array.from({ length }, (_, index) => index.toString(16).padStart(2, '0'));
    const line = `1 18.000  FD  1 0300 Rx ${length}    ${bytes.join(' ')}`;
    expect(readTrc(`${header}${line}\n`).rows).toEqual([`${START_US + 18_000} 0 300 ${bytes.join('')}`]);
    expect(readTrc(`${header}${line.slice(0, -3)}\n`).rows).toEqual([]);
  }
});

const HEADER = `;$FILEVERSION=2.1\n${START}\n;$COLUMNS=N,O,T,B,I,d,R,L,D\n`;

test.each([
  'hallo',
  '1 x DT 1 0300 Rx - 1 00',
  '1 1.0 ZZ 1 0300 Rx - 1 00',
  '1 1.0 DT 0 0300 Rx - 1 00',
  '1 1.0 DT 1 FFFF Rx - 1 00',
  '1 1.0 DT 1 0300 Rx - 9 00 00 00 00 00 00 00 00 00',
  '1 1.0 DT 1 0300 Rx - 2 00',
  '1 1.0 DT 1 0300 Rx - 1 XY',
  '1 1.0 DT 1 0300 Rx',
])('an unreadable line of a TRC counts as bad: %s (43.1)', (line) => {
  expect(readTrc(`${HEADER}${line}\n`)).toEqual({ rows: [], bad: [line] });
});

test('a TRC that is truncated at any byte is read up to the cut (43.1)', () => {
  const text = Buffer.from(`${HEADER}1 1.0 DT 1 0300 Rx - 2 0A 1B\n2 2.0 DT 1 0300 Rx - 1 FF`);
  const { rows } = readTrc(text);
  expect(rows).toHaveLength(2);
  for (let length = 0; length < text.length; length++)
    expect(rows.slice(0, 1)).toEqual(expect.arrayContaining(readTrc(text.subarray(0, length)).rows));
});
