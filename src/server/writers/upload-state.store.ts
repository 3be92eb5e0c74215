import type { Database } from '#server/platform/database.ts';
import { refusedHost, WRONG_HOST } from '#shared/domain/upload-refusals.ts';

/** Returns the time of the newest accepted upload of all loggers, in ms. */
export async function readLastAcceptedUploadMs(db: Database): Promise<number | undefined> {
  const { rows } = await db.query<{ at: number | null }>(
    'select extract(epoch from max(last_seen_at))::float8 * 1000 as at from writer_health',
  );
  return rows[0]?.at ?? undefined;
}

/** Returns the Host of the newest upload that was refused because a proxy replaced that header; undefined once an upload is accepted. */
export async function readRefusedHost(db: Database): Promise<string | undefined> {
  const { rows } = await db.query<{ refusal: string }>(
    `select refusal from writer_health
     where starts_with(refusal, $1) and refused_at > coalesce((select max(last_seen_at) from writer_health), '-infinity')
     order by refused_at desc limit 1`,
    [`${WRONG_HOST} `],
  );
  return rows[0] && refusedHost(rows[0].refusal);
}
