import { expect, test } from 'vitest';
import { DAMAGED, readDamaged } from './test/damaged-logs.ts';

test.each(DAMAGED)(
  '43.1 reads or refuses 20,000 damaged $name logs, the same in pieces of any size',
  (format) => {
    expect(readDamaged(format, 20_000, 4310)).toEqual([]);
  },
);
