import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { invalidInputError } from '#server/platform/problem.ts';
import type { ProjectMove } from '#shared/contract/projects.ts';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { clockTime, dutchDate } from '#shared/domain/nl.ts';
import {
  changeAssignmentTimes,
  deleteProjectException,
  excludeMachineFromProject,
  takeOffProject,
  unassignMachine,
} from './machine-changes.ts';
import {
  assignMachine,
  createProject,
  deleteProject,
  editProject,
  type ProjectServices,
} from './project-changes.ts';
import { readProjectPage } from './project-page.ts';
import { listProjects } from './projects.store.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the message about a machine that is taken off a project.
 * @param from the time in ms at which the machine leaves the project
 * @param now the present time in ms
 */
function takenOffText(from: number, now: number): string {
  if (from <= now) return 'De machine is van het project gehaald.';
  const day = amsterdamDay(from);
  const clock = from === amsterdamDayRange(day)?.from ? '' : ` om ${clockTime(from)}`;
  return `De machine gaat op ${dutchDate(day)}${clock} van het project.`;
}
/** Without a first day in the query, the project page shows the last day and this many days before it. */
const USUAL_DAYS = 29;
const MAX_DAYS = 400;

/** Serves projects: areas and periods of work (14.1). */
export const projects: Module<Caller, ProjectServices & { readonly now: () => number }> = {
  topics: {
    project: { title: 'Projecten', about: 'Plaatsen en perioden van werk.' },
  },
  routes: (serve, { pool, recomputations, now }) => {
    const projects: ProjectServices = { pool, recomputations };
    serve('GET /api/project/get', ({ caller }) => listProjects(pool, caller.scope, now()));

    serve('GET /api/project/page', async ({ caller, query: { _id, firstDay, lastDay } }) => {
      const last = lastDay ?? amsterdamDay(now());
      const first = firstDay ?? amsterdamDay(Date.parse(`${last}T12:00Z`) - USUAL_DAYS * DAY_MS);
      const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
      if (days < 1 || days > MAX_DAYS)
        throw invalidInputError(`Kies een periode van 1 tot ${MAX_DAYS} dagen.`);
      return readProjectPage(pool, caller.scope, _id, { firstDay: first, lastDay: last }, now());
    });

    serve('POST /api/project/create', async ({ caller, body }) => ({
      message: 'Het project is gemaakt.',
      _id: await createProject(projects, caller, body),
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

    /** Returns the message of a stored change; for a preview, the hours that would move and the message that nothing is changed yet. */
    const answer = (message: string, moves: ProjectMove[] | undefined) =>
      moves ? { message: 'Er is nog niets gewijzigd.', moves } : { message };
    const request = (caller: Caller, preview: boolean) => ({ caller, now: now(), preview });

    serve('POST /api/project/unassign', async ({ caller, body: { assignment, preview } }) =>
      answer(
        'De toewijzing is verwijderd.',
        await unassignMachine(projects, request(caller, preview), assignment),
      ),
    );

    serve('POST /api/project/change-assignment', async ({ caller, body: { preview, ...body } }) =>
      answer(
        'De toewijzing is gewijzigd.',
        await changeAssignmentTimes(projects, request(caller, preview), body),
      ),
    );

    serve('POST /api/project/take-off', async ({ caller, body: { preview, ...body } }) =>
      answer(
        takenOffText(Date.parse(body.from), now()),
        await takeOffProject(projects, request(caller, preview), body),
      ),
    );

    serve('POST /api/project/except', async ({ caller, body: { preview, ...body } }) =>
      answer(
        'De machine is uitgezonderd.',
        await excludeMachineFromProject(projects, request(caller, preview), body),
      ),
    );

    serve('POST /api/project/unexcept', async ({ caller, body: { exception, preview } }) =>
      answer(
        'De uitzondering is verwijderd.',
        await deleteProjectException(projects, request(caller, preview), exception),
      ),
    );
  },
};
