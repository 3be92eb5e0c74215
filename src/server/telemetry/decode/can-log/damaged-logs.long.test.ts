import { expect, test } from 'vitest';
import { DAMAGED, readDamaged } from './test/damaged-logs.ts';

test.each(DAMAGED)(
  'reads or refuses 20,000 damaged $name logs, the same in pieces of any size (43.1)',
  (format) => {
    expect(readDamaged(format, 20_000, 4310)).toEqual([]);
  },
);
