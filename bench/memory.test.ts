import { expect, test } from 'vitest';
import { familyOf, growth, memoryOf, parentOf, shareOfMemory, titleOf } from './memory.ts';

test.each([
  ['flat', [5, 5, 5, 5, 5, 5], 0],
  ['warming up does not count', [1, 2, 5, 5, 5, 5], 0],
  ['a leak', [1, 2, 3, 4, 5, 6], 5.5 / 3.5 - 1],
  ['shrinking', [9, 9, 4, 4, 2, 2], -0.5],
  ['a remainder belongs to the first third', [100, 1, 2, 1, 2, 2, 2], 1 / 3],
  ['one peak weighs as much as it lasts', [4, 4, 4, 4, 4, 4, 4, 4, 16], 1],
])('growth: %s', (_name, samples, expected) => {
  expect(growth(samples)).toBeCloseTo(expected, 12);
});

test('two samples have no thirds', () => {
  expect(() => growth([1, 2])).toThrow('no thirds');
});

test.skipIf(process.platform !== 'linux')(
  'a process has memory, a parent, a title and a family',
  async () => {
    const { resident, own } = await memoryOf(process.pid);
    expect(own).toBeGreaterThan(1e6);
    expect(resident).toBeGreaterThan(own);
    expect(Math.abs(resident / process.memoryUsage.rss() - 1)).toBeLessThan(0.5);
    const share = await shareOfMemory(process.pid);
    expect(share).toBeGreaterThan(own / 2);
    expect(share).toBeLessThan(2 * resident);
    expect(await parentOf(process.pid)).toBe(process.ppid);
    expect(await titleOf(process.ppid)).not.toBe('');
    expect(await familyOf(process.ppid)).toContain(process.pid);
  },
);
