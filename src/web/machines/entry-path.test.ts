import { expect, test } from 'vitest';
import { aLiveEntry } from '#web/test/live-example.ts';
import { entryPath } from './entry-path.ts';

test.each([
  ['machine', 'VO-1000', 'Graver', '/machine/VO-1000'],
  ['machine', 'A 1', 'Graver', '/machine/A%201'],
  ['logger', '0012345', 'Krol 6', '/lmb-logging/Krol%206'],
] as const)('APP-09 a %s %s, %s has its page at %s', (kind, serialNumber, alias, path) => {
  expect(entryPath({ ...aLiveEntry('x').metadata, kind, serialNumber, alias })).toBe(path);
});
