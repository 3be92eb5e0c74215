/** The browser's stored copy of the live data, under the key `liveData` (LIVE-02), and its owner. */

import { warn } from '#web/lib/warn.ts';
import { parseStoredUser, type User } from '#web/session/user.ts';
import { liveSource } from './live-source.ts';

/** Key of the response of GET /api/live, stored as received. */
export const LIVE_DATA_KEY = 'liveData';
/** Key of the time of the response, in Unix milliseconds. */
export const LIVE_DATA_AT_KEY = 'liveDataAt';
/** Key of the user to whom the response was sent, as JSON. */
export const LIVE_DATA_OWNER_KEY = 'liveDataOf';
/** Stays below a browser's storage quota of about 5 million characters (docs/design.md section 10). */
export const MAX_STORED_CHARACTERS = 4_000_000;
export const WRITE_EVERY_MS = 30_000;
/** A copy that is older than this is not shown. */
export const MAX_AGE_MS = 12 * 3_600_000;
/** A copy is shown only if its time is less than this in the future: the computer's clock may have been put back. */
const MAX_CLOCK_SKEW_MS = 600_000;

export type LiveCopy = { readonly text: string; readonly atMs: number };
/** A copy to store. If `text` is a function, it is called only when the copy is written. */
export type LiveCopyOffer = { readonly text: string | (() => string); readonly atMs: number };

export type LiveStorage = {
  /** Sets the owner of later copies. Removes a stored copy that has another owner or none. */
  setOwner(user: User): void;
  /** Returns the owner of the stored copy, if the copy may be shown at `nowMs` (MAX_AGE_MS). */
  freshOwner(nowMs: number): User | undefined;
  /** Returns the stored copy; undefined if there is none or the browser refuses storage. */
  read(): LiveCopy | undefined;
  /**
   * Offers the newest response. Writes the response at once if the last write was 30 s ago or more; else `flush` writes it,
   * unless a later `offer` replaces it.
   */
  offer(copy: LiveCopyOffer): void;
  /** Returns whether an offer at `atMs` would be written at once. */
  isDue(atMs: number): boolean;
  /** Writes a pending copy, because the page may close. */
  flush(): void;
  /** Removes everything and calls `onWipe`, because another user may sign in. */
  wipe(): void;
  /** Returns whether a response was too large to store since the last wipe; nothing is then stored. */
  isDropped(): boolean;
};

/**
 * Creates the storage.
 * @param store returns the browser's localStorage; `store` and every call on the localStorage may throw
 * @param onWipe removes the user's data that other modules remember; called by `wipe`
 */
export function createLiveStorage(store: () => Storage, onWipe: () => void = () => undefined): LiveStorage {
  let waiting: LiveCopyOffer | undefined;
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
      if (owner) store().setItem(LIVE_DATA_OWNER_KEY, JSON.stringify(owner));
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
      for (const key of [LIVE_DATA_KEY, LIVE_DATA_AT_KEY, LIVE_DATA_OWNER_KEY]) store().removeItem(key);
    } catch {
      // A browser that refuses storage has nothing to remove.
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
  const storedOwner = (): User | undefined => parseStoredUser(stored(LIVE_DATA_OWNER_KEY));

  return {
    setOwner(user) {
      owner = user;
      if (storedOwner()?.email !== user.email) remove();
    },
    freshOwner(nowMs) {
      const age = nowMs - storedAt();
      return age > -MAX_CLOCK_SKEW_MS && age <= MAX_AGE_MS ? storedOwner() : undefined;
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

/** The storage of this browser. A wipe also terminates the worker. */
export const liveStorage = createLiveStorage(
  () => localStorage,
  () => liveSource.end(),
);
