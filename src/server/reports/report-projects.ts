import { organizationsOfLimitedScope } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { Scope } from '#shared/domain/access.ts';

export type ReportProject = {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  readonly number: string;
  readonly client: string;
};

/**
 * Reads the projects of the scope by id, including deleted ones.
 * @param asked ids of the requested projects; undefined: all projects
 * @throws ProblemError 404 for a project outside the scope
 */
export async function readProjects(
  db: Database,
  scope: Scope,
  asked: readonly number[] | undefined,
): Promise<Map<number, ReportProject>> {
  const { rows } = await db.query<ReportProject>(
    `select id, organization_id, name, number, client from project
     where ($1::integer[] is null or /*rule:report-project-scope*/ organization_id = any ($1) /*=true*/) and ($2::integer[] is null or id = any ($2))
       and ($3::integer[] is null or id = any ($3))`,
    [organizationsOfLimitedScope(scope), asked ?? null, scope.limited?.projects ?? null],
  );
  const projects = new Map(rows.map((project) => [project.id, project]));
  if (asked?.some((id) => !projects.has(id))) throw notFound('Dit project bestaat niet.');
  return projects;
}
