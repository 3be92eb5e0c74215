import { describe, expect, test } from 'vitest';
import { RxdFile } from '#shared/demo/rxd-file.ts';
import { BoundedMedian } from './middle-value.ts';
import { readRxd } from './test/read-rxd.ts';

const UTC = Date.UTC(2026, 10, 27, 8);
const DAY = 86_400;

/** Returns a file with a frame at tick 5,000 (50 ms) and DATETIME records with these Unix times (s), whose ticks are one second apart. */
function fileWith(dates: readonly number[], tickUs = 10): Uint8Array {
  const file = new RxdFile({ name: 'X', tickUs, buses: [0], gnss: ['DATETIME'] });
  file.addFrame({ tick: 5000, bus: 0, id: 1, data: [1] });
  for (const [n, seconds] of dates.entries())
    file.addGnss(((n + 1) * 1_000_000) / tickUs, 'DATETIME', seconds);
  return file.toBytes();
}
const fixes = (count: number, from = UTC / 1000): number[] =>
  Array.from({ length: count }, (_, n) => from + n);

describe('the clock of an .rxd file (43.1)', () => {
  test('the clock of an .rxd file follows DATETIME instead of the time in the file name, and the difference is reported', () => {
    const { clock, frames, values } = readRxd(fileWith(fixes(9)), { startMs: UTC - 3000 });
    // GNSS says that tick 0 is at UTC - 1000 ms. The file's name says that tick 5,000 (50 ms) is at UTC - 3000 ms: 2,050 ms behind.
    expect(clock).toEqual({ zeroMs: UTC - 1000, source: 'gnss', nameBehindMs: 2050 });
    expect(frames[0]?.timeMs).toBe(UTC - 950);
    expect(values[0]).toEqual({ name: 'GMT_UNIX', timeMs: UTC, value: UTC / 1000 });
  });

  test('the clock of an .rxd file is not affected by a few wrong dates', () => {
    const dates = fixes(9).map((seconds, n) => (n % 3 === 0 ? seconds + n * DAY : seconds));
    expect(readRxd(fileWith(dates)).clock).toEqual({ zeroMs: UTC - 1000, source: 'gnss' });
  });

  test.each([
    ['0', 0],
    ['1980', 315_964_800],
    ['2014', Date.UTC(2014, 11, 31) / 1000],
  ])('a date of %s is ignored for the clock of an .rxd file and gives no value', (_, seconds) => {
    const { clock, values } = readRxd(fileWith(fixes(9, seconds)), { startMs: UTC });
    expect(clock).toEqual({ zeroMs: UTC - 50, source: 'name' });
    expect(values).toEqual([]);
  });

  test('in an .rxd file without a date the lowest first tick of all uids is at the time in the file name', () => {
    const file = new RxdFile({ name: 'X', buses: [0, 1] });
    file.addFrame({ tick: 700, bus: 0, id: 1, data: [] });
    file.addFrame({ tick: 600, bus: 1, id: 2, data: [] });
    file.addFrame({ tick: 500, bus: 1, id: 2, data: [] });
    expect(readRxd(file.toBytes(), { startMs: UTC }).frames.map(({ timeMs }) => timeMs - UTC)).toEqual([
      1, 0, -1,
    ]);
  });

  test('the times of an .rxd file count from power-on when neither a date in it nor its name contains the time', () => {
    const { clock, frames } = readRxd(fileWith([]));
    expect(clock).toEqual({ zeroMs: 0, source: 'none' });
    expect(frames[0]?.timeMs).toBe(50);
  });

  test('the clock of an .rxd file has the tick length of the configuration', () => {
    expect(readRxd(fileWith(fixes(3), 1000)).frames[0]?.timeMs).toBe(UTC - 1000 + 5000);
  });

  test('the median of the dates of an .rxd file is close when there are more dates than are kept in memory', () => {
    const middle = new BoundedMedian();
    for (let n = 0; n < 1_000_000; n += 1) middle.add(n);
    expect(middle.median).toBeGreaterThan(470_000);
    expect(middle.median).toBeLessThan(530_000);
  });
});
