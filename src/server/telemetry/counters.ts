import { LRUCache } from 'lru-cache';
import type { Database } from '#server/platform/database.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import type { Warn } from '#server/platform/warn.ts';
import { recordUnknownKeyUses, type UnknownKeyUse } from '#server/writers/unknown-keys.store.ts';
import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { findingsToJson } from './stored-findings.ts';
import { sanitizeUntrustedText } from './untrusted-text.ts';

/** Counters of a logger's binding (docs/design.md section 7), which administrators see. */
export type CounterName =
  | 'uploads' // acknowledged uploads
  | 'readings' // new readings
  | 'merged' // readings that gained a signal
  | 'duplicates' // readings that were stored already and gained no signal
  | 'quarantined' // uploads or readings that could not be stored as history
  | 'skippedSignals' // signals that were left out because of an invalid number or name
  | 'frozenClocks' // snapshots whose first clock stands still and whose time comes from another clock
  | 'frames' // CAN frames read
  | 'unknownFrames' // frames that are not in the definition
  | 'badLines' // lines of a log that could not be read
  | 'refused'; // uploads answered with 4xx: wrong signature, too large, folder of another logger
export type CounterCounts = Partial<Record<CounterName, number>>;

const FLUSH_MS = 1_000;
/**
 * After a longer silence the counts of an accepted upload are written immediately, because an administrator may be
 * waiting for the logger to report.
 */
const SILENCE_MS = 60_000;
/** Number of bindings of loggers whose last upload is cached. A binding that is dropped from the cache costs one extra write. */
const MAX_CACHE_ENTRIES = 50_000;

/** An accepted or refused upload of a logger, at a time in ms. `error`: why an accepted upload could not become history. */
export type UploadOutcome =
  | { readonly at: number; readonly error?: readonly DeliveryFinding[] }
  /** `refusal`: 'code: key' with the object's key, only the code, or the text of wrongHostRefusal. */
  | { readonly at: number; readonly refusal: string };

/**
 * Counts in memory and adds the counts to the database once a second, so that the upload endpoint writes at most one
 * row per logger and second. The first upload of a logger after a minute of silence is written immediately. A killed
 * process loses at most its last second of counts, and never a reading.
 */
export type Counters = {
  /**
   * Adds counts.
   * @returns a promise of the write when the accepted upload ends a silence; undefined when the counts are written within a second
   */
  add(writerId: number, counts: CounterCounts, seen?: UploadOutcome): Promise<void> | undefined;
  /** Counts a request that was signed with an unknown key. The number of such keys is limited, here and by upkeep. */
  addUnknownKey(accessKey: string, objectKey?: string): void;
  /**
   * Writes the counts. Calls during a write share the next write. Never throws: counts that could not be written are kept for the
   * next second.
   */
  flush(): Promise<void>;
  close(): Promise<void>;
};

const MAX_REFUSAL_CHARACTERS = 300;

type DatedText = { readonly text: string; readonly at: number };
type Pending = {
  counts: CounterCounts;
  seenAt?: number | undefined;
  /** The findings as text, in the form in which they are stored (stored-findings.ts). */
  error?: DatedText | undefined;
  refusal?: DatedText | undefined;
};
/** Returns the later of two texts, each of which may be absent. */
const later = (one: DatedText | undefined, other: DatedText | undefined): DatedText | undefined =>
  one && other ? (other.at >= one.at ? other : one) : (other ?? one);

export function openCounters(db: Database, warn: Warn): Counters {
  let pending = new Map<number, Pending>();
  const unknownKeys = collectUnknownKeys(db, warn);
  const writes = openSerialQueue();
  let waiting: Promise<void> | undefined;
  const lastSeenAt = new LRUCache<number, number>({ max: MAX_CACHE_ENTRIES });

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
          select * from unnest($1::integer[], $2::timestamptz[], $3::jsonb[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::jsonb[]) as n (writer_id)
          -- A writer that was deleted meanwhile is skipped, so that it does not block the counts of the others.
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
      warn('Upload counters could not be written; retrying in a second', (error as Error).message);
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
    waiting ??= writes.run(() => {
      waiting = undefined;
      return write();
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
      if ('refusal' in seen) {
        const refusal = { text: sanitizeUntrustedText(seen.refusal, MAX_REFUSAL_CHARACTERS), at: seen.at };
        merge(writerId, { counts, refusal });
        return undefined;
      }
      const error = seen.error && { text: findingsToJson(seen.error), at: seen.at };
      merge(writerId, { counts, seenAt: seen.at, error });
      const before = lastSeenAt.get(writerId);
      lastSeenAt.set(writerId, seen.at);
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

/** Maximum number of different unknown keys that are recorded per second. */
const UNKNOWN_KEYS_PER_FLUSH = 100;
const MAX_KEY_CHARACTERS = 300;
/** Maximum length of a recorded folder name; that of a logger has about 20 characters. */
const MAX_FOLDER_CHARACTERS = 100;

/** Uses of unknown keys that are not written yet. */
type UnknownKeyUses = {
  /** Adds a use of an unknown key. @param objectKey key of the upload; undefined when the request has none */
  add(accessKey: string, objectKey?: string): void;
  write(): Promise<void>;
};

/** Collects uses of unknown keys, which anyone can invent, until they are written. */
function collectUnknownKeys(db: Database, warn: Warn): UnknownKeyUses {
  let uses = new Map<string, UnknownKeyUse>();
  return {
    add(accessKey, objectKey = '') {
      const key = sanitizeUntrustedText(accessKey, MAX_KEY_CHARACTERS);
      const before = uses.get(key);
      if (!before && uses.size >= UNKNOWN_KEYS_PER_FLUSH) return;
      const path = objectKey.slice(0, Math.max(objectKey.lastIndexOf('/'), 0));
      const folder = sanitizeUntrustedText(path, MAX_FOLDER_CHARACTERS) || (before?.folder ?? '');
      uses.set(key, { accessKey: key, count: (before?.count ?? 0) + 1, folder });
    },
    async write() {
      if (uses.size === 0) return;
      // Sorted, so that two processes cannot deadlock.
      const batch = [...uses.values()].sort((a, b) => (a.accessKey < b.accessKey ? -1 : 1));
      uses = new Map();
      await recordUnknownKeyUses(db, batch).catch((error: Error) =>
        warn('Unknown access keys of one second could not be counted', error.message),
      );
    },
  };
}
