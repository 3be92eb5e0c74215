import { randomBytes, randomInt } from 'node:crypto';
import type { Database } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Warn } from '#server/platform/warn.ts';

export type KeyPair = { readonly accessKey: string; readonly secret: string };

/** Creates a key pair for a writer, in AWS's form: an access key of 20 characters and a secret of 40. The secret is stored encrypted. */
export async function createKey(db: Database, secrets: Secrets, writerId: number): Promise<KeyPair> {
  const accessKey = `WS${Array.from({ length: 18 }, () => KEY_ALPHABET[randomInt(32)]).join('')}`;
  const secret = randomBytes(30).toString('base64url');
  await db.query('insert into writer_key (access_key, writer_id, secret) values ($1, $2, $3)', [
    accessKey,
    writerId,
    secrets.seal('writer_key.secret', accessKey, secret),
  ]);
  return { accessKey, secret };
}
const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Retires the keys of writers whose bindings ended: uploads with them are rejected from now on. */
export async function retireKeys(db: Database, writerIds: readonly number[]): Promise<void> {
  await db.query(
    `update writer_key set retired_at = now(), ended_with_binding = true
     where writer_id = any($1) and /*rule:key-ends-with-binding*/ retired_at is null /*=false*/`,
    [writerIds],
  );
}

/**
 * Withdraws the keys of a writer except `accessKey`: uploads with them are rejected from now on, even if the binding ends and is
 * restored.
 */
export async function withdrawOtherKeys(db: Database, writerId: number, accessKey: string): Promise<void> {
  await db.query(
    `update writer_key set retired_at = now() where writer_id = $1 and retired_at is null and access_key <> $2`,
    [writerId, accessKey],
  );
}

/**
 * Reactivates the keys that were retired because their binding ended, for the writer that continues this binding. Keys that were
 * replaced or withdrawn earlier stay retired. Keys older than the present ownership must be replaced, as after a sale (requireNewKey).
 * @returns whether there were any keys
 */
export async function reviveKeys(db: Database, endedId: number, writerId: number): Promise<boolean> {
  const { rows } = await db.query<{ accessKey: string }>(
    `update writer_key k set writer_id = $2, retired_at = null, ended_with_binding = false,
       replace_by = coalesce(replace_by, (
         select now() + make_interval(days => $3) from writer w join ownership o on o.stream_id = w.stream_id
         where w.id = $1 and o.valid_to = 'infinity' and o.valid_from > k.created_at
       ))
     where writer_id = $1 and ended_with_binding returning access_key`,
    [endedId, writerId, KEY_GRACE_DAYS],
  );
  // Deletes the counts of uploads that used one of these keys while it was retired.
  await db.query('delete from unknown_key where access_key = any ($1)', [
    rows.map(({ accessKey }) => accessKey),
  ]);
  return rows.length > 0;
}

/** Days after a sale during which the old key works: a technician must drive to the machine and load a new configuration. */
const KEY_GRACE_DAYS = 30;

/**
 * Requires a new key for the logger of a stream that was sold at `at`, because the former owner may know the present key. Call it in a
 * transaction.
 * @returns whether the logger has a key
 */
export async function requireNewKey(db: Database, streamId: number, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update writer_key set replace_by = coalesce(replace_by, $2::timestamptz + make_interval(days => $3))
     where retired_at is null
       and writer_id = (select id from writer where stream_id = $1 and valid_to = 'infinity')`,
    [streamId, at, KEY_GRACE_DAYS],
  );
  return (rowCount ?? 0) > 0;
}

/** A machine whose logger still has a key that a former owner may know. `replaceBy`: ISO time by which the key must be replaced. */
export type KeyToReplace = {
  readonly serial: string;
  readonly alias: string;
  readonly organization: string;
  readonly loggerId: string;
  readonly replaceBy: string;
};

/** Returns the machines whose logger needs a new key, the most urgent first. */
export async function keysToReplace(db: Database): Promise<KeyToReplace[]> {
  const { rows } = await db.query<Omit<KeyToReplace, 'replaceBy'> & { replaceBy: Date }>(
    `select s.serial, s.alias, o.clean as organization, w.logger_serial as logger_id, min(k.replace_by) as replace_by
     from writer_key k join writer w on w.id = k.writer_id and w.valid_to = 'infinity'
     join stream s on s.id = w.stream_id and s.deleted_at is null
     join ownership n on n.stream_id = s.id and n.valid_to = 'infinity' join organization o on o.id = n.organization_id
     where k.retired_at is null and k.replace_by is not null
     group by s.id, o.id, w.id order by min(k.replace_by), s.serial`,
  );
  return rows.map(({ replaceBy, ...machine }) => ({ ...machine, replaceBy: replaceBy.toISOString() }));
}

/** Records the first use of a key: the older keys of its logger are rejected from then on (sql/note-key-use.sql). */
export type KeyUseRecorder = { note(accessKey: string): Promise<void> | undefined };

/** Maximum number of keys in memory whose first use is recorded; a full set is cleared, and each key then costs one more query. */
const MAX_REMEMBERED = 50_000;

/**
 * Opens the recording of key uses. Queries the database once per key and process. An error is logged, and the next upload tries
 * again.
 */
export function openKeyUseRecorder(db: Database, warn: Warn): KeyUseRecorder {
  const noted = new Set<string>();
  const noteFirst = async (accessKey: string): Promise<void> => {
    try {
      await db.query('select note_key_use($1)', [accessKey]);
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.add(accessKey);
    } catch (error) {
      warn('First use of a key not recorded; the next upload tries again', (error as Error).message);
    }
  };
  return { note: (accessKey) => (noted.has(accessKey) ? undefined : noteFirst(accessKey)) };
}
