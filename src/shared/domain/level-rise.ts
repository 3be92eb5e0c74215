/** Detects a rise of the charge level while no current flows into the battery (docs/figures.md section 4). */
import { BUCKET_MS } from './intervals.ts';
import { packNumberOf } from './packs.ts';
import type { Signals } from './signal.ts';

/**
 * First charge levels in a bucket, %, by signal name. After a BatteryCurrent of 0 A or less (below 0 A the battery
 * charges), levels count from the next BatteryCurrent above 0 A on.
 */
type First = Readonly<Record<string, number>>;

/** First charge levels in the bucket of the newest reading (`now`) and in the bucket before it. Plain JSON, stored in the database. */
export type BucketLevels = {
  readonly now: First;
  readonly before: First;
  /**
   * How many buckets ago BatteryCurrent was 0 A or less; undefined: not in these two buckets, or BatteryCurrent has
   * been above 0 A since.
   */
  readonly waits?: 0 | 1 | undefined;
  /**
   * First charge levels in the bucket of the newest reading, if BatteryCurrent was 0 A or less in the bucket before
   * and has not been sent since. These levels count from the next bucket on.
   */
  readonly held?: First | undefined;
};

const NONE: First = {};
export const NO_LEVELS: BucketLevels = { now: NONE, before: NONE };
const NOTHING_OUT: BucketLevels = { now: NONE, before: NONE, waits: 0 };

/** The mean rise must be above this, in thousandths of a percentage point: one step of a signal with steps of 0.4 % is a rise. */
const RISES_ABOVE_MILLI = 300;
/** Maximum number of signal names, so that invented names cannot make the stored state long. */
const MAX_NAMES = 32;

/** Times of a reading and of the reading before it, ms, and the BatteryCurrent of the later reading. */
type Moment = {
  readonly time: number;
  readonly lastTime: number | undefined;
  readonly amps: number | undefined;
};

/**
 * Returns the levels after a reading.
 * @param names names of the reading's signals that may be charge levels
 */
export function bucketLevelsAfter(
  levels: BucketLevels,
  signals: Signals,
  names: readonly string[],
  { time, lastTime, amps }: Moment,
): BucketLevels {
  let { now, before, waits, held } = levels;
  const buckets =
    lastTime === undefined ? 0 : Math.floor(time / BUCKET_MS) - Math.floor(lastTime / BUCKET_MS);
  if (buckets > 0) {
    before = buckets === 1 ? { ...now, ...held } : NONE;
    now = NONE;
    held = undefined;
    waits = buckets === 1 && waits === 0 ? 1 : undefined;
  }
  if (amps !== undefined && amps <= 0) return NOTHING_OUT;
  if (amps !== undefined) waits = undefined;
  if (waits === 1) return { now: NONE, before: NONE, waits, held: withFirst(held ?? NONE, signals, names) };
  if (waits === 0) return levels;
  now = withFirst(now, signals, names);
  const isSame = now === levels.now && before === levels.before && levels.waits === undefined;
  return isSame ? levels : { now, before, ...(held && { held }) };
}

/** Returns the first values, extended with the reading's values of names that had none yet. */
function withFirst(first: First, signals: Signals, names: readonly string[]): First {
  let found = first;
  let count = -1;
  for (const name of names) {
    if (found[name] !== undefined || packNumberOf(name) === undefined) continue;
    if (count < 0) count = Object.keys(found).length;
    if (count >= MAX_NAMES) break;
    found = { ...found, [name]: signals[name] as number };
    count += 1;
  }
  return found;
}

/**
 * Returns whether the charge levels have risen by more than 0.3 percentage points on average, each since its first value in the bucket
 * before or, if it has none there, in this bucket.
 * @param levelOf value of a signal now; undefined: not known
 */
export function hasLevelRisen(
  { now, before }: BucketLevels,
  levelOf: (name: string) => number | undefined,
): boolean {
  let rise = 0;
  let count = 0;
  for (const name in { ...now, ...before }) {
    const level = levelOf(name);
    if (level === undefined) continue;
    rise += milli(level) - milli(before[name] ?? (now[name] as number));
    count += 1;
  }
  return rise > RISES_ABOVE_MILLI * count;
}

const milli = (percent: number): number => Math.floor(percent * 1000 + 0.5);
