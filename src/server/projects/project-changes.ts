import type { Caller } from '#server/auth/sessions.ts';
import type { Recomputation, Recomputations } from '#server/day-figures/recomputations.ts';
import { resolveTargetOrganization } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { afterCommit, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { lockProjectAndMachine } from './lock-project-and-machine.ts';
import { markDaysOutdatedForProject } from './note-changes.ts';
import {
  addProject,
  changeProject,
  lockProject,
  markProjectDeleted,
  type ProjectFields,
  type StoredProject,
  storeAssignment,
} from './projects.store.ts';

/**
 * The parts of the portal that changes of projects need. Each change writes an audit row; the machines' days are recomputed from the first
 * affected time.
 */
export type ProjectServices = { readonly pool: Pool; readonly recomputations: Recomputations };

const apart =
  ({ pool }: ProjectServices) =>
  <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    inTransaction(pool, work);

/** Starts the recomputation of the days of these machines once the change is committed. */
const recount = (
  client: Transaction,
  { recomputations }: ProjectServices,
  organizationId: number,
  machines: readonly Recomputation[],
): void => afterCommit(client, () => recomputations.begin(organizationId, machines));

/**
 * Creates a project.
 * @throws ProblemError 400 for an unknown organization, or `admin`, which has no machines
 */
export const createProject = (
  projects: ProjectServices,
  caller: Caller,
  { organization, ...fields }: ProjectFields & { readonly organization?: string | undefined },
): Promise<number> =>
  inTransaction(projects.pool, async (client) => {
    const organizationId = await resolveTargetOrganization(client, caller, organization);
    const id = await addProject(client, organizationId, fields);
    const changed = { id, organizationId };
    recount(
      client,
      projects,
      organizationId,
      await markDaysOutdatedForProject(client, apart(projects), changed, [fields]),
    );
    await logChange(
      client,
      caller,
      'project.create',
      { ...fields, organizationId },
      { after: inLog(fields) },
    );
    return id;
  });

/**
 * Changes a project.
 * @throws ProblemError 404 outside the caller's scope; 409 if another user changed it since
 */
export const editProject = (
  projects: ProjectServices,
  caller: Caller,
  { _id, version, ...fields }: ProjectFields & { readonly _id: number; readonly version: number },
): Promise<number> =>
  inTransaction(projects.pool, async (client) => {
    const before = await lockProject(client, caller.scope, _id);
    const next = await changeProject(client, { id: _id, version }, fields);
    // A change of names alone requires no recomputation of days.
    const when = (project: ProjectFields) =>
      JSON.stringify([project.firstDay, project.lastDay, project.areas]);
    if (when(before) !== when(fields))
      recount(
        client,
        projects,
        before.organizationId,
        await markDaysOutdatedForProject(client, apart(projects), before, [before, fields]),
      );
    await logChange(
      client,
      caller,
      'project.edit',
      { ...fields, organizationId: before.organizationId },
      { before: inLog(before), after: inLog(fields) },
    );
    return next;
  });

/**
 * Deletes a project.
 * @throws ProblemError 404 outside the caller's scope
 */
export const deleteProject = (projects: ProjectServices, caller: Caller, id: number): Promise<void> =>
  inTransaction(projects.pool, async (client) => {
    const project = await lockProject(client, caller.scope, id);
    await markProjectDeleted(client, id);
    await logChange(client, caller, 'project.delete', project, {});
  });

/**
 * Assigns a machine to a project.
 * @throws ProblemError 404 for an unknown project or a machine of another organization; 400 if it is assigned to another project in
 * that time
 */
export const assignMachine = (
  projects: ProjectServices,
  caller: Caller,
  { _id, serial, from, until }: { _id: number; serial: string; from: string; until: string | null },
): Promise<number> =>
  inTransaction(projects.pool, async (client) => {
    const { project, streamId } = await lockProjectAndMachine(client, caller.scope, _id, serial);
    const times = { from: new Date(from), until: until === null ? null : new Date(until) };
    const id = await storeAssignment(client, project, { streamId, ...times });
    recount(client, projects, project.organizationId, [{ streamId }]);
    await logChange(client, caller, 'project.assign', project, {
      data: { serial, from, to: until },
      streamId,
    });
    return id;
  });

/** Returns the fields for the log, with the number of areas instead of the areas themselves. */
const inLog = ({ projectName, projectNumber, client, firstDay, lastDay, areas }: ProjectFields) => ({
  projectName,
  projectNumber,
  client,
  firstDay,
  lastDay,
  areas: areas.length,
});

type ProjectName = Pick<StoredProject, 'projectName' | 'organizationId'>;

const logChange = (
  client: Transaction,
  caller: Caller,
  action: 'project.create' | 'project.edit' | 'project.delete' | 'project.assign',
  { projectName, organizationId }: ProjectName,
  { data = {}, ...more }: Partial<Parameters<typeof audit>[1]>,
) => audit(client, { actor: caller.email, action, subject: projectName, organizationId, data, ...more });
