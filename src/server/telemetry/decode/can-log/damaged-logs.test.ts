import { expect, test } from 'vitest';
import { DAMAGED, readDamaged } from './test/damaged-logs.ts';

test.each(DAMAGED)(
  'reads or refuses 500 damaged $name logs, the same in pieces of any size (43.1)',
  (format) => {
    expect(readDamaged(format, 500, 431)).toEqual([]);
  },
);
