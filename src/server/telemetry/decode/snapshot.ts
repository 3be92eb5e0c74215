import { acceptedValue, type Limits, limitsOf } from '#shared/domain/accepted-values.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { ClockName, Clocks } from './frozen-clock.ts';
import { parseJsonObject } from './json-object.ts';
import { isSignalName, TIME_NAMES } from './reading-rules.ts';
import { snapshotTime } from './snapshot-clock.ts';

/** A reading, with how many of its signals were left out; or why there is none, in Dutch. */
type DecodedSnapshot =
  | {
      readonly ok: true;
      readonly reading: Reading;
      readonly skipped: number;
      /** Its first clock stands still; the time is another one's. */
      readonly isFrozen: boolean;
      /** Says in Dutch by how much another of its clocks is wrong. */
      readonly wrongClock?: string;
    }
  | { readonly ok: false; readonly reason: string };

const MOST_KEYS = 1000;
const MOST_KNOWN_NAMES = 20_000;
/** Names that were judged before: the same loggers send the same names thousands of times a second. */
const knownNames = new Map<string, Limits>();

/**
 * Reads a logger's snapshot: a flat JSON object of numbers, with its time in seconds as GMT_UNIX,
 * DATETIME or RTC_UNIX (snapshot-clock.ts). The time is no signal of
 * the reading. Everything that is no number that can be, has no usable name, or comes after 1,000 keys is left
 * out and counted.
 * @param clockOf which of the clocks to go by, where the first one may stand still
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

/** undefined: it is no name. */
function limitsOfName(name: string): Limits | undefined {
  const known = knownNames.get(name);
  if (known) return known;
  if (!isSignalName(name)) return undefined;
  const limits = limitsOf(name);
  if (knownNames.size < MOST_KNOWN_NAMES) knownNames.set(name, limits);
  return limits;
}
