import { expect, test } from 'vitest';
import { decodeWithBothDecoders } from './test/oracle/compare.ts';
import { randomLog } from './test/oracle/random-log.ts';

/** First seeds of a hundred logs each; the ordinary tests use 1 to 50. */
const HUNDREDS = Array.from({ length: 10 }, (_, n) => 1_001 + 100 * n);

test.each(HUNDREDS)(
  'a hundred random logs from %i on give the same result as the oracle (42.60)',
  async (first) => {
    for (let seed = first; seed < first + 100; seed++) {
      const { ours, oracle } = await decodeWithBothDecoders(randomLog(seed));
      expect({ seed, ...ours }).toEqual({ seed, ...oracle });
    }
  },
);
