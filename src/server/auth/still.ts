import type { Transaction } from '#server/platform/database.ts';
import { forbidden } from '#server/platform/problem.ts';
import type { Caller } from './sessions.ts';

/**
 * Whoever acts is still who their session said when the call began: a role that is taken away, or an account that is moved
 * or deleted, takes what is under way with it. Until the transaction ends it is not changed. Call it after organizations
 * were locked.
 * @throws ProblemError 403
 */
export async function requireStill(
  client: Transaction,
  { accountId, organizationId, role }: Caller,
): Promise<void> {
  const { rowCount } = await client.query(
    'select from account where id = $1 and organization_id = $2 and role = $3 for share',
    [accountId, organizationId, role],
  );
  if (rowCount !== 1) throw forbidden();
}
