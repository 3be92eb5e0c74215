import { isUnavailable, type Pool } from '#server/platform/database.ts';
import { shardCount, shardOf } from '#server/platform/shards.ts';
import { StreamStateCache } from './stream-state-cache.ts';
import { type CommitOutcome, type QueuedCommit, storeGroup } from './write-queue-group.ts';

/** Thrown if the database cannot store anything now; the logger retries later. */
export class WriteQueueUnavailable extends Error {
  override readonly name = 'WriteQueueUnavailable';
}

/** Thrown for uploads that arrive while the portal is stopping; not reported as an error. */
export class WriteQueueClosed extends WriteQueueUnavailable {}

/**
 * Group commit: while groups are being stored, the next group collects items, without a timer (docs/design.md section 7). Two
 * groups run concurrently, so that one computes while the other waits for the disk, but never with items of the same logger,
 * because the uploads of a logger are stored in their order of arrival. The items of a group that fails are stored one by one, so
 * that a bad item does not prevent others from being stored.
 */
export type WriteQueue = {
  /**
   * Stores an item; resolves after the commit. @throws WriteQueueUnavailable when the database is unreachable, or too many items
   * wait
   */
  commit(item: QueuedCommit): Promise<CommitOutcome>;
  /**
   * Runs `store`, which locks these streams. Uploads for these streams wait in the queue until it has ended, because a group that
   * waits for one of the locks would delay up to 499 other uploads.
   */
  whileLocked<Result>(streams: ReadonlySet<number>, store: () => Promise<Result>): Promise<Result>;
  health(): WriteQueueHealth;
  /** Stores the waiting items and accepts no more. */
  close(): Promise<void>;
};

export type WriteQueueHealth = {
  /** Number of items that are not committed or refused yet. */
  readonly waiting: number;
  /** How long the oldest of these items has been waiting, ms; 0 when none waits. */
  readonly waitingMs: number;
  /** How long ago the database refused the last group, ms; undefined once a later group was stored. */
  readonly failedMs: number | undefined;
};

const GROUP = 500;
const MAX_WAITING = 5_000;
/** Maximum number of groups in progress in a database with one shard. */
const GROUPS_AT_ONCE = 2;
/** Maximum number of groups in progress in a database with several shards; the other ingest connections stay free for log files. */
const MAX_GROUPS = 4;
/**
 * Delay in ms before a shard that did not respond is tried again. Uploads for that shard are refused meanwhile, so that they do not block
 * other shards.
 */
const AWAY_MS = 5_000;
/** Minimum number of waiting items to start another group beside one in progress: a group costs the database as much as ten items. */
const WORTH_A_GROUP = 32;
/** Time in ms after which a group in progress counts as stuck: then further items do not wait for it, even if they are few. */
const STUCK_MS = 250;
/**
 * A connection that does not respond for this time, in ms, is dropped; a group of 500 takes less than a second on a busy machine. If
 * the group is committed nevertheless, the loggers' retry changes no reading.
 */
const NO_ANSWER_MS = 10_000;

type Waiting = {
  readonly item: QueuedCommit;
  /** undefined for an item without a reading: it fits in a group of any shard. */
  readonly shard: number | undefined;
  readonly since: number;
  resolve(committed: CommitOutcome): void;
  reject(error: Error): void;
};

type Group = {
  readonly items: readonly Waiting[];
  readonly loggers: ReadonlySet<string>;
  readonly shard: number | undefined;
  readonly began: number;
  /** Never rejects. */
  done: Promise<void>;
};

/** Returns the one shard to which these items belong; undefined if all of them fit in a group of any shard. */
const shardIn = (items: readonly Waiting[]): number | undefined =>
  items.find(({ shard }) => shard !== undefined)?.shard;

export function openWriteQueue(pool: Pool, noAnswerMs = NO_ANSWER_MS): WriteQueue {
  const known = new StreamStateCache();
  let waiting: Waiting[] = [];
  const running = new Set<Group>();
  let starting: NodeJS.Immediate | undefined;
  let failedAt: number | undefined;
  /** Shards that are unreachable, and the time at which each may be tried again. */
  const away = new Map<number, number>();
  const locked = new Set<ReadonlySet<number>>();
  let closed = false;

  function isTimeForAnother(now: number): boolean {
    if (waiting.length === 0 || running.size >= (shardCount() > 1 ? MAX_GROUPS : GROUPS_AT_ONCE))
      return false;
    if (running.size === 0 || waiting.length >= WORTH_A_GROUP) return true;
    for (const { began } of running) if (now - began > STUCK_MS) return true;
    return false;
  }

  function startGroups(): void {
    clearImmediate(starting);
    starting = undefined;
    const now = performance.now();
    while (isTimeForAnother(now)) {
      const items = takeGroup();
      if (items.length === 0) return;
      const shard = shardIn(items);
      const loggers = new Set(items.map(({ item }) => item.document.loggerSerial));
      const group: Group = { items, loggers, shard, began: now, done: Promise.resolve() };
      running.add(group);
      group.done = store(group);
    }
  }

  /**
   * Returns whether a stream is locked by whileLocked. Always false while the write queue closes: waiting items are then stored
   * even if they have to wait for the lock.
   */
  function isLocked(streamId: number): boolean {
    for (const streams of closed ? [] : locked) if (streams.has(streamId)) return true;
    return false;
  }

  /** Takes items of one shard from the queue, in order of arrival, and skips the items of loggers that have items in progress. */
  function takeGroup(): Waiting[] {
    const isFull = (shard: number | undefined): boolean =>
      shard !== undefined && [...running].filter((one) => one.shard === shard).length >= GROUPS_AT_ONCE;
    const isBusy = ({ item, shard }: Waiting): boolean => {
      for (const { loggers } of running) if (loggers.has(item.document.loggerSerial)) return true;
      if (item.reading && isLocked(item.reading.streamId)) return true;
      return isFull(shard);
    };
    const group: Waiting[] = [];
    const others: Waiting[] = [];
    let shard: number | undefined;
    const passedOver = new Set<string>();
    for (const one of waiting) {
      const { loggerSerial } = one.item.document;
      const isOther = shard !== undefined && one.shard !== undefined && one.shard !== shard;
      const isTaken = group.length < GROUP && !isOther && !isBusy(one) && !passedOver.has(loggerSerial);
      if (isTaken) shard ??= one.shard;
      else passedOver.add(loggerSerial);
      (isTaken ? group : others).push(one);
    }
    waiting = others;
    return group;
  }

  function finish(group: Group): void {
    running.delete(group);
    startGroups();
  }

  async function store(group: Group): Promise<void> {
    const { items, shard } = group;
    try {
      const commits = items.map(({ item }) => item);
      const answers = await storeGroup(pool, known, commits, noAnswerMs);
      failedAt = undefined;
      if (shard !== undefined) away.delete(shard);
      // Lets the database start its next group before the results of this one are passed on.
      finish(group);
      for (const [n, { resolve }] of items.entries()) resolve(answers[n] as CommitOutcome);
    } catch (error) {
      const [first, second] = items;
      if (isUnavailable(error)) putOff(items, error);
      else if (first && !second) first.reject(error as Error);
      else await storeOneByOne(items);
      finish(group);
    }
  }

  async function storeOneByOne(items: readonly Waiting[]): Promise<void> {
    for (const [n, { item, resolve, reject }] of items.entries()) {
      try {
        const [answer] = await storeGroup(pool, known, [item], noAnswerMs);
        failedAt = undefined;
        resolve(answer as CommitOutcome);
      } catch (error) {
        if (isUnavailable(error)) return putOff(items.slice(n), error);
        reject(error as Error);
      }
    }
  }

  function putOff(items: readonly Waiting[], cause: unknown): void {
    const shard = shardIn(items);
    if (shard !== undefined && shardCount() > 1) away.set(shard, performance.now() + AWAY_MS);
    else failedAt = performance.now();
    const error = new WriteQueueUnavailable('The database is out of reach.', { cause });
    for (const { reject } of items) reject(error);
  }

  return {
    commit(item) {
      if (closed) return Promise.reject(new WriteQueueClosed('The portal is stopping.'));
      if (waiting.length >= MAX_WAITING) {
        return Promise.reject(new WriteQueueUnavailable('Too many uploads are waiting.'));
      }
      const shard = item.reading && shardOf(item.reading.streamId);
      if (shard !== undefined && (away.get(shard) ?? 0) > performance.now()) {
        return Promise.reject(new WriteQueueUnavailable(`Shard ${shard} of the database is out of reach.`));
      }
      return new Promise((resolve, reject) => {
        const since = performance.now();
        waiting.push({ item, shard, since, resolve, reject });
        // The group starts after this turn of the event loop, so that it contains all items that arrive in this turn.
        if (isTimeForAnother(since)) starting ??= setImmediate(startGroups);
      });
    },
    async whileLocked(streams, store) {
      locked.add(streams);
      try {
        return await store();
      } finally {
        locked.delete(streams);
        startGroups();
      }
    },
    health() {
      const now = performance.now();
      const oldest = Math.min(
        waiting[0]?.since ?? now,
        ...[...running].map(({ items }) => items[0]?.since ?? now),
      );
      const underWay = [...running].reduce((sum, { items }) => sum + items.length, 0);
      return {
        waiting: waiting.length + underWay,
        waitingMs: now - oldest,
        failedMs: failedAt === undefined ? undefined : now - failedAt,
      };
    },
    async close() {
      closed = true;
      startGroups();
      while (running.size > 0) await Promise.race([...running].map(({ done }) => done));
    },
  };
}
