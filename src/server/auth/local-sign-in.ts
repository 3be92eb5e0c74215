import type { Database } from '#server/platform/database.ts';
import { forbidden } from '#server/platform/problem.ts';
import { ONLY_OIDC } from '#shared/domain/oidc.ts';

/** As a condition on an organization `o`: nobody signs in to it but by its own identity provider (src/server/oidc). */
export const IS_ONLY_OIDC =
  'exists (select from oidc_provider p where p.organization_id = o.id and p.is_only)';

/**
 * For every sign-in that is not by the organization's provider, once it is known to be right: nobody else hears of it.
 * @throws ProblemError 403
 */
export async function requireLocalSignIn(db: Database, accountId: number): Promise<void> {
  const { rowCount } = await db.query(
    `select from account a join organization o on o.id = a.organization_id where a.id = $1 and ${IS_ONLY_OIDC}`,
    [accountId],
  );
  if (rowCount === 1) throw forbidden(ONLY_OIDC);
}
