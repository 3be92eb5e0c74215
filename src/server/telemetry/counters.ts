import { LRUCache } from 'lru-cache';
import type { Database } from '#server/platform/database.ts';
import type { Warn } from '#server/platform/warn.ts';
import { strangerText } from './stranger-text.ts';
import { collectUnknownKeys } from './unknown-key-uses.ts';

/** What is counted per writer (docs/design.md section 7); shown to administrators. */
export type CounterName =
  | 'uploads' // acknowledged deliveries
  | 'readings' // new readings stored
  | 'merged' // readings that gained a signal
  | 'duplicates' // readings that were there already and gained nothing
  | 'quarantined' // deliveries or readings that could not become history
  | 'skippedSignals' // signals left out: no number that can be, no usable name
  | 'frozenClocks' // snapshots whose first clock stands still: dated by another
  | 'frames' // CAN frames read
  | 'unknownFrames' // frames that the definition does not know
  | 'badLines' // lines of a log that could not be read
  | 'refused'; // uploads answered 4xx: wrong signature, oversized, another logger's folder
export type Counts = Partial<Record<CounterName, number>>;

const FLUSH_MS = 1_000;
/** An accepted upload after a longer silence is written at once: an administrator may wait for the logger to report. */
const SILENCE_MS = 60_000;
/** Writers whose last upload is remembered; forgetting one costs a write. */
const MOST_REMEMBERED = 50_000;

/** An upload of a logger at a time, ms: accepted, with an `error` where it could not become history, or refused. */
export type Seen =
  | { readonly at: number; readonly error?: string }
  /** refusal: 'code: key', or the code alone. */
  | { readonly at: number; readonly refusal: string };

/**
 * Counts in memory and adds to the database once a second, so that a busy upload endpoint writes one row per logger and
 * second at most. The first upload of a logger after a minute without one is written at once. A killed process loses at
 * most its last second of counts, never a reading.
 */
export type Counters = {
  /** @returns a promise of the write when the accepted upload ends a silence, undefined when it is written with the next second */
  add(writerId: number, counts: Counts, seen?: Seen): Promise<void> | undefined;
  /** Notes a request that was signed with a key that is in force for no logger. Such keys are bounded, here and by upkeep. */
  addUnknownKey(accessKey: string, objectKey?: string): void;
  /** Callers that come while one write runs share the next one. Never fails: what could not be written stays for the next second. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

const LONGEST_TEXT = 300;

type Told = { readonly text: string; readonly at: number };
type Pending = {
  counts: Counts;
  seenAt?: number | undefined;
  error?: Told | undefined;
  refusal?: Told | undefined;
};
/** The later one of two, each of which may be absent. */
const later = (one: Told | undefined, other: Told | undefined): Told | undefined =>
  one && other ? (other.at >= one.at ? other : one) : (other ?? one);

export function openCounters(db: Database, warn: Warn): Counters {
  let pending = new Map<number, Pending>();
  const unknownKeys = collectUnknownKeys(db, warn);
  let running = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const heardAt = new LRUCache<number, number>({ max: MOST_REMEMBERED });

  async function write(): Promise<void> {
    await unknownKeys.write();
    if (pending.size === 0) return;
    const batch = pending;
    pending = new Map();
    const rows = [...batch].sort(([a], [b]) => a - b);
    try {
      await db.query({
        name: 'flush counters',
        text: `insert into writer_health as h (writer_id, last_seen_at, last_error, last_error_at, refusal, refused_at, counters)
          select * from unnest($1::integer[], $2::timestamptz[], $3::text[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::jsonb[]) as n (writer_id)
          -- One that was removed meanwhile has nobody to count for, and must not stop the others' counts.
          where exists (select from writer where id = n.writer_id)
          on conflict (writer_id) do update set
            last_seen_at = greatest(h.last_seen_at, excluded.last_seen_at),
            last_error = coalesce(excluded.last_error, h.last_error),
            last_error_at = coalesce(excluded.last_error_at, h.last_error_at),
            refusal = coalesce(excluded.refusal, h.refusal),
            refused_at = coalesce(excluded.refused_at, h.refused_at),
            counters = (
              select jsonb_object_agg(key, sum) from (
                select key, sum(value::bigint) from (
                  select * from jsonb_each_text(h.counters) union all select * from jsonb_each_text(excluded.counters)
                ) as both_sides group by key
              ) as added
            )`,
        values: [
          rows.map(([writerId]) => writerId),
          rows.map(([, { seenAt }]) => (seenAt === undefined ? null : new Date(seenAt))),
          rows.map(([, { error }]) => error?.text ?? null),
          rows.map(([, { error }]) => (error ? new Date(error.at) : null)),
          rows.map(([, { refusal }]) => refusal?.text ?? null),
          rows.map(([, { refusal }]) => (refusal ? new Date(refusal.at) : null)),
          rows.map(([, { counts }]) => JSON.stringify(counts)),
        ],
      });
    } catch (error) {
      warn('Counters are kept for the next second', (error as Error).message);
      for (const [writerId, entry] of batch) merge(writerId, entry);
    }
  }

  function merge(writerId: number, { counts, seenAt, error, refusal }: Pending): void {
    const entry: Pending = pending.get(writerId) ?? { counts: {} };
    pending.set(writerId, entry);
    for (const name of Object.keys(counts) as CounterName[]) {
      entry.counts[name] = (entry.counts[name] ?? 0) + (counts[name] ?? 0);
    }
    if (seenAt !== undefined) entry.seenAt = Math.max(entry.seenAt ?? 0, seenAt);
    entry.error = later(entry.error, error);
    entry.refusal = later(entry.refusal, refusal);
  }

  const flush = () => {
    waiting ??= running.then(() => {
      waiting = undefined;
      running = write();
      return running;
    });
    return waiting;
  };
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();

  return {
    add(writerId, counts, seen) {
      if (seen === undefined) {
        merge(writerId, { counts });
        return undefined;
      }
      const told = (text: string | undefined): Told | undefined =>
        text === undefined ? undefined : { text: strangerText(text, LONGEST_TEXT), at: seen.at };
      if ('refusal' in seen) {
        merge(writerId, { counts, refusal: told(seen.refusal) });
        return undefined;
      }
      merge(writerId, { counts, seenAt: seen.at, error: told(seen.error) });
      const before = heardAt.get(writerId);
      heardAt.set(writerId, seen.at);
      return before === undefined || seen.at - before > SILENCE_MS ? flush() : undefined;
    },
    addUnknownKey: unknownKeys.add,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
