import type { Caller } from '#server/auth/sessions.ts';
import { invalid } from '#server/platform/problem.ts';
import type { Serve } from '#server/platform/serve.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import {
  assignMachine,
  deleteProject,
  editProject,
  makeProject,
  type Projects,
  unassignMachine,
} from './project-changes.ts';
import { readProjectPage } from './project-page.ts';
import { listProjects } from './projects.store.ts';

const DAY_MS = 86_400_000;
/** And the last one. */
const USUAL_DAYS = 29;
const MOST_DAYS = 400;

/** Places and periods of work (14.1). */
export function projectRoutes(serve: Serve<Caller>, projects: Projects, now: () => number): void {
  const { pool } = projects;
  serve('GET /api/project/get', ({ caller }) => listProjects(pool, caller.scope, now()));

  serve('GET /api/project/page', async ({ caller, query: { _id, firstDay, lastDay } }) => {
    const last = lastDay ?? amsterdamDay(now());
    const first = firstDay ?? amsterdamDay(Date.parse(`${last}T12:00Z`) - USUAL_DAYS * DAY_MS);
    const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
    if (days < 1 || days > MOST_DAYS) throw invalid(`Kies een periode van 1 tot ${MOST_DAYS} dagen.`);
    return readProjectPage(pool, caller.scope, _id, { firstDay: first, lastDay: last }, now());
  });

  serve('POST /api/project/create', async ({ caller, body }) => ({
    message: 'Het project is gemaakt.',
    _id: await makeProject(projects, caller, body),
  }));

  serve('POST /api/project/edit', async ({ caller, body }) => ({
    message: 'Het project is gewijzigd.',
    version: await editProject(projects, caller, body),
  }));

  serve('POST /api/project/delete', async ({ caller, body: { _id } }) => {
    await deleteProject(projects, caller, _id);
    return { message: 'Het project is verwijderd. Rapporten van toen blijven het noemen.' };
  });

  serve('POST /api/project/assign', async ({ caller, body }) => ({
    message: 'De machine staat op het project.',
    assignment: await assignMachine(projects, caller, body),
  }));

  serve('POST /api/project/unassign', async ({ caller, body: { assignment } }) => {
    await unassignMachine(projects, caller, assignment);
    return { message: 'De toewijzing is verwijderd.' };
  });
}
