/** Names of a reading's time. A reading's time is not one of its signals (docs/design.md section 7). */
export const TIME_FIELD_NAMES = ['GMT_UNIX', 'DATETIME', 'RTC_UNIX'] as const;

/**
 * Characters that a database and a screen can represent: no control, format, private or unpaired characters and no line
 * separators.
 */
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u;

/**
 * Returns whether a signal may have this name: 1 to 64 printable characters. `__proto__` is not allowed, because it is
 * no ordinary property.
 */
export const isSignalName = (name: string): boolean => name !== '__proto__' && PRINTABLE.test(name);

/** Earliest time of a reading; an earlier time comes from a clock that was never set (docs/design.md section 7). */
export const EARLIEST_READING_MS = Date.UTC(2015, 0, 1);
/** How far a reading's time may be ahead of the portal's own clock (docs/design.md section 7). */
const AHEAD_MS = 10 * 60_000;

/** Returns 'good' if a reading may have this time, otherwise the reason why not. */
export function checkReadingTime(timeMs: number, nowMs: number): 'good' | 'before 2015' | 'ahead' {
  if (timeMs < EARLIEST_READING_MS) return 'before 2015';
  return timeMs > nowMs + AHEAD_MS ? 'ahead' : 'good';
}
