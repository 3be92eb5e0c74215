import type { Database } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';

/** The binding of a stream that is valid now. */
export type CurrentWriter = {
  readonly id: number;
  readonly loggerSerial: string;
  readonly definitionId: number | undefined;
};

export async function currentWriter(db: Database, streamId: number): Promise<CurrentWriter | undefined> {
  const { rows } = await db.query<{ id: number; logger_serial: string; definition_id: number | null }>(
    `select id, logger_serial, definition_id from writer where stream_id = $1 and valid_to = 'infinity'`,
    [streamId],
  );
  const row = rows[0];
  return row && { id: row.id, loggerSerial: row.logger_serial, definitionId: row.definition_id ?? undefined };
}

/** @throws ProblemError 409 when no logger is bound */
export async function requireWriter(db: Database, streamId: number): Promise<CurrentWriter> {
  const writer = await currentWriter(db, streamId);
  if (!writer) throw new ProblemError('conflict', 'Koppel eerst een logger.');
  return writer;
}
