import type { Database } from '#server/platform/database.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import { markDaysOutdatedForMachine } from './note-changes.ts';

/** A period in which a machine's positions do not count for a project. */
export type ProjectException = {
  readonly id: number;
  readonly projectId: number;
  readonly streamId: number;
  readonly from: Date;
  /** null: no end. */
  readonly until: Date | null;
};

const COLUMNS = `id, project_id, stream_id, valid_from as "from", nullif(valid_to, 'infinity') as until`;

/** Returns the exceptions of a project, ordered by start. */
export async function listProjectExceptions(db: Database, projectId: number): Promise<ProjectException[]> {
  const { rows } = await db.query<ProjectException>(
    `select ${COLUMNS} from project_exception where project_id = $1 order by valid_from, id`,
    [projectId],
  );
  return rows;
}

/** Returns an exception; undefined if none has this id. */
export async function readProjectException(db: Database, id: number): Promise<ProjectException | undefined> {
  const { rows } = await db.query<ProjectException>(
    `select ${COLUMNS} from project_exception where id = $1`,
    [id],
  );
  return rows[0];
}

/**
 * Adds an exception; the machine's days are recomputed from the start of the exception.
 * @throws ProblemError 400 if another exception overlaps
 */
export async function addProjectException(
  db: Database,
  { projectId, streamId, from, until }: Omit<ProjectException, 'id'>,
): Promise<number> {
  const { rows: others } = await db.query(
    `select from project_exception where project_id = $1 and stream_id = $2
       and valid_from < coalesce($4::timestamptz, 'infinity') and valid_to > $3 limit 1`,
    [projectId, streamId, from, until],
  );
  if (others.length > 0)
    throw invalidInputError('De machine is in die tijd al uitgezonderd van dit project.');
  const { rows } = await db.query<{ id: number }>(
    `insert into project_exception (project_id, stream_id, valid_from, valid_to)
     values ($1, $2, $3, coalesce($4::timestamptz, 'infinity')) returning id`,
    [projectId, streamId, from, until],
  );
  await markDaysOutdatedForMachine(db, streamId, from);
  return rows[0]?.id as number;
}

/** Deletes an exception, so that the machine's positions count for the project again; its days are recomputed from the old start. */
export async function removeProjectException(
  db: Database,
  { id, streamId, from }: Pick<ProjectException, 'id' | 'streamId' | 'from'>,
): Promise<void> {
  await db.query('delete from project_exception where id = $1', [id]);
  await markDaysOutdatedForMachine(db, streamId, from);
}

/**
 * Ends a machine's assignments to a project at a time, and excludes its positions from then on.
 * @returns false if the machine was already taken off at that time
 */
export async function takeMachineOffProject(
  db: Database,
  { projectId, streamId, from }: Omit<ProjectException, 'id' | 'until'>,
): Promise<boolean> {
  const parameters = [projectId, streamId, from];
  const { rowCount: later } = await db.query(
    'delete from assignment where project_id = $1 and stream_id = $2 and valid_from >= $3',
    parameters,
  );
  const { rowCount: cut } = await db.query(
    'update assignment set valid_to = $3 where project_id = $1 and stream_id = $2 and valid_to > $3',
    parameters,
  );
  await db.query(
    'delete from project_exception where project_id = $1 and stream_id = $2 and valid_from > $3',
    parameters,
  );
  const { rows: extended } = await db.query<{ isOpen: boolean }>(
    `update project_exception new set valid_to = 'infinity' from project_exception old
     where new.id = old.id and old.project_id = $1 and old.stream_id = $2 and old.valid_from <= $3 and old.valid_to >= $3
     returning old.valid_to = 'infinity' as is_open`,
    parameters,
  );
  if (extended.length === 0)
    await db.query(
      'insert into project_exception (project_id, stream_id, valid_from) values ($1, $2, $3)',
      parameters,
    );
  await markDaysOutdatedForMachine(db, streamId, from);
  return (later ?? 0) + (cut ?? 0) > 0 || !extended.some(({ isOpen }) => isOpen);
}
