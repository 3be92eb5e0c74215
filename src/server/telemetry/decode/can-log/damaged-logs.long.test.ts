import { expect, test } from 'vitest';
import { LOG_FORMATS_TO_DAMAGE, readDamagedLogs } from './test/damaged-logs.ts';

test.each(LOG_FORMATS_TO_DAMAGE)(
  '20,000 damaged $name logs are read or rejected, with the same result for chunks of any size (43.1)',
  (format) => {
    expect(readDamagedLogs(format, 20_000, 4310)).toEqual([]);
  },
);
