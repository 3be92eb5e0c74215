/** The browser's copy of the live data, under the key `liveData` (LIVE-02), and whose it is. */

import { warn } from '#web/lib/warn.ts';
import { type User, userIn } from '#web/session/user.ts';
import { liveSource } from './live-source.ts';

/** Exactly what GET /api/live answered. */
export const LIVE_DATA_KEY = 'liveData';
/** When that was, in ms. */
export const LIVE_DATA_AT_KEY = 'liveDataAt';
/** For whom that was, as JSON. */
export const LIVE_DATA_OF_KEY = 'liveDataOf';
/** Characters; with more than this a browser's quota of about 5 million is near (docs/design.md section 10). */
export const MAX_STORED_CHARACTERS = 4_000_000;
export const WRITE_EVERY_MS = 30_000;
/** What is older says nothing of now. */
export const SHOWN_FOR_MS = 12 * 3_600_000;
/** A clock that was put back this far is no reason to distrust a copy; one of longer ahead is not ours. */
const AHEAD_MS = 600_000;

export type LiveCopy = { readonly text: string; readonly atMs: number };
/** A copy whose text is made only when it is written. */
export type LiveOffer = { readonly text: string | (() => string); readonly atMs: number };

export type LiveStorage = {
  /** Copies are this account's from now on; one of another is forgotten, and so is one of nobody. */
  keepFor(user: User): void;
  /** Whose the copy is, when it may be shown at `nowMs` (SHOWN_FOR_MS). */
  keptFor(nowMs: number): User | undefined;
  /** The stored copy; undefined when there is none or the browser keeps no data for us. */
  read(): LiveCopy | undefined;
  /** The newest answer. It is written at once when the last write is 30 s ago, else by a later `offer` or `flush`. */
  offer(copy: LiveOffer): void;
  /** An offer at that time, in ms, would be written at once. */
  isDue(atMs: number): boolean;
  /** Writes what waits: the page may be gone the next moment. */
  flush(): void;
  /** Forgets everything, `onWipe` included: somebody else may sign in here. */
  wipe(): void;
  /** Since the last wipe an answer was too large to keep; nothing is stored. */
  isDropped(): boolean;
};

/**
 * `store` answers the browser's localStorage; it may throw, as every call on it may. `onWipe` forgets what is
 * remembered elsewhere.
 */
export function createLiveStorage(store: () => Storage, onWipe: () => void = () => undefined): LiveStorage {
  let waiting: LiveOffer | undefined;
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let dropped = false;
  let owner: User | undefined;

  const write = (): void => {
    if (!waiting || dropped) return;
    const { text: textOrMaker, atMs } = waiting;
    waiting = undefined;
    writtenAtMs = atMs;
    try {
      const text = typeof textOrMaker === 'string' ? textOrMaker : textOrMaker();
      if (text.length > MAX_STORED_CHARACTERS) throw new Error(`${text.length} characters`);
      store().setItem(LIVE_DATA_KEY, text);
      store().setItem(LIVE_DATA_AT_KEY, String(atMs));
      if (owner) store().setItem(LIVE_DATA_OF_KEY, JSON.stringify(owner));
    } catch (cause) {
      drop(cause);
    }
  };
  const isDue = (atMs: number): boolean => !dropped && atMs - writtenAtMs >= WRITE_EVERY_MS;
  const drop = (why: unknown): void => {
    dropped = true;
    remove();
    warn('The live data does not fit in this browser; no copy is kept.', why);
  };
  const remove = (): void => {
    try {
      for (const key of [LIVE_DATA_KEY, LIVE_DATA_AT_KEY, LIVE_DATA_OF_KEY]) store().removeItem(key);
    } catch {
      // A browser that keeps no data for us has nothing to remove.
    }
  };

  const stored = (key: string): string | undefined => {
    try {
      return store().getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  };
  const storedAt = (): number => {
    const atMs = Number(stored(LIVE_DATA_AT_KEY));
    return atMs > 0 && Number.isFinite(atMs) ? atMs : 0;
  };
  const storedOwner = (): User | undefined => userIn(stored(LIVE_DATA_OF_KEY));

  return {
    keepFor(user) {
      owner = user;
      if (storedOwner()?.email !== user.email) remove();
    },
    keptFor(nowMs) {
      const age = nowMs - storedAt();
      return age > -AHEAD_MS && age <= SHOWN_FOR_MS ? storedOwner() : undefined;
    },
    read() {
      const text = stored(LIVE_DATA_KEY);
      return text === undefined ? undefined : { text, atMs: storedAt() };
    },
    offer(copy) {
      waiting = copy;
      if (isDue(copy.atMs)) write();
    },
    isDue,
    flush: write,
    wipe() {
      waiting = undefined;
      writtenAtMs = Number.NEGATIVE_INFINITY;
      dropped = false;
      owner = undefined;
      remove();
      onWipe();
    },
    isDropped: () => dropped,
  };
}

/** This browser's; the worker's memory is wiped with it. */
export const liveStorage = createLiveStorage(
  () => localStorage,
  () => liveSource.end(),
);
