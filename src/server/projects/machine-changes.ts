import type { Caller } from '#server/auth/sessions.ts';
import { readOwnership, readRemovedPositionsEnd } from '#server/day-figures/day-figures.store.ts';
import { audit } from '#server/platform/audit.ts';
import { afterCommit, type Database, inTransaction, type Transaction } from '#server/platform/database.ts';
import { invalidInputError, notFound, ProblemError } from '#server/platform/problem.ts';
import type { ProjectMove } from '#shared/contract/projects.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { LogValues } from '#shared/domain/log-fields.ts';
import { dateAndTime, dutchDate } from '#shared/domain/nl.ts';
import {
  addProjectException,
  readProjectException,
  removeProjectException,
  takeMachineOffProject,
} from './exceptions.store.ts';
import { lockProjectAndMachine } from './lock-project-and-machine.ts';
import { type MachineChange, previewProjectMoves } from './preview-moves.ts';
import type { ProjectServices } from './project-changes.ts';
import {
  changeAssignment,
  deleteAssignment,
  findOtherAssignment,
  lockMachine,
  lockProject,
  readAssignment,
  type StoredProject,
} from './projects.store.ts';

/** Changes of one machine's time on a project. A preview runs the same steps as the change, and is then rolled back. */

/** The caller, the time (ms), and whether the change is only previewed. */
export type ChangeRequest = { readonly caller: Caller; readonly now: number; readonly preview: boolean };

type Times = { readonly from: Date; readonly until: Date | null };

/**
 * Previews or stores a change.
 * @returns the hours that would move; undefined if the change was stored
 */
async function change(
  { pool, recomputations }: ProjectServices,
  { caller, preview }: ChangeRequest,
  action: Action,
  prepare: (client: Transaction) => Promise<LoggedChange>,
): Promise<ProjectMove[] | undefined> {
  const prepareLogged = async (client: Transaction): Promise<MachineChange> => {
    const { apply, streamId, project, data } = await prepare(client);
    const { projectName: subject, organizationId } = project;
    return {
      streamId,
      project,
      async apply() {
        await apply();
        await audit(client, { actor: caller.email, action, subject, organizationId, streamId, data });
      },
    };
  };
  if (preview) return previewProjectMoves(pool, prepareLogged);
  await inTransaction(pool, async (client) => {
    const { apply, streamId, project } = await prepareLogged(client);
    await apply();
    afterCommit(client, () => recomputations.begin(project.organizationId, [{ streamId }]));
  });
  return undefined;
}

type Action = `project.${'take-off' | 'except' | 'unexcept' | 'change-assignment' | 'unassign'}`;
/** A change, with the details of its row in the log. */
type LoggedChange = {
  readonly streamId: number;
  readonly project: StoredProject;
  readonly apply: () => Promise<unknown>;
  readonly data: LogValues;
};

/**
 * Locks a project and a machine whose positions are to be excluded between two times.
 * @throws ProblemError as takeOffProject
 */
async function lockToExclude(
  client: Transaction,
  { caller, now }: ChangeRequest,
  { _id, serial }: { readonly _id: number; readonly serial: string },
  times: Times,
): Promise<{ readonly project: StoredProject; readonly streamId: number }> {
  const { project, streamId } = await lockProjectAndMachine(client, caller.scope, _id, serial);
  await lockMachine(client, streamId);
  await checkTimes(client, project, streamId, times, now);
  await requireStoredPositions(client, project, streamId, times.from);
  return { project, streamId };
}

/**
 * Takes a machine off a project from a time on: ends its assignments at that time, and excludes its positions from then on.
 * @throws ProblemError 404 for an unknown project or a machine of another organization; 400 for an impossible time, or if it was
 * already taken off
 */
export const takeOffProject = (
  projects: ProjectServices,
  request: ChangeRequest,
  machine: { readonly _id: number; readonly serial: string; readonly from: string },
): Promise<ProjectMove[] | undefined> =>
  change(projects, request, 'project.take-off', async (client) => {
    const from = new Date(machine.from);
    const { project, streamId } = await lockToExclude(client, request, machine, { from, until: null });
    return {
      streamId,
      project,
      data: { serial: machine.serial, from: machine.from },
      async apply() {
        if (!(await takeMachineOffProject(client, { projectId: project.id, streamId, from })))
          throw invalidInputError('De machine is dan al van dit project gehaald.');
      },
    };
  });

/**
 * Excludes a machine's positions from a project between two times; `until` null: without an end.
 * @throws ProblemError as takeOffProject
 */
export const excludeMachineFromProject = (
  projects: ProjectServices,
  request: ChangeRequest,
  machine: {
    readonly _id: number;
    readonly serial: string;
    readonly from: string;
    readonly until: string | null;
  },
): Promise<ProjectMove[] | undefined> =>
  change(projects, request, 'project.except', async (client) => {
    const times = timesOf(machine);
    const { project, streamId } = await lockToExclude(client, request, machine, times);
    return {
      streamId,
      project,
      data: { serial: machine.serial, from: machine.from, to: machine.until },
      apply: () => addProjectException(client, { projectId: project.id, streamId, ...times }),
    };
  });

/**
 * Deletes an exception, so that the machine's positions count for the project again.
 * @throws ProblemError 404 outside the caller's scope, with the same message as for an unknown exception
 */
export const deleteProjectException = (
  projects: ProjectServices,
  request: ChangeRequest,
  exception: number,
): Promise<ProjectMove[] | undefined> =>
  change(projects, request, 'project.unexcept', async (client) => {
    const unknown = 'Deze uitzondering bestaat niet meer.';
    const found = await readProjectException(client, exception);
    if (!found) throw notFound(unknown);
    const project = await lockBoth(client, request, found, unknown);
    // If two callers delete the same exception at once, the second finds none.
    if (!(await readProjectException(client, exception))) throw notFound(unknown);
    const { streamId, from, until } = found;
    return {
      streamId,
      project,
      data: { from: from.toISOString(), to: until?.toISOString() ?? null },
      apply: () => removeProjectException(client, found),
    };
  });

type ChangedAssignment = {
  readonly assignment: number;
  readonly from: string;
  readonly until: string | null;
  /** Start and end of the assignment as the caller last read them. */
  readonly seen: { readonly from: string; readonly until: string | null };
};

const UNKNOWN_ASSIGNMENT = 'Deze toewijzing bestaat niet.';

/**
 * Changes start and end of an assignment.
 * @throws ProblemError 404 outside the caller's scope; 409 if another user changed it since; 400 for an impossible time
 */
export const changeAssignmentTimes = (
  projects: ProjectServices,
  request: ChangeRequest,
  { assignment, seen, ...at }: ChangedAssignment,
): Promise<ProjectMove[] | undefined> =>
  change(projects, request, 'project.change-assignment', async (client) => {
    const { project, streamId, found } = await lockAssigned(client, request, assignment);
    if (!isSame(found, timesOf(seen)))
      throw new ProblemError(
        'conflict',
        'Iemand anders heeft deze toewijzing intussen gewijzigd. Laad de pagina opnieuw.',
      );
    const times = timesOf(at);
    await checkTimes(client, project, streamId, times, request.now, found);
    const other = await findOtherAssignment(client, project, { streamId, ...times }, assignment);
    if (other !== undefined)
      throw invalidInputError(`De machine staat dan al met de hand op project '${other}'.`);
    return {
      streamId,
      project,
      data: { from: at.from, to: at.until },
      apply: () => changeAssignment(client, { id: assignment, streamId, ...times }, found.from),
    };
  });

/**
 * Deletes an assignment.
 * @throws ProblemError 404 outside the caller's scope, with the same message as for an unknown assignment
 */
export const unassignMachine = (
  projects: ProjectServices,
  request: ChangeRequest,
  assignment: number,
): Promise<ProjectMove[] | undefined> =>
  change(projects, request, 'project.unassign', async (client) => {
    const { project, streamId, found } = await lockAssigned(client, request, assignment);
    return {
      streamId,
      project,
      data: {},
      apply: () => deleteAssignment(client, { id: assignment, ...found }),
    };
  });

const timesOf = ({ from, until }: { readonly from: string; readonly until: string | null }): Times => ({
  from: new Date(from),
  until: until === null ? null : new Date(until),
});

const isSame = (a: Times, b: Times): boolean =>
  a.from.getTime() === b.from.getTime() && a.until?.getTime() === b.until?.getTime();

/** Locks an assignment's project and machine; returns the assignment as it is after locking. */
async function lockAssigned(client: Transaction, request: ChangeRequest, assignment: number) {
  const seen = await readAssignment(client, assignment);
  if (!seen) throw notFound(UNKNOWN_ASSIGNMENT);
  const project = await lockBoth(client, request, seen, UNKNOWN_ASSIGNMENT);
  const found = await readAssignment(client, assignment);
  if (!found) throw notFound(UNKNOWN_ASSIGNMENT);
  return { project, streamId: seen.streamId, found };
}

/**
 * Locks the project and the machine until the transaction ends.
 * @throws ProblemError 404 outside the caller's scope, with the message `unknown`
 */
async function lockBoth(
  client: Transaction,
  { caller }: ChangeRequest,
  found: { readonly projectId: number; readonly streamId: number },
  unknown: string,
): Promise<StoredProject> {
  const project = await lockProject(client, caller.scope, found.projectId, unknown);
  await lockMachine(client, found.streamId);
  return project;
}

const YEAR_MS = 366 * 86_400_000;

/**
 * Checks that start and end of a machine's time on a project are valid, and that they fit the project and the machine's owner.
 * @param before the present start and end; if the start is unchanged, it is not checked again
 * @throws ProblemError 400 with the first error
 */
async function checkTimes(
  client: Transaction,
  { firstDay, lastDay, organizationId }: StoredProject,
  streamId: number,
  { from, until }: Times,
  now: number,
  before?: Times,
): Promise<void> {
  if (until && until <= from) throw invalidInputError('Tot ligt niet na Van.');
  if (Math.max(from.getTime(), until?.getTime() ?? 0) > now + YEAR_MS)
    throw invalidInputError('Kies een tijd die hoogstens een jaar vooruit ligt.');
  const isNewBegin = from.getTime() !== before?.from.getTime();
  if (isNewBegin) {
    if (from.getTime() < (amsterdamDayRange(firstDay)?.from ?? 0))
      throw invalidInputError(`Het project begint pas op ${dutchDate(firstDay)}.`);
    if (lastDay !== null && from.getTime() >= (amsterdamDayRange(lastDay)?.to ?? 0))
      throw invalidInputError(`Het project is dan al voorbij: de laatste dag is ${dutchDate(lastDay)}.`);
  }
  if (lastDay !== null && until && until.getTime() > (amsterdamDayRange(lastDay)?.to ?? 0))
    throw invalidInputError(`Tot ligt na de laatste dag van het project, ${dutchDate(lastDay)}.`);
  const owners = (await readOwnership(client, streamId)).filter(
    (one) => one.organizationId === organizationId,
  );
  const owner = owners.find((one) => one.from <= from.getTime() && from.getTime() < one.to);
  if (!owner && isNewBegin) {
    const later = owners.find((one) => one.from > from.getTime());
    throw invalidInputError(
      later
        ? `Deze machine is pas sinds ${dateAndTime(later.from)} van deze organisatie.`
        : 'Deze machine is dan niet meer van deze organisatie.',
    );
  }
  if (owner && Number.isFinite(owner.to) && (until === null || until.getTime() > owner.to))
    throw invalidInputError(`Deze machine was tot ${dateAndTime(owner.to)} van deze organisatie.`);
}

/**
 * Requires that the positions of a time range are still stored.
 * @throws ProblemError 400 if they were deleted, because the change could then not be undone
 */
async function requireStoredPositions(
  client: Database,
  { organizationId }: StoredProject,
  streamId: number,
  from: Date,
): Promise<void> {
  const until = await readRemovedPositionsEnd(client, streamId, { organizationId, from: 0, to: 0 });
  if (from.getTime() < until)
    throw invalidInputError(
      `De posities van voor ${dutchDate(amsterdamDay(until))} zijn gewist: kies die dag of een latere.`,
    );
}
