import type { Pool } from '#server/platform/database.ts';
import { continueOrganizationDeletions, purgeDeletedStreams } from '#server/upkeep.ts';

export const GRACE_DAYS = 30;
export const LOG_DAYS = 400;

/** Runs the upkeep of the three minutes after `at`: after the first minute no process has former bindings and keys in its cache. */
export async function runUpkeep(pool: Pool, at: number): Promise<void> {
  for (let minute = 1; minute <= 3; minute += 1) {
    const now = new Date(at + minute * 60_000);
    await continueOrganizationDeletions(pool, now, GRACE_DAYS, LOG_DAYS);
    await purgeDeletedStreams(pool, now, GRACE_DAYS);
    await pool.query(
      `update stream set purged_at = purged_at - interval '1 minute' where purged_at is not null`,
    );
    await pool.query(
      `update erased_period set asked_at = asked_at - interval '1 minute' where erased_at is null`,
    );
  }
}
