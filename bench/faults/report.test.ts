import { expect, test } from 'vitest';
import type { FaultOutcome } from './fault.ts';
import { markdownTable, replaceTableInPage, terminalTable } from './report.ts';

const HOST = {
  cores: 2,
  cpuModel: 'CPU',
  memoryGib: 24,
  loadAverage: 0.5,
  system: 'linux x64',
  node: 'v24.0.0',
  postgres: '18.4',
  date: new Date('2026-11-21T18:00:00Z'),
};
const OK: FaultOutcome = {
  name: 'kill -9',
  rounds: 50,
  done: 'killed',
  holds: 'stored',
  result: 'ok',
  seconds: 12.4,
  notes: ['none lost', 'back after 1.0 s'],
};
const BROKEN: FaultOutcome = { ...OK, name: 'disk full', result: 'NO', notes: ['Loss: 1.'] };

test('the tables in the document and in the terminal have a row for each injected fault', () => {
  const table = markdownTable(HOST, [OK, BROKEN]);
  expect(table).toContain('| kill -9 | 50 | killed | stored | ok | 12 |');
  expect(table).toContain('| disk full | 50 | killed | stored | NO | 12 |');
  expect(table).toContain('- **kill -9**: none lost; back after 1.0 s');
  expect(table).toMatch(/^2026-11-21 18:00 UTC\. 2 cores \(CPU\)/);
  expect(terminalTable([OK, BROKEN]).match(/^(ok|NO) +\|/gm)).toHaveLength(2);
});

test('replaceTableInPage replaces only the text between the two marker comments, and throws for a page without them', () => {
  const page =
    '# Page\n\n<!-- faults: written by `npm run faults` -->\n\nold\n\n<!-- faults: end -->\n\nrest\n';
  const next = replaceTableInPage(page, 'new');
  expect(next).toBe(page.replace('old', 'new'));
  expect(replaceTableInPage(next, 'newer')).toBe(page.replace('old', 'newer'));
  expect(() => replaceTableInPage('# Page', 'new')).toThrow(/lost its marks/);
});
