import type { Transaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';

/**
 * Refuses an organization that is being deleted, because no machine or person may be added to it any more. The caller must hold the
 * lock on its row.
 * @throws ProblemError 409
 */
export async function requireNoPendingDeletion(db: Transaction, organizationId: number): Promise<void> {
  const { rowCount } = await db.query('select from leaving where organization_id = $1', [organizationId]);
  if (rowCount)
    throw new ProblemError('conflict', 'Deze organisatie wordt verwijderd. Neem dat eerst terug.');
}
