import type { Database } from '#server/platform/database.ts';
import type { Warn } from '#server/platform/warn.ts';
import { noteUnknownKeys, type UnknownKeyUse } from '#server/writers/unknown-keys.store.ts';
import { untrustedText } from './untrusted-text.ts';

/** Number of different unknown keys that are noted per second. */
const UNKNOWN_KEYS_PER_FLUSH = 100;
const LONGEST_KEY = 300;
/** A logger's folder has about 20 characters. */
const LONGEST_FOLDER = 100;

/** Uses of unknown keys that are not written yet. */
type UnknownKeyUses = {
  /** @param objectKey key of the upload; undefined when the request has none */
  add(accessKey: string, objectKey?: string): void;
  write(): Promise<void>;
};

/** Collects uses of unknown keys, which anyone can invent, until they are written. */
export function collectUnknownKeys(db: Database, warn: Warn): UnknownKeyUses {
  let uses = new Map<string, UnknownKeyUse>();
  return {
    add(accessKey, objectKey = '') {
      const key = untrustedText(accessKey, LONGEST_KEY);
      const before = uses.get(key);
      if (!before && uses.size >= UNKNOWN_KEYS_PER_FLUSH) return;
      const path = objectKey.slice(0, Math.max(objectKey.lastIndexOf('/'), 0));
      const folder = untrustedText(path, LONGEST_FOLDER) || (before?.folder ?? '');
      uses.set(key, { accessKey: key, count: (before?.count ?? 0) + 1, folder });
    },
    async write() {
      if (uses.size === 0) return;
      // Sorted, so that two processes cannot deadlock.
      const batch = [...uses.values()].sort((a, b) => (a.accessKey < b.accessKey ? -1 : 1));
      uses = new Map();
      await noteUnknownKeys(db, batch).catch((error: Error) =>
        warn('Unknown access keys of one second could not be counted', error.message),
      );
    },
  };
}
