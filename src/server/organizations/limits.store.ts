import type { Database } from '#server/platform/database.ts';
import { invalidInputError, notFound } from '#server/platform/problem.ts';
import type { AccessLimitInput, AccessLimitView } from '#shared/contract/limits.ts';
import { type AccessLimit, LIMITED_ROLES, ROLES_WITH_TODAY_LIMIT, type Role } from '#shared/domain/access.ts';

/** Access restrictions of accounts and invitations (to projects, labels or today): the check that one is allowed, and its stored form. */

/**
 * Returns SQL for the access restriction of a row of `account` or `invitation`, as a AccessLimitView.
 * @param row the alias of that table in the statement
 */
export const accessLimitViewSql = (
  row: string,
): string => `case when ${row}.limit_projects is not null or ${row}.only_today then json_build_object(
    'machines', case when ${row}.limit_projects is not null then json_build_object(
      'projects', (select coalesce(json_agg(json_build_object('_id', p.id, 'projectName', p.name,
          'isOver', p.deleted_at is not null or coalesce(p.last_day, 'infinity') < (now() at time zone 'Europe/Amsterdam')::date)
          order by lower(p.name), p.id), '[]')
        from project p where p.id = any (${row}.limit_projects) and p.organization_id = ${row}.organization_id),
      'labels', (select coalesce(json_agg(json_build_object('_id', l.id, 'labelName', l.name) order by lower(l.name), l.id), '[]')
        from label l where l.id = any (${row}.limit_labels) and l.organization_id = ${row}.organization_id)) end,
    'onlyToday', ${row}.only_today) end`;

/**
 * Returns the access restriction to store; null: no restriction.
 * @throws ProblemError 400 when the role or organization allows no restriction, or it names no project or label; 404 for a project or
 * label of another organization
 */
export async function validateAccessLimit(
  db: Database,
  organizationId: number,
  role: Role,
  wanted: AccessLimitInput,
): Promise<AccessLimit | null> {
  if (!wanted || (wanted.machines === null && !wanted.onlyToday)) return null;
  const { machines, onlyToday } = wanted;
  if (!LIMITED_ROLES.includes(role))
    throw invalidInputError('Alleen een gebruiker of kijker kan beperkt worden.');
  if (onlyToday && !ROLES_WITH_TODAY_LIMIT.includes(role))
    throw invalidInputError("'Alleen vandaag' is voor een kijker.");
  const { rows } = await db.query<{ isLmbCustomer: boolean; projects: number[]; labels: number[] }>(
    `select o.is_berende as is_lmb_customer,
       array(select id from project where organization_id = o.id and deleted_at is null and id = any ($2)) as projects,
       array(select id from label where organization_id = o.id and id = any ($3)) as labels
     from organization o where o.id = $1`,
    [organizationId, machines?.projects ?? [], machines?.labels ?? []],
  );
  const [known] = rows;
  if (!known || known.isLmbCustomer)
    throw invalidInputError('Deze organisatie heeft geen machines om tot te beperken.');
  if (machines === null) return { projects: null, labels: null, onlyToday };
  if (machines.projects.length + machines.labels.length === 0)
    throw invalidInputError('Kies een project of een label.');
  if (machines.projects.some((id) => !known.projects.includes(id)))
    throw notFound('Dit project bestaat niet.');
  if (machines.labels.some((id) => !known.labels.includes(id))) throw notFound('Dit label bestaat niet.');
  return { projects: sorted(machines.projects), labels: sorted(machines.labels), onlyToday };
}

const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** Returns the values of the columns limit_projects, limit_labels and only_today for an access restriction. */
export const accessLimitColumnValues = (
  limit: AccessLimit | null,
): [readonly number[] | null, readonly number[] | null, boolean] => [
  limit?.projects ?? null,
  limit?.labels ?? null,
  limit?.onlyToday ?? false,
];

/** Returns the fields of an access restriction for the audit log. */
export const accessLimitLogFields = (limit: AccessLimitView) => ({
  limitProjects: limit?.machines?.projects.map(({ projectName }) => projectName).join(', ') ?? '',
  limitLabels: limit?.machines?.labels.map(({ labelName }) => labelName).join(', ') ?? '',
  onlyToday: limit?.onlyToday ?? false,
});
