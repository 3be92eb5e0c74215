import type { Pool } from '#server/platform/database.ts';
import { storeReadings } from './readings.store.ts';
import type { StreamReading } from './signal-columns.ts';

/**
 * Whether PostgreSQL refused the data itself: SQLSTATE class 22 (data exception) or 23 (constraint), appendix A of its
 * manual. What it refuses today it refuses tomorrow; anything else may be stored later.
 */
export function isRefusedData(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^2[23]/.test(code);
}

/** Counts of readings; `why` is the database's word on the first one that it refused. */
export type Accepted = {
  readonly inserted: number;
  readonly merged: number;
  readonly refused: number;
  readonly why: unknown;
};

/**
 * Stores the readings that the database accepts: a bad one never fails its neighbours, which are tried again in ever
 * smaller groups. @throws what the database says that is not about the data
 */
export async function storeAcceptable(pool: Pool, readings: readonly StreamReading[]): Promise<Accepted> {
  try {
    const stored = await storeReadings(pool, readings);
    return { ...stored, refused: 0, why: undefined };
  } catch (why) {
    if (!isRefusedData(why)) throw why;
    if (readings.length === 1) return { inserted: 0, merged: 0, refused: 1, why };
  }
  const half = readings.length >> 1;
  const first = await storeAcceptable(pool, readings.slice(0, half));
  const second = await storeAcceptable(pool, readings.slice(half));
  return {
    inserted: first.inserted + second.inserted,
    merged: first.merged + second.merged,
    refused: first.refused + second.refused,
    why: first.why ?? second.why,
  };
}
