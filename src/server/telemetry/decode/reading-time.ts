/** A reading from before this is from a clock that was never set (docs/design.md section 7). */
export const EARLIEST_MS = Date.UTC(2015, 0, 1);
/** A reading may be this much ahead of our own clock (docs/design.md section 7). */
export const AHEAD_MS = 10 * 60_000;

/** Whether a reading of this time may be kept, or why not. */
export function judgeTime(timeMs: number, nowMs: number): 'good' | 'before 2015' | 'ahead' {
  if (timeMs < EARLIEST_MS) return 'before 2015';
  return timeMs > nowMs + AHEAD_MS ? 'ahead' : 'good';
}
