import type { Database } from '#server/platform/database.ts';
import { STALE_AFTER_MS } from '#shared/domain/staleness.ts';
import { levelAhead } from '#shared/domain/usual-day.ts';
import { readCharges } from './charges.store.ts';
import { type OwnedStream, readUsualDays, type UsualDays } from './usual-days.ts';

/** ms */
const AHEAD_MS = 24 * 3_600_000;

/** Until when the charge lasts: ms; null: for as long as the usual days say, 24 hours at most. */
export type Reach = { readonly until: number | null };

/**
 * Returns until when each machine has enough charge if it does what it usually does, by stream; a machine that charges, was not heard for
 * ten minutes or has too little history is left out.
 */
export async function readReach(
  db: Database,
  usualDays: UsualDays,
  machines: readonly OwnedStream[],
  now: number,
): Promise<Map<number, Reach>> {
  const charges = await readCharges(db, machines, now, STALE_AFTER_MS);
  const working = machines.filter(({ streamId }) => charges.get(streamId)?.isCharging === false);
  const usual = await readUsualDays(db, usualDays, working, now, now + AHEAD_MS);
  return new Map(
    working.flatMap(({ streamId }) => {
      const charge = charges.get(streamId);
      const ahead = charge && levelAhead(charge, usual.get(streamId) ?? [], now + AHEAD_MS);
      return ahead ? [[streamId, { until: ahead.lowAt ?? null }]] : [];
    }),
  );
}
