import type { Caller } from '#server/auth/sessions.ts';
import { auditOrganization } from '#server/organizations/audit-organization.ts';
import {
  lockExistingOrganization,
  lockOrganizationForNewRow,
  resolveTargetOrganization,
} from '#server/organizations/organizations.store.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { ReportFactorFields } from '#shared/contract/report-factors.ts';
import { dutchDate } from '#shared/domain/nl.ts';
import { powerClassesOverlap } from '#shared/domain/report-factors.ts';
import {
  addFactor,
  changeFactor,
  factorFields,
  findFactor,
  findFactorsFromSameDay,
  removeFactor,
  type StoredFactor,
} from './factors.store.ts';

/** Functions that change the factors of reports. Each writes an audit row in the same transaction. */

const MAX_FACTOR_COUNT = 1000;

/**
 * Adds a factor.
 * @throws ProblemError 400 for an unknown organization, 409 if a factor of the same kind and power class begins on the same day
 */
export const createFactor = (
  pool: Pool,
  caller: Caller,
  { organization, ...factor }: ReportFactorFields & { readonly organization?: string | undefined },
): Promise<number> =>
  inTransaction(pool, async (client) => {
    const organizationId = await resolveTargetOrganization(client, caller, organization);
    await lockOrganizationForNewRow(client, organizationId, 'report_factor', MAX_FACTOR_COUNT, 'factoren');
    await requireFree(client, organizationId, factor);
    const id = await addFactor(client, organizationId, factor);
    await auditOrganization(client, caller, 'report-factor.create', organizationId, {
      after: factorFields(factor),
    });
    return id;
  });

/**
 * Changes a factor.
 * @throws ProblemError 404 outside the caller's scope, 409 if another factor of the same kind and power class begins on the same day
 */
export const editFactor = (
  pool: Pool,
  caller: Caller,
  { _id, ...factor }: ReportFactorFields & { readonly _id: number },
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const before = await lockFactor(client, caller, _id);
    await requireFree(client, before.organizationId, factor, _id);
    await changeFactor(client, _id, factor);
    await auditOrganization(client, caller, 'report-factor.edit', before.organizationId, {
      before: factorFields(before),
      after: factorFields(factor),
    });
  });

/**
 * Deletes a factor.
 * @throws ProblemError 404 outside the caller's scope
 */
export const deleteFactor = (pool: Pool, caller: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const factor = await lockFactor(client, caller, id);
    await removeFactor(client, id);
    await auditOrganization(client, caller, 'report-factor.delete', factor.organizationId, {
      before: factorFields(factor),
    });
  });

async function lockFactor(client: Transaction, { scope }: Caller, id: number): Promise<StoredFactor> {
  const found = await findFactor(client, scope, id);
  if (found) await lockExistingOrganization(client, found.organizationId);
  const factor = found && (await findFactor(client, scope, id));
  if (!factor) throw notFound('Deze factor bestaat niet.');
  return factor;
}

/** Throws a conflict if another factor of the same kind and an overlapping power class begins on the same day: both would apply. */
async function requireFree(
  client: Transaction,
  organizationId: number,
  factor: ReportFactorFields,
  own = 0,
): Promise<void> {
  const others = await findFactorsFromSameDay(client, organizationId, factor, own);
  const day = dutchDate(factor.firstDay);
  if (factor.factorKind === 'co2') {
    if (others.length > 0) throw new ProblemError('conflict', `Vanaf ${day} is er al een factor voor CO2.`);
    return;
  }
  if (others.some((other) => powerClassesOverlap(classOf(other), classOf(factor))))
    throw new ProblemError('conflict', `Deze klasse overlapt met een andere die ook vanaf ${day} geldt.`);
}

const classOf = ({ fromKw, belowKw }: ReportFactorFields) => ({ fromKw: fromKw ?? 0, belowKw });
