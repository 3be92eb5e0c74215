import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { formatLogLine, isProxyError } from './dev-log.ts';

const shown = (line: string): string => stripVTControlCharacters(formatLogLine(line));

test('a line of the log is shown with its time, level, message and other fields', () => {
  const line = JSON.stringify({ level: 30, time: 0, machine: 'VLT2', rows: 3, msg: 'Stored' });
  expect(shown(line)).toMatch(/^\d\d:\d\d:\d\d info {2}Stored machine="VLT2" rows=3$/);
});

test("an error's stack is shown on lines of its own", () => {
  const line = JSON.stringify({ level: 50, time: 0, err: { stack: 'Error: no\n    at x' }, msg: 'Failed' });
  expect(shown(line)).toMatch(/ error Failed\nError: no\n {4}at x$/);
});

test.each(['Restarting', '{"a":1}', '{broken'])('%s, which is not a line of pino, stays as it is', (line) => {
  expect(formatLogLine(line)).toBe(line);
});

test.each([
  ['3:03:53 PM [vite] http proxy error: /api/label/get', true],
  ['Error: connect ECONNREFUSED 127.0.0.1:3000', true],
  ['    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:2021:16)', true],
  ['3:03:53 PM [vite] (client) hmr update /src/web/main.tsx', false],
])('whether %s says only that the server restarts: %s', (line, expected) => {
  expect(isProxyError(line)).toBe(expected);
});
