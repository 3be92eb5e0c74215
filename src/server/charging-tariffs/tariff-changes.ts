import type { Caller } from '#server/auth/sessions.ts';
import { auditOrganization } from '#server/organizations/audit-organization.ts';
import {
  lockExistingOrganization,
  lockOrganizationForNewRow,
  resolveTargetOrganization,
} from '#server/organizations/organizations.store.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { invalidInputError, notFound, ProblemError } from '#server/platform/problem.ts';
import type { TariffFields } from '#shared/contract/charging-tariffs.ts';
import { dutchDate } from '#shared/domain/nl.ts';
import {
  addTariff,
  changeTariff,
  findTariff,
  hasTerrein,
  isFirstDayTaken,
  removeTariff,
  type StoredTariff,
  tariffFields,
} from './tariffs.store.ts';

/** Changes of charging tariffs, each with its row in the audit log. */

const MAX_TARIFFS = 1000;

/**
 * Creates a tariff.
 * @throws ProblemError 400 for an unknown organization or terrein; 409 if another tariff begins on that day, or at the maximum
 * number of tariffs
 */
export const createTariff = (
  pool: Pool,
  caller: Caller,
  { organization, ...tariff }: TariffFields & { readonly organization?: string | undefined },
): Promise<number> =>
  inTransaction(pool, async (client) => {
    const organizationId = await resolveTargetOrganization(client, caller, organization);
    await lockOrganizationForNewRow(client, organizationId, 'charging_tariff', MAX_TARIFFS, 'laadtarieven');
    await requireTerrein(client, organizationId, tariff);
    await requireFree(client, organizationId, tariff);
    const id = await addTariff(client, organizationId, tariff);
    await auditOrganization(client, caller, 'charging-tariff.create', organizationId, {
      after: tariffFields(tariff),
    });
    return id;
  });

/**
 * Changes a tariff.
 * @throws ProblemError 404 outside the caller's scope; 400 for an unknown terrein; 409 if another tariff begins on that day
 */
export const editTariff = (
  pool: Pool,
  caller: Caller,
  { _id, ...tariff }: TariffFields & { readonly _id: number },
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const before = await lockTariff(client, caller, _id);
    if (tariff.terreinId !== before.terreinId) await requireTerrein(client, before.organizationId, tariff);
    await requireFree(client, before.organizationId, tariff, _id);
    await changeTariff(client, _id, tariff);
    await auditOrganization(client, caller, 'charging-tariff.edit', before.organizationId, {
      before: tariffFields(before),
      after: tariffFields(tariff),
    });
  });

/**
 * Deletes a tariff.
 * @throws ProblemError 404 outside the caller's scope
 */
export const deleteTariff = (pool: Pool, caller: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const tariff = await lockTariff(client, caller, id);
    await removeTariff(client, id);
    await auditOrganization(client, caller, 'charging-tariff.delete', tariff.organizationId, {
      before: tariffFields(tariff),
    });
  });

async function lockTariff(client: Transaction, { scope }: Caller, id: number): Promise<StoredTariff> {
  const found = await findTariff(client, scope, id);
  if (found) await lockExistingOrganization(client, found.organizationId);
  const tariff = found && (await findTariff(client, scope, id));
  if (!tariff) throw notFound('Dit laadtarief bestaat niet.');
  return tariff;
}

async function requireTerrein(
  client: Transaction,
  organizationId: number,
  { terreinId }: TariffFields,
): Promise<void> {
  if (terreinId !== null && !(await hasTerrein(client, organizationId, terreinId)))
    throw invalidInputError('Kies een terrein van deze organisatie.');
}

async function requireFree(
  client: Transaction,
  organizationId: number,
  { firstDay, terreinId }: TariffFields,
  own = 0,
): Promise<void> {
  if (await isFirstDayTaken(client, organizationId, { firstDay, terreinId }, own))
    throw new ProblemError(
      'conflict',
      `Vanaf ${dutchDate(firstDay)} is er al een laadtarief${terreinId === null ? '' : ' voor dit terrein'}.`,
    );
}
