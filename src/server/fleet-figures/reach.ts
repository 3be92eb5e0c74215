import type { Database } from '#server/platform/database.ts';
import { STALE_AFTER_MS } from '#shared/domain/staleness.ts';
import { levelAhead } from '#shared/domain/usual-day.ts';
import { readCharges } from './charges.store.ts';
import { type OwnedStream, readUsualDays, type UsualDays } from './usual-days.ts';

const AHEAD_MS = 24 * 3_600_000;

/**
 * `untilMs`: time at which the charge level falls below 20 %; null when it does not in the next 24 hours, as far as
 * usual days are known.
 */
export type Reach = { readonly untilMs: number | null };

/**
 * Returns how long the charge of each machine lasts on its usual days, by stream. Leaves out machines that charge, that
 * sent nothing for ten minutes, or that have no usual day.
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
      return ahead ? [[streamId, { untilMs: ahead.lowAt ?? null }]] : [];
    }),
  );
}
