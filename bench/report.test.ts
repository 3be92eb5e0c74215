import { expect, test } from 'vitest';
import { type BenchResults, type BenchRow, rateRow, resultsPage, textTable, timeRow } from './report.ts';

const rows: readonly BenchRow[] = [
  { what: 'a', measured: '5/s', reference: '10/s', ratio: 0.5, toReach: '>= 0.4 x', reached: true },
  { what: 'longer', measured: '1', toReach: '0', reached: false, details: ['each: 1'] },
];

test('textTable aligns the columns and marks measurements that miss their target', () => {
  expect(textTable(new Map([['first', rows]]))).toBe(
    [
      'benchmark     | measured | reference | ratio  | target',
      'first: a      | 5/s      | 10/s      | 0.50 x | >= 0.4 x',
      'first: longer | 1        | –         | –      | NO: 0',
    ].join('\n'),
  );
});

test('resultsPage replaces only the rows of the benchmarks that ran, and keeps the rows of the others', () => {
  const names = ['first', 'second', 'third'];
  const all = new Map(names.map((name) => [name, rows]));
  const page = resultsPage('', names, new Date(Date.UTC(2026, 10, 21)), all);
  expect(page).toContain('| first: a | 5/s | 10/s | 0.50 x | >= 0.4 x | 2026-11-21 |');
  expect(page).not.toContain('each: 1');
  const second: BenchResults = new Map([['second', rows]]);
  const after = resultsPage(page, names, new Date(Date.UTC(2026, 10, 22)), second);
  expect(after.match(/second: .* 2026-11-22 \|/g)).toHaveLength(2);
  expect(after.replaceAll('2026-11-22', '2026-11-21')).toBe(page);
});

test.each([
  [0.6, 11, true],
  [0.4, 11, false],
  [0.6, 9, false],
])('a row with a ratio of %d and %d/s reaches the required 0.5 x and 10/s: %s', (ratio, ours, reached) => {
  const row = rateRow(
    'r',
    { ours, reference: 20, ratio, rounds: '' },
    {
      unit: '/s',
      beside: 'plain',
      leastRatio: 0.5,
      least: 10,
    },
  );
  expect(row).toMatchObject({ reached, toReach: '>= 10/s, >= 0.5 x', reference: '20/s plain' });
});

test('timeRow marks a target as reached if the median is at most the longest allowed time', () => {
  expect(timeRow('t', [90, 100, 300], 100)).toMatchObject({ measured: '100 ms', reached: true });
  expect(timeRow('t', [7.41], 7)).toMatchObject({ measured: '7.4 ms', reached: false });
});
