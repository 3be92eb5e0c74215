import { expect, test } from 'vitest';
import { bothWays } from './test/oracle/compare.ts';
import { randomLog } from './test/oracle/random-log.ts';

const SEEDS = Array.from({ length: 50 }, (_, n) => n + 1);

test.each(SEEDS)('42.60 random log %i gives the readings, senders and counts of the oracle', async (seed) => {
  const { ours, oracle } = await bothWays(randomLog(seed));
  expect(ours).toEqual(oracle);
});
