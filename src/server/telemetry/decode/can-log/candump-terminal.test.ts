import { expect, test } from 'vitest';
import { CandumpLog } from './candump-log.ts';
import { readLines } from './test/read-lines.ts';

const readCandump = (text: string | Uint8Array) => readLines(new CandumpLog(), Buffer.from(text));
const US = 1436509052249713;

test.each<[string, string]>([
  [' (1436509052.249713)  can0  201   [8]  A0 96 00 00 00 58 1B 00', `${US} 0 201 a096000000581b00`],
  ['(1436509052.249713) can1       18FEF100   [3]  01 02 FF', `${US} 1 18fef100x 0102ff`],
  [
    '(1436509052.249713)  vcan2  123  [12]  00 11 22 33 44 55 66 77 88 99 AA BB',
    `${US} 2 123 00112233445566778899aabb`,
  ],
  ['(1436509052.249713)  can0  201   [0]', `${US} 0 201 `],
  ["(1436509052.249713)  can0  201   [4]  41 20 42 00                   'A B.'", `${US} 0 201 41204200`],
  ['(1436509052.249713)  can0  201   {C}  01 02 03 04 05 06 07 08', `${US} 0 201 0102030405060708`],
  ['(1436509052.249713)  can0  RX - -  201   [1]  07', `${US} 0 201 07`],
  ['(1436509052.249713)  can0  TX B E  201  [01]  07', `${US} 0 201 07`],
  ['(1436509052.249713)  can0  201   [8]  remote request', `${US} remote`],
  ['(1436509052.249713)  can0  201   [0]  remote request', `${US} remote`],
  ['(1436509052.249713)  can0  20000088   [8]  00 00 0A 00 00 00 00 00   ERRORFRAME', `${US} error`],
  ['\u001b[1;31m (1436509052.249713)  \u001b[1;32mcan0\u001b[0m  201   [1]  07\u001b[0m', `${US} 0 201 07`],
  ['(1436509052.249713000)  can0  201   [1]  07', `${US} 0 201 07`],
  ['(2015-07-10 08:17:32.249713)  can0  201   [1]  07', `${US} 0 201 07`],
  [
    '(2015-01-10 08:17:32.249713)  can0  201   [1]  07',
    `${Date.UTC(2015, 0, 10, 7, 17, 32) * 1000 + 249713} 0 201 07`,
  ],
])('a line that candump shows on a terminal is read: %s (43.1)', (line, row) => {
  expect(readCandump(`hallo\n${line}\r\n\tprotocol-violation{{}{}}\n`)).toEqual({
    rows: [row],
    bad: ['hallo'],
  });
});

test('the order of the lines decides which of the two hours a candump -t A time belongs to when summer time ends (43.1)', () => {
  const at = (time: string) => `(2026-10-25 ${time}.000000)  can0  201   [0]\n`;
  const us = (hour: number, minute: number) => `${Date.UTC(2026, 9, 25, hour, minute) * 1000} 0 201 `;
  expect(readCandump(at('02:59:00') + at('02:01:00') + at('02:59:00') + at('03:00:00')).rows).toEqual([
    us(0, 59),
    us(1, 1),
    us(1, 59),
    us(2, 0),
  ]);
});

test('a candump log without times is rejected with the advice to use candump -L (43.1)', () => {
  const line = '  can0  201   [8]  A0 96 00 00 00 58 1B 00';
  expect(() => readCandump(`${line}\n`)).toThrow(
    expect.objectContaining({
      kind: 'no times',
      message: expect.stringContaining('candump -L'),
      english: expect.stringContaining('candump -L'),
    }),
  );
});

test('terminal times that count from zero are read relative to a given start (52.3)', () => {
  const { rows } = readCandump('(000.000000)  can0  201   [1]  A0\n(012.345678)  can0  201   [1]  A1\n');
  expect(rows).toEqual(['0 0 201 a0', '12345678 0 201 a1']);
});

test('a candump log is read in the format of its first readable line (43.1)', () => {
  const log = '(1.5) can0 123#0A\n';
  const terminal = '(1436509052.249713)  can0  201   [1]  07\n';
  expect(readCandump(`\nx\n${log}${terminal}`)).toEqual({
    rows: ['1500000 0 123 0a'],
    bad: ['x', terminal.trim()],
  });
  expect(readCandump(`\nx\n${terminal}${log}`)).toEqual({ rows: [`${US} 0 201 07`], bad: ['x', log.trim()] });
});

test.each([
  '(1436509052.249713)  can0  201   [2]  A0',
  '(1436509052.249713)  can0  201   [1]  A0 B0',
  '(1436509052.249713)  can0  201   [1]  _10101010',
  '(1436509052.249713)  can0  201   [2]  A0`96',
  '(1436509052.249713)  can0  20   [1]  A0',
  '(1436509052.249713)  can  201   [1]  A0',
  '(1436509052.249713)  can0  201   [9]  01 02 03 04 05 06 07 08 09',
  '(1436509052.249713)  can0  FFF   [1]  A0',
  '(1436509052.249713)  can0  40000000   [1]  A0',
  '(2015-13-10 08:17:32.249713)  can0  201   [1]  07',
  '(2015-07-10 25:17:32.249713)  can0  201   [1]  07',
  '(1436509052.2',
])('an unreadable terminal line counts as bad: %s (43.1)', (line) => {
  expect(readCandump(`${line}\n`)).toEqual({ rows: [], bad: [line] });
});
