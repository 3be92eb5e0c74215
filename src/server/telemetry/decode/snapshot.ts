import type { Reading } from '#shared/domain/signal.ts';
import { isSignalName, judgeTime, TIME_NAMES } from './reading-rules.ts';

/** A reading, with how many of its signals were left out; or why there is none, in Dutch. */
type DecodedSnapshot =
  | { readonly ok: true; readonly reading: Reading; readonly skipped: number }
  | { readonly ok: false; readonly reason: string };

const MOST_KEYS = 1000;
const MOST_KNOWN_NAMES = 20_000;
/** Names that were judged before: the same loggers send the same names thousands of times a second. */
const knownNames = new Set<string>();

/**
 * Reads a logger's snapshot: a flat JSON object of numbers, with its time in seconds as GMT_UNIX, else
 * DATETIME, else RTC_UNIX, 0 being none (docs/design.md section 7). The time is no signal of
 * the reading. Everything that is no finite number, has no usable name, or comes after 1,000 keys is left
 * out and counted.
 */
export function decodeSnapshot(bytes: Buffer, nowMs: number): DecodedSnapshot {
  const values = parseJsonObject(bytes);
  if (values === undefined) return { ok: false, reason: 'De momentopname is geen JSON-object.' };
  // 0 is what a receiver without a fix says, indoors for example; the logger's own clock still runs then.
  const timeName =
    TIME_NAMES.find((name) => Number.isFinite(values[name]) && values[name] !== 0) ??
    TIME_NAMES.find((name) => values[name] === 0);
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
    else if (isKnownName(name)) signals[name] = value;
    else skipped += 1;
  }
  return { ok: true, reading: { time, signals }, skipped };
}

const timeNames: ReadonlySet<string> = new Set(TIME_NAMES);

function isKnownName(name: string): boolean {
  if (knownNames.has(name)) return true;
  if (!isSignalName(name)) return false;
  if (knownNames.size < MOST_KNOWN_NAMES) knownNames.add(name);
  return true;
}

/** The JSON object in a small file of a logger; a byte order mark is passed. Undefined when it is anything else. */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const text = bytes.toString();
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
