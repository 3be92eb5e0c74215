import type { Database } from '#server/platform/database.ts';
import type { Warn } from '#server/platform/warn.ts';

/** Notes that a key is in use: with its first upload, the older keys of its logger are refused. */
export type KeyUse = { note(accessKey: string): Promise<void> };

/** Bounds what is remembered; forgetting costs a look-up. */
const MAX_REMEMBERED = 50_000;

/** Asks the database once per key and process. A failure is warned of, and the next upload tries again. */
export function openKeyUse(db: Database, warn: Warn): KeyUse {
  const noted = new Set<string>();
  return {
    async note(accessKey) {
      if (noted.has(accessKey)) return;
      try {
        await db.query('select note_key_use($1)', [accessKey]);
        if (noted.size >= MAX_REMEMBERED) noted.clear();
        noted.add(accessKey);
      } catch (error) {
        warn("A key's first use could not be noted", (error as Error).message);
      }
    },
  };
}
