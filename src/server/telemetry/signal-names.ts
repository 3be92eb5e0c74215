import { hash } from 'node:crypto';

/** Names of signals that `latest` keeps per stream. */
export const MOST_NAMES = 2_000;

/** Sets of names whose digest is kept: the same loggers send the same names thousands of times a second. */
const MOST_SETS = 10_000;
const LONGEST_KEPT = 4_096;
const known = new Map<string, Buffer>();

/**
 * The digest of a set of names, by which ingest_readings() sees that a stream's names have not changed: MD5 of the names
 * in the order of their bytes, with line feeds between them (no name has one). Undefined: more than have a place.
 */
export function digestOfNames(names: readonly string[]): Buffer | undefined {
  if (names.length > MOST_NAMES) return undefined;
  const asSent = names.join('\n');
  const before = known.get(asSent);
  if (before) return before;
  const sorted = names.map((name) => Buffer.from(name)).sort(Buffer.compare);
  const digest = hash('md5', sorted.join('\n'), 'buffer');
  if (known.size >= MOST_SETS) known.clear();
  if (asSent.length <= LONGEST_KEPT) known.set(asSent, digest);
  return digest;
}
