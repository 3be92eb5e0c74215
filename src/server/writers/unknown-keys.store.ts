import type { Database } from '#server/platform/database.ts';

const SHOWN_UNKNOWN_KEYS = 200;
const UNKNOWN_KEYS = 1_000;

/** Keys that somebody signed with and that are nobody's: counted, and shown to administrators. */
export type UnknownKey = {
  readonly accessKey: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly count: number;
};

/** Keys that somebody signed with and that are nobody's, newest first. */
export async function unknownKeys(db: Database): Promise<UnknownKey[]> {
  const { rows } = await db.query<{ access_key: string; first: Date; last: Date; count: number }>(
    `select access_key, first_seen_at as first, last_seen_at as last, count::float8 as count
     from unknown_key order by last_seen_at desc limit $1`,
    [SHOWN_UNKNOWN_KEYS],
  );
  return rows.map(({ access_key, first, last, count }) => ({
    accessKey: access_key,
    firstSeen: first.toISOString(),
    lastSeen: last.toISOString(),
    count,
  }));
}

/** Counts uses of such keys. @param counts by key, in the order of the keys: two processes never wait in a circle */
export async function noteUnknownKeys(
  db: Database,
  counts: readonly (readonly [accessKey: string, count: number])[],
): Promise<void> {
  await db.query(
    `insert into unknown_key as u (access_key, count) select * from unnest($1::text[], $2::bigint[])
     on conflict (access_key) do update set last_seen_at = now(), count = u.count + excluded.count`,
    [counts.map(([key]) => key), counts.map(([, count]) => count)],
  );
}

/** Unknown keys beyond the newest. */
export async function forgetUnknownKeys(db: Database): Promise<void> {
  await db.query(
    `delete from unknown_key where access_key in (
       select access_key from unknown_key order by last_seen_at desc offset $1
     )`,
    [UNKNOWN_KEYS],
  );
}
