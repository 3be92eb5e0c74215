import type { Caller } from '#server/auth/sessions.ts';
import type { Recount, Recounts } from '#server/day-figures/recounts.ts';
import { organizationFor } from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { afterCommit, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { findBoth } from './find-both.ts';
import {
  addProject,
  assign,
  changeProject,
  endProject,
  lockProject,
  type ProjectFields,
  type StoredProject,
} from './projects.store.ts';
import { noteProjectChange } from './touched.ts';

/** What people do to projects, each with its row in the log; what machines did is counted anew, from where it matters. */
export type Projects = { readonly pool: Pool; readonly recounts: Recounts };

const apart =
  ({ pool }: Projects) =>
  <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    inTransaction(pool, work);

/** As soon as the change is stored. */
const countAnew = (
  client: Transaction,
  { recounts }: Projects,
  organizationId: number,
  machines: readonly Recount[],
): void => afterCommit(client, () => recounts.begin(organizationId, machines));

/** @throws ProblemError 400 no such organization, or `admin`, which has no machines */
export const makeProject = (
  projects: Projects,
  caller: Caller,
  { organization, ...fields }: ProjectFields & { readonly organization?: string | undefined },
): Promise<number> =>
  inTransaction(projects.pool, async (client) => {
    const organizationId = await organizationFor(client, caller, organization);
    const id = await addProject(client, organizationId, fields);
    const changed = { id, organizationId };
    countAnew(
      client,
      projects,
      organizationId,
      await noteProjectChange(client, apart(projects), changed, [fields]),
    );
    await tell(client, caller, 'project.create', { ...fields, organizationId }, { after: inLog(fields) });
    return id;
  });

/** @throws ProblemError 404 outside the caller's scope; 409 somebody else changed it since */
export const editProject = (
  projects: Projects,
  caller: Caller,
  { _id, version, ...fields }: ProjectFields & { readonly _id: number; readonly version: number },
): Promise<number> =>
  inTransaction(projects.pool, async (client) => {
    const before = await lockProject(client, caller.scope, _id);
    const next = await changeProject(client, { id: _id, version }, fields);
    // Names change no day.
    const when = (project: ProjectFields) =>
      JSON.stringify([project.firstDay, project.lastDay, project.areas]);
    if (when(before) !== when(fields))
      countAnew(
        client,
        projects,
        before.organizationId,
        await noteProjectChange(client, apart(projects), before, [before, fields]),
      );
    await tell(
      client,
      caller,
      'project.edit',
      { ...fields, organizationId: before.organizationId },
      { before: inLog(before), after: inLog(fields) },
    );
    return next;
  });

/** @throws ProblemError 404 outside the caller's scope */
export const deleteProject = (projects: Projects, caller: Caller, id: number): Promise<void> =>
  inTransaction(projects.pool, async (client) => {
    const project = await lockProject(client, caller.scope, id);
    await endProject(client, id);
    await tell(client, caller, 'project.delete', project, {});
  });

/** @throws ProblemError 404 no such project or machine of its organization; 400 it is on another one then */
export const assignMachine = (
  projects: Projects,
  caller: Caller,
  { _id, serial, from, until }: { _id: number; serial: string; from: string; until: string | null },
): Promise<number> =>
  inTransaction(projects.pool, async (client) => {
    const { project, streamId } = await findBoth(client, caller.scope, _id, serial);
    const times = { from: new Date(from), until: until === null ? null : new Date(until) };
    const id = await assign(client, project, { streamId, ...times });
    countAnew(client, projects, project.organizationId, [{ streamId }]);
    await tell(client, caller, 'project.assign', project, { data: { serial, from, to: until }, streamId });
    return id;
  });

/** Where it is stands on the map; the log says that it changed. */
const inLog = ({ projectName, projectNumber, client, firstDay, lastDay, areas }: ProjectFields) => ({
  projectName,
  projectNumber,
  client,
  firstDay,
  lastDay,
  areas: areas.length,
});

type Told = Pick<StoredProject, 'projectName' | 'organizationId'>;

const tell = (
  client: Transaction,
  caller: Caller,
  action: 'project.create' | 'project.edit' | 'project.delete' | 'project.assign',
  { projectName, organizationId }: Told,
  { data = {}, ...more }: Partial<Parameters<typeof audit>[1]>,
) => audit(client, { actor: caller.email, action, subject: projectName, organizationId, data, ...more });
