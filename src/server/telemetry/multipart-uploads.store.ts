import { randomBytes } from 'node:crypto';
import { type Database, inTransaction } from '#server/platform/database.ts';
import {
  EndpointUnavailable,
  type MultipartUpload,
  type SpooledBody,
  type StoredPart,
  type UploadPart,
} from '#server/s3/upload-backend.ts';
import { consumeDailyQuota } from '#server/writers/log-quotas.ts';
import { readChunks, writeChunks } from './chunks.store.ts';
import { QUOTA_USED_MESSAGE } from './log-delivery.ts';
import type { LoggerKey } from './logger-directory.ts';
import type { Telemetry } from './telemetry.ts';

/** Starts a multipart upload, which the key's quota counts as the smallest file. @throws EndpointUnavailable */
export async function beginUpload(
  { pool, quotas, now }: Telemetry,
  { accessKey, writerId }: LoggerKey,
  { key, contentType, metadata }: Omit<MultipartUpload, 'id' | 'etag'> & { readonly key: string },
): Promise<string> {
  const id = randomBytes(24).toString('base64url');
  await inTransaction(pool, async (client) => {
    if (!(await consumeDailyQuota(client, quotas, { accessKey, bytes: 0, now: now() }))) {
      throw new EndpointUnavailable(QUOTA_USED_MESSAGE);
    }
    await client.query(
      `insert into multipart_upload (id, writer_id, key, content_type, metadata) values ($1, $2, $3, $4, $5)`,
      [id, writerId, key, contentType, JSON.stringify(metadata)],
    );
  });
  return id;
}

/** Returns an upload of this binding and object key. */
export async function findUpload(
  db: Database,
  { writerId }: LoggerKey,
  key: string,
  id: string,
): Promise<MultipartUpload | undefined> {
  const { rows } = await db.query<Omit<MultipartUpload, 'etag'> & { etag: string | null }>(
    `select id, content_type, metadata, etag from multipart_upload
     where id = $1 and writer_id = $2 and key = $3`,
    [id, writerId, key],
  );
  return rows[0] && { ...rows[0], etag: rows[0].etag ?? undefined };
}

export async function listUploadParts(
  db: Database,
  { id }: MultipartUpload,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StoredPart[]> {
  const { rows } = await db.query<UploadPart & { id: string }>(
    `select id, number, size::float8 as size, etag, extract(epoch from stored_at)::float8 * 1000 as last_modified
     from upload_part where upload_id = $1 and number > $2 order by number limit $3`,
    [id, after, limit],
  );
  return rows.map(({ id: partId, ...part }) => ({
    ...part,
    read: () => readChunks(db, 'part_chunk', partId, part.size),
  }));
}

/**
 * Stores a part and subtracts it from the key's quota. A part with the same number is replaced by a part with a new id, so that no
 * reader gets a mixture of both. If two calls arrive at once, the second waits for the commit of the first.
 * @returns false when the upload is no longer open
 * @throws EndpointUnavailable (quota of the day)
 */
export async function storePart(
  { pool, quotas, now }: Telemetry,
  { accessKey }: LoggerKey,
  upload: MultipartUpload,
  { number, size, etag }: Omit<UploadPart, 'lastModified'>,
  body: SpooledBody,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const open = await client.query(
      'select from multipart_upload where id = $1 and completed_at is null for update',
      [upload.id],
    );
    if (open.rowCount === 0) return false;
    if (!(await consumeDailyQuota(client, quotas, { accessKey, bytes: size, now: now() }))) {
      throw new EndpointUnavailable(QUOTA_USED_MESSAGE);
    }
    await client.query('delete from upload_part where upload_id = $1 and number = $2', [upload.id, number]);
    const { rows } = await client.query<{ id: string }>(
      'insert into upload_part (upload_id, number, size, etag) values ($1, $2, $3, $4) returning id',
      [upload.id, number, size, etag],
    );
    await writeChunks(client, 'part_chunk', rows[0]?.id as string, body.read());
    return true;
  });
}

/**
 * Deletes the parts after the object was created; the row of the upload stays for a client that did not receive the
 * answer.
 */
export async function completeUpload(db: Database, { id }: MultipartUpload, etag: string): Promise<void> {
  await db.query(
    `with completed as (update multipart_upload set completed_at = now(), etag = $2 where id = $1 returning id)
     delete from upload_part where upload_id in (select id from completed)`,
    [id, etag],
  );
}

export async function abortUpload(db: Database, { id }: MultipartUpload): Promise<void> {
  await db.query('delete from multipart_upload where id = $1 and completed_at is null', [id]);
}

/** Hours after which no client continues an upload or asks for its result. */
const UPLOAD_HOURS = 24;

export async function removeOldUploads(db: Database): Promise<void> {
  await db.query(
    'delete from multipart_upload where coalesce(completed_at, created_at) < now() - make_interval(hours => $1)',
    [UPLOAD_HOURS],
  );
}
