import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { readableLine } from './dev-log.ts';

const shown = (line: string): string => stripVTControlCharacters(readableLine(line));

test('a line of the log is shown with its time, level, message and other fields', () => {
  const line = JSON.stringify({ level: 30, time: 0, machine: 'VLT2', rows: 3, msg: 'Stored' });
  expect(shown(line)).toMatch(/^\d\d:\d\d:\d\d info {2}Stored machine="VLT2" rows=3$/);
});

test("an error's stack is shown on lines of its own", () => {
  const line = JSON.stringify({ level: 50, time: 0, err: { stack: 'Error: no\n    at x' }, msg: 'Failed' });
  expect(shown(line)).toMatch(/ error Failed\nError: no\n {4}at x$/);
});

test.each(['Restarting', '{"a":1}', '{broken'])('%s, which is not a line of pino, stays as it is', (line) => {
  expect(readableLine(line)).toBe(line);
});
