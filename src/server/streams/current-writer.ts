import type { Database } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import type { LoggerKind } from '#shared/domain/identifiers.ts';

/** The present binding of a stream. */
export type CurrentWriter = {
  readonly id: number;
  readonly loggerSerial: string;
  readonly kind: LoggerKind;
  readonly definitionId: number | undefined;
};

export async function currentWriter(db: Database, streamId: number): Promise<CurrentWriter | undefined> {
  const { rows } = await db.query<Omit<CurrentWriter, 'definitionId'> & { definitionId: number | null }>(
    `select id, logger_serial, kind, definition_id
     from writer where stream_id = $1 and valid_to = 'infinity'`,
    [streamId],
  );
  const row = rows[0];
  return row && { ...row, definitionId: row.definitionId ?? undefined };
}

/** Returns the present binding of a stream. @throws ProblemError 409 when no logger is bound */
export async function requireWriter(db: Database, streamId: number): Promise<CurrentWriter> {
  const writer = await currentWriter(db, streamId);
  if (!writer) throw new ProblemError('conflict', 'Koppel eerst een logger.');
  return writer;
}
