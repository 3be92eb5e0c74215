import type { Database, Transaction } from '#server/platform/database.ts';
import { EndpointUnavailable } from '#server/s3/upload-backend.ts';

/** Minimum bytes of a file per row: small enough to read and write without filling memory. */
const CHUNK_BYTES = 1024 * 1024;

/** The tables that hold the content of files in chunks; for each the column with the id of the file or part that a chunk belongs to. */
const OWNER = { object_chunk: 'object_id', part_chunk: 'part_id' } as const;
type ChunkTable = keyof typeof OWNER;

/** Stores the content of a file, from its beginning. */
export async function writeChunks(
  client: Transaction,
  table: ChunkTable,
  ownerId: string,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  let n = 0;
  for await (const data of inChunks(content)) {
    await client.query(`insert into ${table} (${OWNER[table]}, n, data) values ($1, $2, $3)`, [
      ownerId,
      n,
      data,
    ]);
    n += 1;
  }
}

/** Joins parts of any size into chunks of at least CHUNK_BYTES; the last chunk may be smaller. */
async function* inChunks(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of content) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}

/**
 * Yields the content of a stored file.
 * @throws EndpointUnavailable when the file is replaced or removed meanwhile; the bytes so far belong to a file that no
 * longer exists
 */
export async function* readChunks(
  db: Database,
  table: ChunkTable,
  ownerId: string,
  size: number,
): AsyncIterable<Buffer> {
  let read = 0;
  for (let n = 0; read < size; n++) {
    const { rows } = await db.query<{ data: Buffer }>(
      `select data from ${table} where ${OWNER[table]} = $1 and n = $2`,
      [ownerId, n],
    );
    const chunk = rows[0]?.data;
    if (!chunk) throw new EndpointUnavailable('The log file was replaced while it was read.');
    read += chunk.length;
    yield chunk;
  }
}
