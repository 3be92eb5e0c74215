/** When live state is too old to be believed (docs/design.md section 8; LIVE-07). */

/** ms; a machine last seen longer ago than this is stale. */
export const STALE_AFTER_MS = 10 * 60_000;

/** True when the last reading is more than 10 minutes old, or there never was one (GMT_UNIX 0). */
export function isStale(lastSeenUnixSeconds: number | undefined, nowMs: number): boolean {
  if (lastSeenUnixSeconds === undefined || !(lastSeenUnixSeconds > 0)) return true;
  return nowMs - lastSeenUnixSeconds * 1000 > STALE_AFTER_MS;
}
