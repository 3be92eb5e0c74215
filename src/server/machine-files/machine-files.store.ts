import { createHash } from 'node:crypto';
import { asSerial } from '#server/machines/stream-lookup.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { Scope } from '#shared/domain/access.ts';

export type FileKind = 'photo' | 'manual';

/** What is known of a file without its content. `hash`: SHA-256 in hexadecimal; `size`: bytes. */
export type FileFacts = { readonly name: string; readonly hash: string; readonly size: number };
export type NewFile = { readonly name: string; readonly contentType: string; readonly body: Buffer };
export type StoredFile = NewFile & FileFacts;

// A machine that is there, and of an organization of the scope: anything else looks unknown (API-03).
const MACHINE = `from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'
  where s.kind = 'machine' and s.serial = $1 and s.deleted_at is null
    and ($2::integer[] is null or w.organization_id = any ($2))`;
const seen = ({ organizations }: Scope) => (organizations === 'all' ? null : organizations);

/** undefined: no such machine in the scope, or it has no such file. */
export async function findFile(
  db: Database,
  scope: Scope,
  serial: string,
  kind: FileKind,
): Promise<FileFacts | undefined> {
  const { rows } = await db.query<FileFacts>(
    `select name, hash, size from machine_file where kind = $3 and stream_id = (select s.id ${MACHINE})`,
    [asSerial(serial), seen(scope), kind],
  );
  return rows[0];
}

/** undefined also when the machine's file is another by now. */
export async function readFile(
  db: Database,
  scope: Scope,
  serial: string,
  kind: FileKind,
  hash: string,
): Promise<StoredFile | undefined> {
  const { rows } = await db.query<StoredFile>(
    `select name, hash, size, content_type as "contentType", body from machine_file
     where kind = $3 and hash = $4 and stream_id = (select s.id ${MACHINE})`,
    [asSerial(serial), seen(scope), kind, hash],
  );
  return rows[0];
}

/** @throws ProblemError 404 */
export async function requireMachine(db: Database, scope: Scope, serial: string): Promise<void> {
  const { rowCount } = await db.query(`select 1 ${MACHINE}`, [asSerial(serial), seen(scope)]);
  if (rowCount === 0) throw unknownMachine();
}

/**
 * Puts a file in the place of the one that was there: who reads sees either. With its audit row.
 * @throws ProblemError 404 when the machine is not there (any more)
 */
export async function replaceFile(
  pool: Pool,
  by: { readonly scope: Scope; readonly email: string },
  serial: string,
  kind: FileKind,
  { name, contentType, body }: NewFile,
): Promise<FileFacts> {
  const hash = createHash('sha256').update(body).digest('hex');
  const facts = { name, hash, size: body.length };
  await inTransaction(pool, async (client) => {
    const streamId = await lockMachine(client, by.scope, serial);
    await client.query(
      `insert into machine_file (stream_id, kind, name, content_type, size, hash, body)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (stream_id, kind) do update set name = excluded.name, content_type = excluded.content_type,
         size = excluded.size, hash = excluded.hash, body = excluded.body, created_at = now()`,
      [streamId, kind, name, contentType, body.length, hash, body],
    );
    await audit(client, { actor: by.email, action: `${kind}.upload`, subject: serial, data: facts });
  });
  return facts;
}

/**
 * Safe to repeat: a machine without one stays so, and nothing is written.
 * @throws ProblemError 404 when the machine is not there
 */
export async function deleteFile(
  pool: Pool,
  by: { readonly scope: Scope; readonly email: string },
  serial: string,
  kind: FileKind,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const streamId = await lockMachine(client, by.scope, serial);
    const { rows } = await client.query<FileFacts>(
      'delete from machine_file where stream_id = $1 and kind = $2 returning name, hash, size',
      [streamId, kind],
    );
    if (rows[0])
      await audit(client, { actor: by.email, action: `${kind}.delete`, subject: serial, data: rows[0] });
  });
}

/** A machine that is being deleted is waited for, and then gone: no file is left behind. */
async function lockMachine(db: Database, scope: Scope, serial: string): Promise<number> {
  const { rows } = await db.query<{ id: number }>(`select s.id ${MACHINE} for share of s`, [
    asSerial(serial),
    seen(scope),
  ]);
  const id = rows[0]?.id;
  if (id === undefined) throw unknownMachine();
  return id;
}

const unknownMachine = () => notFound('Deze machine bestaat niet.');
