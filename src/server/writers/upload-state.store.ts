import type { Database } from '#server/platform/database.ts';

/** When an upload was last accepted, of all loggers; ms. */
export async function lastAccepted(db: Database): Promise<number | undefined> {
  const { rows } = await db.query<{ at: number | null }>(
    'select extract(epoch from max(last_seen_at))::float8 * 1000 as at from writer_health',
  );
  return rows[0]?.at ?? undefined;
}
