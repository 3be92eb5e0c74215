import { randomBytes, randomInt } from 'node:crypto';
import type { Database } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { Definition } from '#shared/domain/definition.ts';

export type KeyPair = { readonly accessKey: string; readonly secret: string };

export type NewWriter = {
  readonly streamId: number;
  /** The ReXgen's own 7 digits. */
  readonly loggerSerial: string;
  readonly definition?: Definition | undefined;
  /** When the logger began to report for this stream; the logger's earlier binding ends there. */
  readonly at: Date;
};

/**
 * Binds a logger to a stream: ends what either was bound to before, and copies the definition. A logger that was
 * never bound brings along what it recorded before: its first binding reaches back without end (INGEST-06).
 * In a transaction of the caller. @returns the writer's id
 */
export async function createWriter(db: Database, writer: NewWriter): Promise<number> {
  const { streamId, loggerSerial, definition, at } = writer;
  const ended = await db.query(
    `update writer set valid_to = $3 where (stream_id = $1 or logger_serial = $2) and valid_to = 'infinity'
     returning id`,
    [streamId, loggerSerial, at],
  );
  await db.query('update writer_key set retired_at = $2 where writer_id = any($1) and retired_at is null', [
    ended.rows.map(({ id }: { id: number }) => id),
    at,
  ]);
  const definitionId = definition && (await createDefinition(db, definition));
  const { rows } = await db.query<{ id: number }>(
    `insert into writer (stream_id, logger_serial, definition_id, valid_from)
     select $1, $2, $3, case when exists (select from writer where logger_serial = $2) then $4::timestamptz else '-infinity' end
     returning id`,
    [streamId, loggerSerial, definitionId ?? null, at],
  );
  const writerId = rows[0]?.id as number;
  await db.query('insert into writer_health (writer_id) values ($1)', [writerId]);
  return writerId;
}

async function createDefinition(db: Database, { mapping, buses }: Definition): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    'insert into definition (mapping) values ($1) returning id',
    [JSON.stringify(mapping)],
  );
  const id = rows[0]?.id as number;
  for (const { bus, bitrate, name, dbc } of buses) {
    await db.query(
      'insert into definition_bus (definition_id, bus, bitrate, name, dbc) values ($1, $2, $3, $4, $5)',
      [id, bus, bitrate, name, dbc],
    );
  }
  return id;
}

/** A new key pair for a writer, in the shape of AWS's: 20 and 40 characters. The secret is stored encrypted. */
export async function createKey(db: Database, secrets: Secrets, writerId: number): Promise<KeyPair> {
  const accessKey = `WS${Array.from({ length: 18 }, () => KEY_ALPHABET[randomInt(32)]).join('')}`;
  const secret = randomBytes(30).toString('base64url');
  await db.query('insert into writer_key (access_key, writer_id, secret) values ($1, $2, $3)', [
    accessKey,
    writerId,
    secrets.seal(secret),
  ]);
  return { accessKey, secret };
}
const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
