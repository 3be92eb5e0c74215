import type { Database } from '#server/platform/database.ts';
import { NOT_DECODED } from '#server/telemetry/decode/log-file-name.ts';
import type { LoggerHealth } from '#shared/contract/writers.ts';

const SHOWN = 20;

/**
 * Returns the stored files of a logger of kinds that the portal does not read: recorded logs without a decoder, and documents of
 * an unknown name (docs/design.md section 7). @param since when the logger was bound
 */
export async function undecodedFiles(
  db: Database,
  loggerSerial: string,
  since: Date,
): Promise<LoggerHealth['undecoded']> {
  const { rows } = await db.query<{ name: string; size: number; at: Date; count: number }>(
    `select regexp_replace(key, '^.*/', '') as name, size::float8 as size, modified_at as at, count(*) over ()::int as count
     from object where logger_serial = $1 and modified_at >= $2 and outcome = $3
     order by modified_at desc, id desc limit $4`,
    [loggerSerial, since, NOT_DECODED, SHOWN],
  );
  return {
    count: rows[0]?.count ?? 0,
    files: rows.map(({ name, size, at }) => ({ name, size, at: at.toISOString() })),
  };
}
