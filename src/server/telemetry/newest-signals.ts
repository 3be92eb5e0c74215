import { hash } from 'node:crypto';
import type { StreamReading } from './signal-columns.ts';

/** What a batch knows of one stream's newest values, for `latest` (sql/ingest-readings.sql). */
export type NewestSignals = {
  readonly streamId: number;
  /** Of its newest reading, ms. */
  readonly time: number;
  /** The oldest time among its signals, ms. */
  readonly oldest: number;
  /** JSON: name to [value, ms]. */
  readonly signals: string;
  /** Undefined: more names than have a place. */
  readonly names: Buffer | undefined;
};

/** @param sorted by stream, then by time. @returns one per stream, in that order */
export function newestSignals(sorted: readonly StreamReading[]): NewestSignals[] {
  const newest: NewestSignals[] = [];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const { streamId } = sorted[from] as StreamReading;
    for (to = from + 1; sorted[to]?.streamId === streamId; ) to += 1;
    newest.push(to === from + 1 ? ofOne(sorted[from] as StreamReading) : ofSeveral(sorted.slice(from, to)));
  }
  return newest;
}

/** Nearly all that loggers send as they go. */
function ofOne({ streamId, time, signals }: StreamReading): NewestSignals {
  const names = Object.keys(signals);
  let text = '';
  for (const name of names) text += `${text === '' ? '{' : ','}${quoted(name)}${signals[name]},${time}]`;
  return {
    streamId,
    time,
    oldest: time,
    signals: text === '' ? '{}' : `${text}}`,
    names: digestOfNames(names),
  };
}

function ofSeveral(readings: readonly StreamReading[]): NewestSignals {
  const { streamId, time } = readings.at(-1) as StreamReading;
  const newest: Record<string, [value: number, time: number]> = {};
  for (const { signals, time } of readings) {
    for (const name in signals) newest[name] = [signals[name] as number, time];
  }
  let oldest = time;
  for (const name in newest) oldest = Math.min(oldest, newest[name]?.[1] as number);
  const names = digestOfNames(Object.keys(newest));
  return { streamId, time, oldest, signals: JSON.stringify(newest), names };
}

/** Bounds what strangers' names can make us remember. */
const MOST_QUOTED = 20_000;
const quotedNames = new Map<string, string>();

/** `"name":[` */
function quoted(name: string): string {
  const before = quotedNames.get(name);
  if (before !== undefined) return before;
  const text = `${JSON.stringify(name)}:[`;
  if (quotedNames.size < MOST_QUOTED) quotedNames.set(name, text);
  return text;
}

/** Names of signals that `latest` keeps per stream (sql/merge-latest.sql). */
export const MOST_NAMES = 2_000;

/** Sets of names whose digest is kept: the same loggers send the same names thousands of times a second. */
const MOST_SETS = 10_000;
const LONGEST_KEPT = 4_096;
const digests = new Map<string, Buffer>();

/**
 * The digest of a set of names, by which ingest_readings() sees that a stream's names have not changed: MD5 of the names
 * in the order of their bytes, with line feeds between them (no name has one). Undefined: more than have a place.
 */
export function digestOfNames(names: readonly string[]): Buffer | undefined {
  if (names.length > MOST_NAMES) return undefined;
  const asSent = names.join('\n');
  const before = digests.get(asSent);
  if (before) return before;
  const sorted = names.map((name) => Buffer.from(name)).sort(Buffer.compare);
  const digest = hash('md5', sorted.join('\n'), 'buffer');
  if (digests.size >= MOST_SETS) digests.clear();
  if (asSent.length <= LONGEST_KEPT) digests.set(asSent, digest);
  return digest;
}
