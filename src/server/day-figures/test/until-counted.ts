import { setTimeout as wait } from 'node:timers/promises';
import { countDays } from '#server/day-figures/count-days.ts';
import { findDue } from '#server/day-figures/day-figures.store.ts';
import type { Pool } from '#server/platform/database.ts';
import { isRetryable } from '#server/platform/database.ts';

/** Until nothing is left to count, of one stream or of all. The portal may be at it itself, and may be done just before. */
export async function untilCounted(pool: Pool, streamId?: number): Promise<void> {
  for (;;) {
    const due = await findDue(pool, 1_000);
    const asked = streamId === undefined ? due : due.filter((id) => id === streamId);
    if (asked.length === 0) return;
    let isCounted = false;
    for (const id of asked) isCounted = (await counts(pool, id)) || isCounted;
    if (!isCounted) await wait(20);
  }
}

const counts = (pool: Pool, streamId: number): Promise<boolean> =>
  countDays(pool, streamId).catch((error) => {
    if (isRetryable(error)) return false;
    throw error;
  });
