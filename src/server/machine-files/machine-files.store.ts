import { createHash } from 'node:crypto';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { lockStream } from '#server/streams/find-stream.ts';
import { findHistory, seenBy, seenIn } from '#server/streams/scope.ts';
import { asSerial } from '#server/streams/streams.store.ts';
import type { Scope } from '#shared/domain/access.ts';

export type FileKind = 'photo' | 'manual';

/** What is known of a file without its content. `hash`: SHA-256 in hexadecimal; `size`: bytes. */
export type FileFacts = { readonly name: string; readonly hash: string; readonly size: number };
export type NewFile = { readonly name: string; readonly contentType: string; readonly body: Buffer };
export type StoredFile = FileFacts & { readonly contentType: string };

/** Bytes of a file's content that are read at once: what each reader takes of memory, and most photos whole. */
const PART_BYTES = 128 * 1024;

/** $1 to $3 of machineId(). */
const machine = (scope: Scope, serial: string) => [
  ...seenBy(/*rule:machine-files-scope*/ scope /*={ ...scope, organizations: 'all' }*/, ['machine']),
  asSerial(serial),
];
const machineId = (scope: Scope) => `(select s.id from ${seenIn(scope)} where lower(s.serial) = lower($3))`;

/** undefined: no such machine in the scope, or it has no such file. */
export async function findFile(
  db: Database,
  scope: Scope,
  serial: string,
  kind: FileKind,
): Promise<FileFacts | undefined> {
  const { rows } = await db.query<FileFacts>(
    `select name, hash, size from machine_file where kind = $4 and stream_id = ${machineId(scope)}`,
    [...machine(scope, serial), kind],
  );
  return rows[0];
}

/** A file of that content, without it; undefined also when the machine's file is another by now. */
export async function findVersion(
  db: Database,
  scope: Scope,
  serial: string,
  kind: FileKind,
  hash: string,
): Promise<StoredFile | undefined> {
  const { rows } = await db.query<StoredFile>(
    `select name, hash, size, content_type as "contentType" from machine_file
     where kind = $4 and hash = $5 and stream_id = ${machineId(scope)}`,
    [...machine(scope, serial), kind, hash],
  );
  return rows[0];
}

/**
 * The content of a file, part by part; each is read when it is asked for, and no connection is held meanwhile.
 * @throws ProblemError 404 when it is another by now, or out of the scope
 */
export async function* contentOf(
  db: Database,
  scope: Scope,
  serial: string,
  kind: FileKind,
  { hash, size }: FileFacts,
): AsyncGenerator<Buffer, void> {
  for (let from = 0; from < size; from += PART_BYTES) {
    // The body is stored as it is (storage external), so that the database reads this part of it only.
    const { rows } = await db.query<{ part: Buffer }>(
      `select substr(body, $6, $7) as part from machine_file
       where kind = $4 and hash = $5 and stream_id = ${machineId(scope)}`,
      [...machine(scope, serial), kind, hash, from + 1, PART_BYTES],
    );
    if (!rows[0]) throw notFound();
    yield rows[0].part;
  }
}

/** @throws ProblemError 404 */
export async function requireMachine(db: Database, scope: Scope, serial: string): Promise<void> {
  await findHistory(db, scope, serial, ['machine']);
}

/**
 * Puts a file in the place of the one that was there: who reads sees either. With its audit row.
 * @throws ProblemError 404 when the machine is not there (any more)
 */
export async function replaceFile(
  pool: Pool,
  /** An administrator: any machine is theirs to change. */
  by: { readonly email: string },
  serial: string,
  kind: FileKind,
  { name, contentType, body }: NewFile,
): Promise<FileFacts> {
  const hash = createHash('sha256').update(body).digest('hex');
  const facts = { name, hash, size: body.length };
  await inTransaction(pool, async (client) => {
    // One that is being deleted is waited for, and then gone: no file is left behind.
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
 * Safe to repeat: a machine without one stays so, and nothing is written.
 * @throws ProblemError 404 when the machine is not there
 */
export async function deleteFile(
  pool: Pool,
  /** An administrator: any machine is theirs to change. */
  by: { readonly email: string },
  serial: string,
  kind: FileKind,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // One that is being deleted is waited for, and then gone: no file is left behind.
    const { id: streamId } = await lockStream(client, serial, 'machine');
    const { rows } = await client.query<FileFacts>(
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
