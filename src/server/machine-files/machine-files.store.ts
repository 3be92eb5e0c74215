import { createHash } from 'node:crypto';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { lockStream } from '#server/streams/find-stream.ts';
import { findHistory, visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import { normalizeSerial } from '#server/streams/streams.store.ts';
import type { Scope } from '#shared/domain/access.ts';

export type FileKind = 'photo' | 'manual';

/** Metadata of a file, without its content. `hash`: SHA-256 in hexadecimal; `size`: bytes. */
export type MachineFileMetadata = { readonly name: string; readonly hash: string; readonly size: number };
export type NewFile = { readonly name: string; readonly contentType: string; readonly body: Buffer };
export type StoredFile = MachineFileMetadata & { readonly contentType: string };

/** Bytes of a file that one query reads. One reader needs this much memory. Most photos fit in one part. */
const PART_BYTES = 128 * 1024;

/** Returns the values of the parameters $1 to $3 of the SQL that machineId() returns. */
const machine = (scope: Scope, serial: string) => [
  ...visibleStreamsParameters(/*rule:machine-files-scope*/ scope /*={ ...scope, organizations: 'all' }*/, [
    'machine',
  ]),
  normalizeSerial(serial),
];
const machineId = (scope: Scope) =>
  `(select s.id from ${visibleStreamsSql(scope)} where lower(s.serial) = lower($3))`;

/** Returns the metadata of a file; undefined if the scope has no such machine or the machine has no such file. */
export async function findFile(
  db: Database,
  scope: Scope,
  serial: string,
  kind: FileKind,
): Promise<MachineFileMetadata | undefined> {
  const { rows } = await db.query<MachineFileMetadata>(
    `select name, hash, size from machine_file where kind = $4 and stream_id = ${machineId(scope)}`,
    [...machine(scope, serial), kind],
  );
  return rows[0];
}

/** Returns a file's metadata if the file has this hash; undefined if it was replaced or deleted, or is outside the scope. */
export async function findVersion(
  db: Database,
  scope: Scope,
  serial: string,
  kind: FileKind,
  hash: string,
): Promise<StoredFile | undefined> {
  const { rows } = await db.query<StoredFile>(
    `select name, hash, size, content_type from machine_file
     where kind = $4 and hash = $5 and stream_id = ${machineId(scope)}`,
    [...machine(scope, serial), kind, hash],
  );
  return rows[0];
}

/**
 * Yields the content of a file in parts. Each part is read on demand, and no database connection is held between two parts.
 * @throws ProblemError 404 if the file was replaced, or is outside the scope
 */
export async function* readFileContent(
  db: Database,
  scope: Scope,
  serial: string,
  kind: FileKind,
  { hash, size }: MachineFileMetadata,
): AsyncGenerator<Buffer, void> {
  for (let from = 0; from < size; from += PART_BYTES) {
    // The body is stored uncompressed (storage external), so that the database reads only this part.
    const { rows } = await db.query<{ part: Buffer }>(
      `select substr(body, $6, $7) as part from machine_file
       where kind = $4 and hash = $5 and stream_id = ${machineId(scope)}`,
      [...machine(scope, serial), kind, hash, from + 1, PART_BYTES],
    );
    if (!rows[0]) throw notFound();
    yield rows[0].part;
  }
}

/**
 * Requires that a machine is in the scope.
 * @throws ProblemError 404
 */
export async function requireMachineInScope(db: Database, scope: Scope, serial: string): Promise<void> {
  await findHistory(db, scope, serial, ['machine']);
}

/**
 * Replaces a file, with an audit row. Readers see either the old or the new file.
 * @throws ProblemError 404 if the machine does not exist, or was deleted in the meantime
 */
export async function replaceFile(
  pool: Pool,
  /** The person who acts: an administrator, who may change any machine. */
  by: { readonly email: string },
  serial: string,
  kind: FileKind,
  { name, contentType, body }: NewFile,
): Promise<MachineFileMetadata> {
  const hash = createHash('sha256').update(body).digest('hex');
  const facts = { name, hash, size: body.length };
  await inTransaction(pool, async (client) => {
    // Waits for a simultaneous deletion of the machine. If that deletion succeeds, lockStream() throws, and no file is stored.
    const { id: streamId } = await lockStream(client, serial, 'machine');
    await client.query(
      `insert into machine_file (stream_id, kind, name, content_type, size, hash, body)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (stream_id, kind) do update set name = excluded.name, content_type = excluded.content_type,
         size = excluded.size, hash = excluded.hash, body = excluded.body, created_at = now()`,
      [streamId, kind, name, contentType, body.length, hash, body],
    );
    await audit(client, {
      actor: by.email,
      action: `${kind}.upload`,
      subject: serial,
      streamId,
      data: facts,
    });
  });
  return facts;
}

/**
 * Deletes a file; does nothing if there is none.
 * @throws ProblemError 404 if the machine does not exist
 */
export async function deleteFile(
  pool: Pool,
  /** The person who acts: an administrator, who may change any machine. */
  by: { readonly email: string },
  serial: string,
  kind: FileKind,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Waits for a simultaneous deletion of the machine. If that deletion succeeds, lockStream() throws.
    const { id: streamId } = await lockStream(client, serial, 'machine');
    const { rows } = await client.query<MachineFileMetadata>(
      'delete from machine_file where stream_id = $1 and kind = $2 returning name, hash, size',
      [streamId, kind],
    );
    if (rows[0])
      await audit(client, {
        actor: by.email,
        action: `${kind}.delete`,
        subject: serial,
        streamId,
        data: rows[0],
      });
  });
}
