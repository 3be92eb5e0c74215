import { setTimeout as wait } from 'node:timers/promises';
import { computeDays } from '#server/day-figures/compute-days.ts';
import { findOutdatedStreams } from '#server/day-figures/day-figures.store.ts';
import type { Pool } from '#server/platform/database.ts';
import { isRetryable } from '#server/platform/database.ts';

/**
 * Computes until nothing is outdated, for one stream or all. The portal may do so at the same time, or may have just
 * finished.
 */
export async function computeUntilUpToDate(pool: Pool, streamId?: number): Promise<void> {
  for (;;) {
    const due = await findOutdatedStreams(pool, 1_000);
    const asked = streamId === undefined ? due : due.filter((id) => id === streamId);
    if (asked.length === 0) return;
    let isComputed = false;
    for (const id of asked) isComputed = (await counts(pool, id)) || isComputed;
    if (!isComputed) await wait(20);
  }
}

const counts = (pool: Pool, streamId: number): Promise<boolean> =>
  computeDays(pool, streamId).catch((error) => {
    if (isRetryable(error)) return false;
    throw error;
  });
