import { acceptedValue, type Limits, limitsOf } from '#shared/domain/accepted-values.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { ClockName, Clocks } from './frozen-clock.ts';
import { parseJsonObject } from './json-object.ts';
import { isSignalName, TIME_NAMES } from './reading-rules.ts';
import { snapshotTime } from './snapshot-clock.ts';

/** A reading and the number of signals that were left out; or the Dutch reason why there is no reading. */
type DecodedSnapshot =
  | {
      readonly ok: true;
      readonly reading: Reading;
      readonly skipped: number;
      /** The first clock stands still; the time comes from another clock. */
      readonly isFrozen: boolean;
      /** Dutch description of another clock that is wrong. */
      readonly wrongClock?: string;
    }
  | { readonly ok: false; readonly reason: string };

const MOST_KEYS = 1000;
const MOST_KNOWN_NAMES = 20_000;
/** Limits of known names, cached because the same loggers send the same names thousands of times a second. */
const knownNames = new Map<string, Limits>();

/**
 * Reads a logger's snapshot: a flat JSON object of numbers, with its time in seconds as GMT_UNIX, DATETIME or RTC_UNIX
 * (snapshot-clock.ts). The time is not a signal of the reading. A value that is no valid number, has no usable name, or
 * comes after 1,000 keys is left out and counted.
 * @param clockOf returns the clock to use when the first one stands still
 */
export function decodeSnapshot(
  bytes: Buffer,
  nowMs: number,
  clockOf: (clocks: Clocks) => ClockName | undefined = () => undefined,
): DecodedSnapshot {
  const values = parseJsonObject(bytes);
  if (values === undefined) return { ok: false, reason: 'De momentopname is geen JSON-object.' };
  const other = clockOf(values as Clocks);
  const clock = snapshotTime(values as Clocks, nowMs, other);
  if ('reason' in clock) return { ok: false, reason: clock.reason };
  const { time, wrongClock } = clock;
  const signals: Record<string, number> = {};
  let skipped = 0;
  let keys = 0;
  for (const name in values) {
    const value = values[name];
    keys += 1;
    if (typeof value !== 'number' || !Number.isFinite(value) || keys > MOST_KEYS) skipped += 1;
    else if (timeNames.has(name)) continue;
    else {
      const limits = limitsOfName(name);
      const accepted = limits && acceptedValue(value, limits);
      if (accepted === undefined) skipped += 1;
      else signals[name] = accepted;
    }
  }
  return {
    ok: true,
    reading: { time, signals },
    skipped,
    isFrozen: other !== undefined,
    ...(wrongClock && { wrongClock }),
  };
}

const timeNames: ReadonlySet<string> = new Set(TIME_NAMES);

/** Returns undefined when the name is not usable. */
function limitsOfName(name: string): Limits | undefined {
  const known = knownNames.get(name);
  if (known) return known;
  if (!isSignalName(name)) return undefined;
  const limits = limitsOf(name);
  if (knownNames.size < MOST_KNOWN_NAMES) knownNames.set(name, limits);
  return limits;
}
