import { buffer } from 'node:stream/consumers';
import type { Database } from '#server/platform/database.ts';
import { readChunks } from '#server/telemetry/chunks.store.ts';

/**
 * Returns the stored body of an object of a logger, or undefined when there is none. Reads it from the database, because the
 * upload endpoint returns no bodies.
 */
export async function readStoredBody(
  db: Database,
  loggerSerial: string,
  key: string,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ id: string; size: number; body: Buffer | null }>(
    'select id, size::float8 as size, body from object where logger_serial = $1 and key = $2',
    [loggerSerial, key],
  );
  const [row] = rows;
  return row && (row.body ?? (await buffer(readChunks(db, 'object_chunk', row.id, row.size))));
}
