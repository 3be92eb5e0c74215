import type { Pool } from '#server/platform/database.ts';
import type { StreamReading } from './readings/signal-columns.ts';
import { storeReadings } from './readings.store.ts';

/**
 * Returns whether PostgreSQL refused the data itself: SQLSTATE class 22 (data exception) or 23 (constraint), appendix A of its
 * manual. Such data will always be refused; after any other error a retry may succeed.
 */
export function isRefusedData(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^2[23]/.test(code);
}

/** Numbers of readings that were stored, merged and refused; `why` is the database's error for the first refused reading. */
export type AcceptedReadingCounts = {
  readonly inserted: number;
  readonly merged: number;
  readonly refused: number;
  readonly why: unknown;
};

/**
 * Stores the readings that the database accepts. Retries in ever smaller groups, so that a bad reading does not prevent others from
 * being stored.
 * @throws any database error that is not about the data
 */
export async function storeAcceptedReadings(
  pool: Pool,
  readings: readonly StreamReading[],
): Promise<AcceptedReadingCounts> {
  try {
    const stored = await storeReadings(pool, readings);
    return { ...stored, refused: 0, why: undefined };
  } catch (why) {
    if (!isRefusedData(why)) throw why;
    if (readings.length === 1) return { inserted: 0, merged: 0, refused: 1, why };
  }
  const half = readings.length >> 1;
  const first = await storeAcceptedReadings(pool, readings.slice(0, half));
  const second = await storeAcceptedReadings(pool, readings.slice(half));
  return {
    inserted: first.inserted + second.inserted,
    merged: first.merged + second.merged,
    refused: first.refused + second.refused,
    why: first.why ?? second.why,
  };
}
