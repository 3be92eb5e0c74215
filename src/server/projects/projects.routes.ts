import type { Caller } from '#server/auth/sessions.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Serve } from '#server/platform/serve.ts';
import {
  assignMachine,
  deleteProject,
  editProject,
  makeProject,
  unassignMachine,
} from './project-changes.ts';
import { listProjects } from './projects.store.ts';

/** Places and periods of work (14.1). */
export function projectRoutes(serve: Serve<Caller>, pool: Pool): void {
  serve('GET /api/project/get', ({ caller }) => listProjects(pool, caller.scope));

  serve('POST /api/project/create', async ({ caller, body }) => ({
    message: 'Het project is gemaakt.',
    _id: await makeProject(pool, caller, body),
  }));

  serve('POST /api/project/edit', async ({ caller, body }) => ({
    message: 'Het project is gewijzigd.',
    version: await editProject(pool, caller, body),
  }));

  serve('POST /api/project/delete', async ({ caller, body: { _id } }) => {
    await deleteProject(pool, caller, _id);
    return { message: 'Het project is verwijderd. Rapporten van toen blijven het noemen.' };
  });

  serve('POST /api/project/assign', async ({ caller, body }) => ({
    message: 'De machine staat op het project.',
    assignment: await assignMachine(pool, caller, body),
  }));

  serve('POST /api/project/unassign', async ({ caller, body: { assignment } }) => {
    await unassignMachine(pool, caller, assignment);
    return { message: 'De toewijzing is verwijderd.' };
  });
}
