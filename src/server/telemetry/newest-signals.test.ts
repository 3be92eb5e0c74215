import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOfNames, MOST_NAMES } from './newest-signals.ts';

test.each<[names: string[], inOrderOfBytes: string[]]>([
  [
    ['Soc1', 'Oil'],
    ['Oil', 'Soc1'],
  ],
  [
    ['Oil', 'Soc1'],
    ['Oil', 'Soc1'],
  ],
  [
    ['a', 'B', 'é', '\uFF5E', '🚜'],
    ['B', 'a', 'é', '\uFF5E', '🚜'],
  ],
  [[], []],
])('INGEST-03 the digest of %j is that of its names in the order of their bytes', (names, ordered) => {
  for (let time = 0; time < 2; time++) {
    expect(digestOfNames(names)?.toString('hex')).toBe(hash('md5', ordered.join('\n')));
  }
});

test('INGEST-03 more names than have a place have no digest', () => {
  const names = Array.from({ length: MOST_NAMES + 1 }, (_, n) => `Name ${n}`);
  expect(digestOfNames(names)).toBeUndefined();
  expect(digestOfNames(names.slice(1))).toBeDefined();
});
