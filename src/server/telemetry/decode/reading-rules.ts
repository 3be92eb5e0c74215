/**
 * What marks a reading's time; a reading carries its time beside its signals, not among them
 * (docs/design.md section 7).
 */
export const TIME_NAMES = ['GMT_UNIX', 'DATETIME', 'RTC_UNIX'] as const;

/** No control, format, private or unpaired characters, no line separators: what a database and a screen can hold. */
const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u;

/** Names that a signal may have: 1 to 64 printable characters. `__proto__` is no name for a property. */
export const isSignalName = (name: string): boolean => name !== '__proto__' && PRINTABLE.test(name);

/** A reading from before this is from a clock that was never set (docs/design.md section 7). */
export const EARLIEST_MS = Date.UTC(2015, 0, 1);
/** A reading may be this much ahead of our own clock (docs/design.md section 7). */
const AHEAD_MS = 10 * 60_000;

/** Whether a reading of this time may be kept, or why not. */
export function judgeTime(timeMs: number, nowMs: number): 'good' | 'before 2015' | 'ahead' {
  if (timeMs < EARLIEST_MS) return 'before 2015';
  return timeMs > nowMs + AHEAD_MS ? 'ahead' : 'good';
}
