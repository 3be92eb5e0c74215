import { expect, test } from 'vitest';
import type { Machine } from './machine.ts';
import { loadWarning, resultsPage, textTable } from './report.ts';
import type { Row } from './row.ts';

const machine: Machine = {
  cores: 2,
  cpuModel: 'Some CPU',
  memoryGib: 23.4,
  loadAverage: 0.4,
  system: 'linux x64',
  node: 'v24.0.0',
  postgres: '18.4',
  date: new Date(Date.UTC(2026, 10, 21, 4, 5)),
};
const rows: Row[] = [
  {
    what: 'a',
    measured: '5/s',
    reference: '10/s',
    ratio: 0.5,
    reach: '>= 0.4 x',
    reached: true,
    notes: ['5/10'],
  },
  { what: 'longer', measured: '1', reach: '0', reached: false, notes: [] },
];

test('the columns of the table are aligned, and what is not reached is said loudly', () => {
  expect(textTable(rows)).toBe(
    [
      'what   | measured | reference | ratio  | reach    | ok?',
      'a      | 5/s      | 10/s      | 0.50 x | >= 0.4 x | yes',
      'longer | 1        | –         | –      | 0        | NO',
    ].join('\n'),
  );
});

test('a run of one bench replaces its section of the page, and leaves the others', () => {
  const names = ['first', 'second', 'third'];
  const all = resultsPage('', names, machine, new Map(names.map((name) => [name, rows])));
  expect(all).toContain(
    '## first\n\n2026-11-21 04:05 UTC. 2 cores (Some CPU), 23 GiB, linux x64, Node v24.0.0, PostgreSQL 18.4',
  );
  expect(all).toContain('| a | 5/s | 10/s | 0.50 x | >= 0.4 x | yes |');
  expect(all).toContain('### a\n\n- 5/10\n');
  expect(all).not.toContain('Warning');

  const again = resultsPage(all, names, { ...machine, cores: 4 }, new Map([['second', rows]]));
  expect(again.replace('. 4 cores', '. 2 cores')).toBe(all);
  expect(again.indexOf('. 4 cores')).toBeGreaterThan(again.indexOf('## second'));
  expect(again.indexOf('. 4 cores')).toBeLessThan(again.indexOf('## third'));
});

test.each([
  [1, undefined],
  [1.01, /^Warning: the load average was 1.01/],
] as const)('a load average of %d at the start', (loadAverage, expected) => {
  const warning = loadWarning({ ...machine, loadAverage });
  if (expected) expect(warning).toMatch(expected);
  else expect(warning).toBeUndefined();
});
