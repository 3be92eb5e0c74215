const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * Returns how long a response asks the client to wait, in ms (RFC 9110 section 10.2.3: seconds or a date), at most a day; undefined
 * without a valid header.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}
