import { expect, test } from 'vitest';
import { readDamagedRxdFiles } from './test/mutants.ts';

test.each([2, 3, 4, 5])(
  '5,000 damaged .rxd files cause no error except a LogError: seed %i (43.1)',
  (seed) => {
    expect(readDamagedRxdFiles(5_000, seed).read).toBeGreaterThan(1_000);
  },
);
