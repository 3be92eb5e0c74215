import { expect, test } from 'vitest';
import { readDamagedRxdFiles } from './test/mutants.ts';

test('2,000 damaged .rxd files cause no error except a LogError, with the same result for chunks of any size (43.1)', () => {
  const { refused, read } = readDamagedRxdFiles(2_000, 1);
  expect(refused).toBeGreaterThan(100);
  expect(read).toBeGreaterThan(500);
});
