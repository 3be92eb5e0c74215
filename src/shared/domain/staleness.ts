/** Decides when live data is too old (docs/design.md section 8; LIVE-07). */

/** A machine that was last seen longer ago is stale. */
export const STALE_AFTER_MS = 10 * 60_000;

/**
 * When the newest reading was received: within 10 minutes, longer ago, or never. A machine that has never reported has no last status.
 */
export type Freshness = 'fresh' | 'stale' | 'never';

/** Returns true when there was at least one reading (GMT_UNIX above 0). */
export const wasEverSeen = (lastSeenUnixSeconds: number | undefined): boolean =>
  lastSeenUnixSeconds !== undefined && lastSeenUnixSeconds > 0;

export function freshnessOf(lastSeenUnixSeconds: number | undefined, nowMs: number): Freshness {
  if (!wasEverSeen(lastSeenUnixSeconds)) return 'never';
  return isStale(lastSeenUnixSeconds, nowMs) ? 'stale' : 'fresh';
}

/** Returns true when the newest reading is more than 10 minutes old, or there never was one (GMT_UNIX 0). */
export function isStale(lastSeenUnixSeconds: number | undefined, nowMs: number): boolean {
  if (lastSeenUnixSeconds === undefined || !(lastSeenUnixSeconds > 0)) return true;
  return nowMs - lastSeenUnixSeconds * 1000 > STALE_AFTER_MS;
}
