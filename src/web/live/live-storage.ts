/** The browser's copy of the live data, under the key `liveData` (LIVE-02). */

import { warn } from '#web/lib/warn.ts';
import { liveSource } from './live-source.ts';

/** Exactly what GET /api/live answered. */
export const LIVE_DATA_KEY = 'liveData';
/** When that was, in ms. */
export const LIVE_DATA_AT_KEY = 'liveDataAt';
/** Characters; with more than this a browser's quota of about 5 million is near (docs/design.md section 10). */
export const MAX_STORED_CHARACTERS = 4_000_000;
export const WRITE_EVERY_MS = 30_000;

export type LiveCopy = { readonly text: string; readonly atMs: number };
/** A copy whose text is made only when it is written. */
export type LiveOffer = { readonly text: string | (() => string); readonly atMs: number };

export type LiveStorage = {
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
      store().removeItem(LIVE_DATA_KEY);
      store().removeItem(LIVE_DATA_AT_KEY);
    } catch {
      // A browser that keeps no data for us has nothing to remove.
    }
  };

  return {
    read() {
      try {
        const text = store().getItem(LIVE_DATA_KEY);
        const atMs = Number(store().getItem(LIVE_DATA_AT_KEY));
        return text === null ? undefined : { text, atMs: atMs > 0 && Number.isFinite(atMs) ? atMs : 0 };
      } catch {
        return undefined;
      }
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
