import { createReadStream } from 'node:fs';
import type { StoredContent, StoredObject, StoredObjects } from '#server/door/door-world.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import type { DocumentRow } from './funnel.ts';

/** Objects per logger that answer HEAD and LIST (DESIGN.md section 7). */
export const OBJECTS_PER_LOGGER = 1_000;

/** Bytes of a log file per row: small enough to read and write without filling memory. */
const CHUNK_BYTES = 1024 * 1024;

type Row = {
  id: string;
  key: string;
  size: string;
  etag: string;
  content_type: string;
  metadata: Record<string, string>;
  modified_ms: number;
};

const COLUMNS = `id, key, size, etag, content_type, metadata, extract(epoch from modified_at)::float8 * 1000 as modified_ms`;

const toObject = (row: Row): StoredObject => ({
  key: row.key,
  size: Number(row.size),
  etag: row.etag,
  lastModified: row.modified_ms,
  contentType: row.content_type,
  metadata: row.metadata,
});

/** What the door shows a logger of its own uploads. */
export function objectsOf(db: Database): StoredObjects {
  return {
    async head(loggerSerial, key) {
      const { rows } = await db.query<Row>(
        `select ${COLUMNS} from object where logger_serial = $1 and key = $2`,
        [loggerSerial, key],
      );
      return rows[0] && toObject(rows[0]);
    },

    async get(loggerSerial, key): Promise<StoredContent | undefined> {
      const { rows } = await db.query<Row & { body: Buffer | null }>(
        `select ${COLUMNS}, body from object where logger_serial = $1 and key = $2`,
        [loggerSerial, key],
      );
      const row = rows[0];
      return row && { ...toObject(row), body: row.body ?? readChunks(db, row.id) };
    },

    async list(loggerSerial, { prefix, startAfter, limit }) {
      const { rows } = await db.query<Row>(
        `select ${COLUMNS} from object
         where logger_serial = $1 and starts_with(key, $2) and key collate "C" > $3
         order by key collate "C" limit $4`,
        [loggerSerial, prefix, startAfter, limit],
      );
      return rows.map(toObject);
    },
  };
}

/** The bytes of a stored log file. */
export async function* readChunks(db: Database, objectId: string): AsyncIterable<Buffer> {
  for (let n = 0; ; n++) {
    const { rows } = await db.query<{ data: Buffer }>(
      'select data from object_chunk where object_id = $1 and n = $2',
      [objectId, n],
    );
    const chunk = rows[0]?.data;
    if (!chunk) return;
    yield chunk;
  }
}

/** Stores a log file whole, from its spool file; an earlier one of that name is replaced. */
export async function storeFile(
  pool: Pool,
  file: Omit<DocumentRow, 'body'>,
  path: string,
): Promise<{ objectId: string }> {
  return inTransaction(pool, async (client) => {
    await client.query('delete from object where logger_serial = $1 and key = $2', [
      file.loggerSerial,
      file.key,
    ]);
    const { rows } = await client.query<{ id: string }>(
      `insert into object (logger_serial, key, size, etag, content_type, metadata, outcome)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (logger_serial, key) do update set body = null, size = excluded.size, etag = excluded.etag,
         content_type = excluded.content_type, metadata = excluded.metadata, outcome = excluded.outcome,
         modified_at = excluded.modified_at
       returning id`,
      [
        file.loggerSerial,
        file.key,
        file.size,
        file.etag,
        file.contentType,
        JSON.stringify(file.metadata),
        file.outcome,
      ],
    );
    const objectId = rows[0]?.id as string;
    // Another process may have stored the same file between our delete and insert.
    await client.query('delete from object_chunk where object_id = $1', [objectId]);
    let n = 0;
    for await (const data of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      await client.query('insert into object_chunk (object_id, n, data) values ($1, $2, $3)', [
        objectId,
        n,
        data,
      ]);
      n += 1;
    }
    return { objectId };
  });
}

/** Notes what became of a stored file, in words for an administrator. */
export async function setOutcome(db: Database, objectId: string, outcome: string): Promise<void> {
  await db.query('update object set outcome = $2 where id = $1', [objectId, outcome]);
}
