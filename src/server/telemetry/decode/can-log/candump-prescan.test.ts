import { describe, expect, test } from 'vitest';
import { CandumpLog } from './candump-log.ts';
import { CandumpPrescan } from './candump-prescan.ts';
import { randomNumbers } from './test/random.ts';
import { readLines } from './test/read-lines.ts';

function survey(lines: readonly string[]): CandumpPrescan {
  const read = new CandumpPrescan();
  read.push(Buffer.from(lines.join('\n')));
  read.end();
  return read;
}
const line = (seconds: number, name = 'can0') => `(${seconds.toFixed(6)}) ${name} 201#64`;

describe('interfaces without a number (52.3)', () => {
  test.each([
    [['can_a'], [['can_a', 0]], 0],
    [['vcan-i'], [['vcan-i', 0]], 0],
    [
      ['truck', 'body', 'truck'],
      [
        ['body', 0],
        ['truck', 1],
      ],
      1,
    ],
    [['can3', 'can0'], [], 0],
    [
      ['vcan', 'can0', 'can2', 'slcan'],
      [
        ['slcan', 1],
        ['vcan', 3],
      ],
      1,
    ],
  ])('interfaces without a number become buses in alphabetical order: %j', (names, buses, remarks) => {
    const read = survey(names.map((name, n) => line(1_795_161_600 + n, name)));
    expect([...read.buses]).toEqual(buses);
    expect(read.remarks).toHaveLength(remarks);
  });

  test('the remarks of the prescan name the bus of each interface without a number', () => {
    expect(survey([line(1.7e9, 'truck'), line(1.7e9, 'body')]).remarks).toEqual([
      {
        kind: 'unnumbered-interfaces',
        buses: [
          { name: 'body', bus: 0 },
          { name: 'truck', bus: 1 },
        ],
      },
    ]);
  });

  test('a log lists its interfaces, numbered or not, except those of unreadable lines', () => {
    const log = new CandumpLog({ busOf: () => 2 });
    const lines = [
      line(1, 'can1'),
      line(2, 'can0'),
      line(3, 'body'),
      line(4, 'can0'),
      '(5.0) can7 x',
      '(6.0) note9 of',
    ];
    readLines(log, Buffer.from(lines.join('\n')));
    expect(log.buses).toEqual([
      { name: 'can0', bus: 0 },
      { name: 'can1', bus: 1 },
      { name: 'body', bus: 2 },
    ]);
    const shown = new CandumpLog();
    readLines(shown, Buffer.from(' (1795161600.000000)  vcan1  201   [1]  64'));
    expect(shown.buses).toEqual([{ name: 'vcan1', bus: 1 }]);
  });

  test('a word in an unreadable line is not an interface', () => {
    const read = survey(['(1.0) note of somebody', line(1.7e9, 'can_a')]);
    expect([...read.buses]).toEqual([['can_a', 0]]);
  });

  test('interfaces in terminal output get the same bus numbers as in a log', () => {
    const shown = [' (1795161600.000000)  truck  201   [1]  64', ' (1795161601.000000)  body  201   [1]  65'];
    const { buses } = survey(shown);
    const log = new CandumpLog({ busOf: (name) => buses.get(name) ?? -1 });
    expect(readLines(log, Buffer.from(shown.join('\n'))).rows).toEqual([
      '1795161600000000 1 201 64',
      '1795161601000000 0 201 65',
    ]);
  });
});

describe('times that are differences from the previous line (52.3)', () => {
  const below = randomNumbers(7);
  const gaps = (count: number, scale: number) =>
    Array.from({ length: count }, () => (below(1e6) / 1e6) * scale);
  const sums = (values: readonly number[]) => {
    let sum = 0;
    return values.map((value) => {
      sum += value;
      return sum;
    });
  };
  test.each([
    ['of about a second', [0, ...Array.from({ length: 299 }, (_, n) => 1 + (n % 7) / 1e6)], true],
    ['of exactly a second', [0, ...Array.from({ length: 50 }, () => 1)], true],
    ['of milliseconds', [0, ...gaps(500, 0.002)], true],
    [
      'from zero, of two buses 22 ms out of order',
      sums(gaps(500, 0.005)).map((t, n) => t + (n % 2) * 0.022),
      false,
    ],
    ['from zero, in one millisecond', sums(gaps(400, 1e-6)), false],
    ['from zero, of three lines', [0, 1, 2], false],
    ['before a clock that was set later', [1.2, 2.2, 3.2, 1.7e9, 1.7e9 + 1], false],
    ['of a clock that was set', [1.7e9, 1.7e9, 1.7e9], false],
  ])('the survey recognizes times that are differences: %s', (_, times, areDifferences) => {
    expect(survey(times.map((time) => line(time))).areDifferences).toBe(areDifferences);
  });

  test('the reader adds up the differences, so that each frame has its time', () => {
    const log = new CandumpLog({ areDifferences: true });
    const lines = [line(0), 'rubbish', line(1.5), line(0.25)].join('\n');
    expect(readLines(log, Buffer.from(lines)).rows.map((row) => row.split(' ')[0])).toEqual([
      '0',
      '1500000',
      '1750000',
    ]);
  });
});

test('the prescan stops after the first line if that line has an absolute time and a numbered interface (52.3)', () => {
  const read = new CandumpPrescan();
  read.push(Buffer.from(`${line(1.7e9)}\n`));
  expect(read.isDone).toBe(true);
});
