import { acceptedValue, type ValueLimits, valueLimitsOf } from '#shared/domain/accepted-values.ts';
import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { clockOffsetOf } from '#shared/domain/delivery-findings/delivery-texts.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { ClockName, SnapshotClocks } from './frozen-clock.ts';
import { parseJsonObject } from './json-object.ts';
import { checkReadingTime, isSignalName, TIME_FIELD_NAMES } from './reading-rules.ts';

/** A reading and the number of signals that were left out; or the reason why there is no reading. */
type DecodedSnapshot =
  | {
      readonly ok: true;
      readonly reading: Reading;
      readonly skipped: number;
      /** Whether the first clock with a time stands still, so that the time comes from another clock (detectFrozenClock). */
      readonly isFrozen: boolean;
      /** Present if the snapshot has a second clock, which does not give the time, and that clock is wrong. */
      readonly wrongClock?: DeliveryFinding;
    }
  | { readonly ok: false; readonly reason: DeliveryFinding };

const MAX_KEYS = 1000;
const MAX_KNOWN_NAMES = 20_000;
/** Value limits by signal name, cached because the same loggers send the same names thousands of times a second. */
const knownNames = new Map<string, ValueLimits>();

/**
 * Reads a logger's snapshot: a flat JSON object of numbers, with its time in seconds as GMT_UNIX, DATETIME or RTC_UNIX
 * (snapshotTime). The time is not a signal of the reading. A value that is no valid number, has no usable name, or comes after
 * 1,000 keys is left out and counted.
 * @param clockOf returns the clock to use if the first one stands still
 */
export function decodeSnapshot(
  bytes: Buffer,
  nowMs: number,
  clockOf: (clocks: SnapshotClocks) => ClockName | undefined = () => undefined,
): DecodedSnapshot {
  const values = parseJsonObject(bytes);
  if (values === undefined) return { ok: false, reason: { kind: 'no-json' } };
  const other = clockOf(values as SnapshotClocks);
  const clock = snapshotTime(values as SnapshotClocks, nowMs, other);
  if ('reason' in clock) return { ok: false, reason: clock.reason };
  const { time, wrongClock } = clock;
  const signals: Record<string, number> = {};
  let skipped = 0;
  let keys = 0;
  for (const name in values) {
    const value = values[name];
    keys += 1;
    if (typeof value !== 'number' || !Number.isFinite(value) || keys > MAX_KEYS) skipped += 1;
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

const timeNames: ReadonlySet<string> = new Set(TIME_FIELD_NAMES);

/** Returns the limits of a signal; undefined when the name is not usable. */
function limitsOfName(name: string): ValueLimits | undefined {
  const known = knownNames.get(name);
  if (known) return known;
  if (!isSignalName(name)) return undefined;
  const limits = valueLimitsOf(name);
  if (knownNames.size < MAX_KNOWN_NAMES) knownNames.set(name, limits);
  return limits;
}

/**
 * The time of a snapshot, in milliseconds, and the error of another clock of the snapshot if there is one; or the reason why the
 * snapshot has no time.
 */
type SnapshotTime =
  | { readonly time: number; readonly wrongClock?: DeliveryFinding | undefined }
  | { readonly reason: DeliveryFinding };

/**
 * Chooses the clock of a snapshot (docs/figures.md section 1): the first clock whose time may be stored. A receiver without a fix,
 * for example indoors, reports 0.
 * @param values seconds since 1970
 * @param instead clock to use if the first one stands still
 */
function snapshotTime(values: SnapshotClocks, nowMs: number, instead: ClockName | undefined): SnapshotTime {
  const said = TIME_FIELD_NAMES.filter((name) => Number.isFinite(values[name]));
  const timeOf = (name: ClockName): number => Math.round((values[name] as number) * 1000);
  const set = said.filter((name) => values[name] !== 0);
  const first = set[0] ?? said[0];
  if (first === undefined) return { reason: { kind: 'without-time' } };
  const chosen = instead ?? set.find((name) => checkReadingTime(timeOf(name), nowMs) === 'good');
  if (chosen === undefined) return { reason: impossibleTime(first, timeOf(first), nowMs) };
  const wrong = set.find((name) => checkReadingTime(timeOf(name), nowMs) !== 'good');
  const time = timeOf(chosen);
  return {
    time,
    wrongClock: wrong && {
      kind: 'wrong-clock',
      clock: wrong,
      lag: clockOffsetOf(timeOf(wrong) - time),
      used: chosen,
    },
  };
}

const LAST_YEAR_MS = Date.UTC(9999, 11, 31);

function impossibleTime(clock: ClockName, time: number, nowMs: number): DeliveryFinding {
  const isAhead = checkReadingTime(time, nowMs) === 'ahead';
  const lag = clockOffsetOf(time - nowMs);
  return {
    kind: 'impossible-time',
    clock,
    day: time >= 0 && time <= LAST_YEAR_MS ? new Date(time).toISOString().slice(0, 10) : null,
    isZero: time === 0,
    isAhead,
    lag: isAhead || 'weeks' in lag ? lag : null,
  };
}
