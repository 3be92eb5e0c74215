import {
  organizationsOfLimitedScope,
  organizationsParameter,
} from '#server/organizations/organizations.store.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { invalidInputError, notFound, ProblemError } from '#server/platform/problem.ts';
import { runInAllShards } from '#server/platform/shards.ts';
import type { Project } from '#shared/contract/projects.ts';
import type { Scope } from '#shared/domain/access.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { markDaysOutdatedForMachine } from './note-changes.ts';
import { isVisibleNow, readPresentMachines } from './present.ts';

/** The fields of a project that people fill in. */
export type ProjectFields = Pick<
  Project,
  'projectName' | 'projectNumber' | 'client' | 'firstDay' | 'lastDay' | 'areas'
>;

export type StoredProject = ProjectFields & {
  readonly id: number;
  readonly organizationId: number;
  readonly version: number;
};

const COLUMNS = `p.id, p.organization_id, p.name as project_name, p.number as project_number, p.client, p.first_day::text as first_day,
  p.last_day::text as last_day, p.areas, p.version`;

/**
 * Returns the projects, newest first, without deleted ones.
 * @param now the present time in ms
 * @param id the id of the only project to return; null: all projects
 */
export async function listProjects(
  db: Database,
  scope: Scope,
  now: number,
  id: number | null = null,
): Promise<Project[]> {
  const { rows } = await db.query<StoredProject & { organization: string; cleanorg: string }>(
    `select ${COLUMNS}, o.name as organization, o.clean as cleanorg from project p join organization o on o.id = p.organization_id
     where p.deleted_at is null and ($1::integer[] is null or /*rule:projects-scope*/ p.organization_id = any ($1) /*=true*/)
       and ($2::integer is null or p.id = $2) and ($3::integer[] is null or p.id = any ($3))
     order by p.first_day desc, p.id desc`,
    [organizationsOfLimitedScope(scope), id, scope.limited?.projects ?? null],
  );
  const organizations = [...new Set(rows.map(({ organizationId }) => organizationId))];
  const present = Map.groupBy(
    (await readPresentMachines(db, organizations, scope.positionHours, now)).filter((one) =>
      isVisibleNow(scope, one),
    ),
    ({ projectId }) => projectId,
  );
  // A limited person gets no pending count, because the count includes machines that the person does not see.
  const pending = scope.limited ? new Map() : await readPending(db, organizations);
  return rows.map(({ id: _id, organizationId, ...project }) => ({
    ...project,
    _id,
    machinesNow: present.get(_id)?.length ?? 0,
    left: countPending(project, pending.get(organizationId) ?? []),
  }));
}

/** Returns how many machines have pending recomputations that may concern the project. */
function countPending({ lastDay }: ProjectFields, pending: readonly number[]): number {
  const end = (lastDay === null ? undefined : amsterdamDayRange(lastDay)?.to) ?? Number.POSITIVE_INFINITY;
  return pending.filter((from) => from < end).length;
}

/** Returns, by organization, the start times (ms) of the machines' pending recomputations. */
async function readPending(db: Database, organizations: readonly number[]): Promise<Map<number, number[]>> {
  const changed = await runInAllShards(db, (shard) =>
    shard.query<{ id: number; from: number }>(
      `select stream_id as id, date_part('epoch', min(from_time)) * 1000 as "from" from telemetry.changed_history h
     where exists (select from telemetry.latest l where l.stream_id = h.stream_id and l.time > '-infinity') group by 1`,
    ),
  );
  const { rows } = await db.query<{ id: number; organizationId: number }>(
    `select stream_id as id, organization_id from ownership
     where valid_to = 'infinity' and organization_id = any ($1) and stream_id = any ($2)`,
    [organizations, changed.map(({ id }) => id)],
  );
  const fromOf = new Map(changed.map(({ id, from }) => [id, from]));
  const pending = Map.groupBy(rows, ({ organizationId }) => organizationId);
  return new Map([...pending].map(([id, own]) => [id, own.map((one) => fromOf.get(one.id) as number)]));
}

/**
 * Locks a project until the transaction ends, and returns it.
 * @param missing the message of the 404, which fits the caller's input
 * @throws ProblemError 404 also outside the scope
 */
export async function lockProject(
  db: Transaction,
  scope: Scope,
  id: number,
  missing = 'Dit project bestaat niet.',
): Promise<StoredProject> {
  const { rows } = await db.query<StoredProject>(
    `select ${COLUMNS} from project p
     where p.id = $1 and p.deleted_at is null and ($2::integer[] is null or p.organization_id = any ($2)) for update`,
    [id, organizationsParameter(scope)],
  );
  if (!rows[0]) throw notFound(missing);
  return rows[0];
}

export async function addProject(
  db: Database,
  organizationId: number,
  { projectName, projectNumber, client, firstDay, lastDay, areas }: ProjectFields,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into project (organization_id, name, number, client, first_day, last_day, areas)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [organizationId, projectName, projectNumber, client, firstDay, lastDay, JSON.stringify(areas)],
  );
  return rows[0]?.id as number;
}

/**
 * Changes a project.
 * @throws ProblemError 409 if another user changed it since
 */
export async function changeProject(
  db: Database,
  { id, version }: Pick<StoredProject, 'id' | 'version'>,
  { projectName, projectNumber, client, firstDay, lastDay, areas }: ProjectFields,
): Promise<number> {
  const { rows } = await db.query<{ version: number }>(
    `update project set name = $3, number = $4, client = $5, first_day = $6, last_day = $7, areas = $8, version = version + 1
     where id = $1 and version = $2 returning version`,
    [id, version, projectName, projectNumber, client, firstDay, lastDay, JSON.stringify(areas)],
  );
  if (!rows[0])
    throw new ProblemError(
      'conflict',
      'Iemand anders heeft dit project intussen gewijzigd. Laad de pagina opnieuw.',
    );
  return rows[0].version;
}

export async function markProjectDeleted(db: Database, id: number): Promise<void> {
  await db.query('update project set deleted_at = now(), version = version + 1 where id = $1', [id]);
  await db.query('delete from own_work_week where project_id = $1', [id]);
  await db.query('delete from contact_use where project_id = $1', [id]);
}

/** Locks a machine until the transaction ends, so that the second of two simultaneous changes sees the first. */
export const lockMachine = (db: Transaction, streamId: number) =>
  db.query('select from stream where id = $1 for no key update', [streamId]);

/** An assignment of a machine to a project, which a person made. */
export type Assignment = {
  readonly streamId: number;
  readonly from: Date;
  /** null: no end. */
  readonly until: Date | null;
};

/**
 * Stores the assignment of a machine to a project; the machine's days are recomputed from the start of the assignment.
 * @throws ProblemError 400 if the machine is already assigned to a project in that time
 */
export async function storeAssignment(
  db: Transaction,
  { id, organizationId }: StoredProject,
  { streamId, from, until }: Assignment,
): Promise<number> {
  if (until && until <= from) throw invalidInputError('Tot ligt niet na Van.');
  await lockMachine(db, streamId);
  const other = await findOtherAssignment(db, { organizationId }, { streamId, from, until });
  if (other !== undefined)
    throw invalidInputError(`De machine staat dan al met de hand op project '${other}'.`);
  const { rows } = await db.query<{ id: number }>(
    `insert into assignment (project_id, stream_id, valid_from, valid_to) values ($1, $2, $3, coalesce($4::timestamptz, 'infinity')) returning id`,
    [id, streamId, from, until],
  );
  await markDaysOutdatedForMachine(db, streamId, from);
  return rows[0]?.id as number;
}

/**
 * Returns the name of a project of the organization to which the machine is assigned in a part of that time; undefined: none.
 * @param but the id of an assignment to ignore
 */
export async function findOtherAssignment(
  db: Database,
  { organizationId }: Pick<StoredProject, 'organizationId'>,
  { streamId, from, until }: Assignment,
  but = 0,
): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(
    `select p.name from assignment a join project p on p.id = a.project_id
     where a.stream_id = $1 and p.organization_id = $2 and p.deleted_at is null and a.id <> $5
       and a.valid_from < coalesce($4::timestamptz, 'infinity') and a.valid_to > $3 limit 1`,
    [streamId, organizationId, from, until, but],
  );
  return rows[0]?.name;
}

/**
 * Changes start and end of an assignment; the machine's days are recomputed from the old or the new start, whichever is earlier.
 * @param before the start that the assignment has now
 */
export async function changeAssignment(
  db: Database,
  { id, streamId, from, until }: Assignment & { readonly id: number },
  before: Date,
): Promise<void> {
  await db.query(
    `update assignment set valid_from = $2, valid_to = coalesce($3::timestamptz, 'infinity') where id = $1`,
    [id, from, until],
  );
  await markDaysOutdatedForMachine(db, streamId, before < from ? before : from);
}

export async function readAssignment(
  db: Database,
  id: number,
): Promise<(Assignment & { readonly projectId: number }) | undefined> {
  const { rows } = await db.query<Assignment & { projectId: number }>(
    `select project_id, stream_id, valid_from as "from", nullif(valid_to, 'infinity') as until
     from assignment where id = $1`,
    [id],
  );
  return rows[0];
}

export async function deleteAssignment(
  db: Transaction,
  { id, streamId, from }: { readonly id: number; readonly streamId: number; readonly from: Date },
): Promise<void> {
  await db.query('delete from assignment where id = $1', [id]);
  await markDaysOutdatedForMachine(db, streamId, from);
}
