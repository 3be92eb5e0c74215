import { organizationsOfLimitedScope } from '#server/organizations/organizations.store.ts';
import type { Database } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import type { Scope } from '#shared/domain/access.ts';

export type ReportLabel = { readonly id: number; readonly name: string };

/** Returns an SQL condition: machine `s` of owner `w` now carries one of the labels that the parameter lists. */
export const carriesLabelSql = (parameter: string): string =>
  `exists (select from machine_label c join label l on l.id = c.label_id
   where c.stream_id = s.id and l.organization_id = w.organization_id and l.id = any (${parameter}))`;

/** Reads the labels with these ids that still exist and that the scope may see, sorted by name. */
export async function readLabels(
  db: Database,
  scope: Scope,
  ids: readonly number[],
): Promise<readonly ReportLabel[]> {
  const { rows } = await db.query<ReportLabel>(
    `select l.id, l.name from label l where l.id = any ($2) and ($1::integer[] is null or l.organization_id = any ($1))
       and ($3::integer[] is null or l.id = any ($3)) order by lower(l.name), l.id`,
    [organizationsOfLimitedScope(scope), ids, scope.limited?.labels ?? null],
  );
  return rows;
}

/**
 * Reads labels, all of which must exist.
 * @throws ProblemError 404 for a label that was deleted or that the scope may not see
 */
export async function requireLabels(
  db: Database,
  scope: Scope,
  ids: readonly number[],
): Promise<readonly ReportLabel[]> {
  const labels = await readLabels(db, scope, ids);
  if (labels.length < new Set(ids).size) throw notFound('Dit label bestaat niet.');
  return labels;
}
