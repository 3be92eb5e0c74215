import { acceptedValue, type Limits, limitsOf } from '#shared/domain/accepted-values.ts';
import { dutchDate, plainNumber } from '#shared/domain/nl.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { ClockName, Clocks } from './frozen-clock.ts';
import { parseJsonObject } from './json-object.ts';
import { isSignalName, judgeTime, TIME_NAMES } from './reading-rules.ts';

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
 * (snapshotTime). The time is not a signal of the reading. A value that is no valid number, has no usable name, or
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

/**
 * The time of a snapshot, in milliseconds, with the error of another of its clocks; or the Dutch reason why it has no
 * time.
 */
type SnapshotTime =
  | { readonly time: number; readonly wrongClock?: string | undefined }
  | { readonly reason: string };

const DAY_MS = 86_400_000;
/** Number of weeks after which the week number of GPS, which has ten bits, begins again. */
const EPOCH_WEEKS = 1024;
const EPOCH_MS = EPOCH_WEEKS * 7 * DAY_MS;
const EPOCH_TEXT = 'het weeknummer van GPS is opnieuw begonnen';

/**
 * Chooses the clock of a snapshot (docs/figures.md section 1): the first clock whose time may be stored. A receiver
 * without a fix, for example indoors, reports 0.
 * @param values seconds since 1970
 * @param instead clock to use when the first one stands still
 */
function snapshotTime(values: Clocks, nowMs: number, instead: ClockName | undefined): SnapshotTime {
  const said = TIME_NAMES.filter((name) => Number.isFinite(values[name]));
  const timeOf = (name: ClockName): number => Math.round((values[name] as number) * 1000);
  const set = said.filter((name) => values[name] !== 0);
  const first = set[0] ?? said[0];
  if (first === undefined)
    return { reason: 'De momentopname heeft geen tijd (GMT_UNIX, DATETIME of RTC_UNIX).' };
  const chosen = instead ?? set.find((name) => judgeTime(timeOf(name), nowMs) === 'good');
  if (chosen === undefined) return { reason: refusal(first, timeOf(first), nowMs) };
  const wrong = set.find((name) => judgeTime(timeOf(name), nowMs) !== 'good');
  const time = timeOf(chosen);
  return { time, wrongClock: wrong && wrongClockText(wrong, timeOf(wrong) - time, chosen) };
}

/** Returns, for example, 'de klok GMT_UNIX loopt 9 dagen voor op RTC_UNIX'. */
function wrongClockText(wrong: ClockName, byMs: number, chosen: ClockName): string {
  const weeks = weeksBehind(byMs);
  return `de klok ${wrong} loopt ${weeks ?? lag(byMs)} op ${chosen}${weeks === undefined ? '' : ` (${EPOCH_TEXT})`}`;
}

function refusal(name: ClockName, time: number, nowMs: number): string {
  const [what, by] =
    judgeTime(time, nowMs) === 'ahead'
      ? ['ligt meer dan 10 minuten in de toekomst', time - nowMs]
      : ['ligt voor 2015', undefined];
  const weeks = weeksBehind(time - nowMs);
  const says = time === 0 ? `${name} is 0` : `${name} zegt ${dayOf(time)}`;
  const more = weeks ? `${weeks}: ${EPOCH_TEXT}` : by === undefined ? says : `${says}, ${lag(by)}`;
  return `De tijd van de momentopname ${what} (${more}).`;
}

const LAST_YEAR_MS = Date.UTC(9999, 11, 31);
const dayOf = (time: number): string =>
  time >= 0 && time <= LAST_YEAR_MS ? dutchDate(new Date(time).toISOString().slice(0, 10)) : 'geen tijd';

/** Returns, for example, '3 dagen achter'. */
function lag(byMs: number): string {
  const [ms, side] = [Math.abs(byMs), byMs < 0 ? 'achter' : 'voor'];
  const days = Math.round(ms / DAY_MS);
  const size = days >= 2 ? `${plainNumber(days)} dagen` : `${plainNumber(Math.round(ms / 1000))} s`;
  return `${size} ${side}`;
}

/** Returns, for example, '1.024 weken achter' when the week number of GPS wrapped around. */
function weeksBehind(byMs: number): string | undefined {
  const times = Math.round(-byMs / EPOCH_MS);
  if (times < 1 || Math.abs(-byMs - times * EPOCH_MS) > DAY_MS) return undefined;
  return `${plainNumber(times * EPOCH_WEEKS)} weken achter`;
}
