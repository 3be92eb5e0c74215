import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { knownShare } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { rangeSums } from './range-sums.ts';

const MJ_PER_KWH = 3_600_000_000;

/**
 * kWh that came back into the battery while not on a cable (TEST-01), and of which share of the time it is known: null
 * for a stream that reports no BatteryCurrent, whose kWh say nothing (docs/figures.md section 4).
 */
export async function powerBack(
  db: Database,
  history: OwnHistory,
  range: Range,
): Promise<{ kWh: number; known: number | null }> {
  const sums = await rangeSums(db, history, range);
  return { kWh: sums.inMj / MJ_PER_KWH, known: knownShare(sums) };
}
