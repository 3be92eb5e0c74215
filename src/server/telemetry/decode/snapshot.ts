import { acceptedValue, type Limits, limitsOf } from '#shared/domain/accepted-values.ts';
import { parseJson } from '#shared/domain/outside-json.ts';
import type { Reading } from '#shared/domain/signal.ts';
import type { ClockName, Clocks } from './frozen-clock.ts';
import { isSignalName, judgeTime, TIME_NAMES } from './reading-rules.ts';

/** A reading, with how many of its signals were left out; or why there is none, in Dutch. */
type DecodedSnapshot =
  | {
      readonly ok: true;
      readonly reading: Reading;
      readonly skipped: number;
      /** Its first clock stands still; the time is another one's. */
      readonly isFrozen: boolean;
    }
  | { readonly ok: false; readonly reason: string };

const MOST_KEYS = 1000;
const MOST_KNOWN_NAMES = 20_000;
/** Names that were judged before: the same loggers send the same names thousands of times a second. */
const knownNames = new Map<string, Limits>();

/**
 * Reads a logger's snapshot: a flat JSON object of numbers, with its time in seconds as GMT_UNIX, else
 * DATETIME, else RTC_UNIX, 0 being none (docs/figures.md section 1). The time is no signal of
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
  // 0 is what a receiver without a fix says, indoors for example; the logger's own clock still runs then.
  const first = TIME_NAMES.find((name) => Number.isFinite(values[name]) && values[name] !== 0);
  const other = first && clockOf(values as Clocks);
  const timeName = other ?? first ?? TIME_NAMES.find((name) => values[name] === 0);
  if (timeName === undefined)
    return { ok: false, reason: 'De momentopname heeft geen tijd (GMT_UNIX, DATETIME of RTC_UNIX).' };
  const time = Math.round((values[timeName] as number) * 1000);
  const judgement = judgeTime(time, nowMs);
  if (judgement === 'before 2015')
    return { ok: false, reason: 'De tijd van de momentopname ligt voor 2015.' };
  if (judgement === 'ahead')
    return { ok: false, reason: 'De tijd van de momentopname ligt meer dan 10 minuten in de toekomst.' };

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
  return { ok: true, reading: { time, signals }, skipped, isFrozen: other !== undefined };
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

/** The JSON object in a small file of a logger; a byte order mark is passed. Undefined when it is anything else. */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const text = bytes.toString();
    const value: unknown = parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
