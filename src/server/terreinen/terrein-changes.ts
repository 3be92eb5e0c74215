import type { Caller } from '#server/auth/sessions.ts';
import type { Recomputation, Recomputations } from '#server/day-figures/recomputations.ts';
import {
  lockExistingOrganization,
  resolveTargetOrganization,
} from '#server/organizations/organizations.store.ts';
import { type AuditChange, audit } from '#server/platform/audit.ts';
import { afterCommit, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { markDaysOutdatedForTerrein } from '#server/projects/note-changes.ts';
import type { Area } from '#shared/domain/area.ts';
import type { LogValues } from '#shared/domain/log-fields.ts';
import {
  addTerrein,
  changeTerrein,
  countTerreinen,
  isNameTaken,
  lockTerrein,
  markTerreinDeleted,
  type StoredTerrein,
  type TerreinFields,
} from './terreinen.store.ts';

/** The services for creating, changing and deleting terreinen. */
export type TerreinServices = {
  readonly pool: Pool;
  readonly recomputations: Recomputations;
  readonly now: () => number;
};

const MAX_TERREINEN = 200;
/** Past period whose presences on a new or moved terrein are computed, 35 days in ms: a preview of an alert rule evaluates 30 days. */
const RECOMPUTED_MS = 35 * 86_400_000;

/**
 * Creates a terrein.
 * @throws ProblemError 400 for an unknown organization; 409 if it has a terrein of that name, or 200 of them
 */
export const createTerrein = (
  terreinen: TerreinServices,
  caller: Caller,
  { organization, ...fields }: TerreinFields & { readonly organization?: string | undefined },
): Promise<number> =>
  inTransaction(terreinen.pool, async (client) => {
    const organizationId = await resolveTargetOrganization(client, caller, organization);
    await lockExistingOrganization(client, organizationId);
    if ((await countTerreinen(client, organizationId)) >= MAX_TERREINEN)
      throw new ProblemError('conflict', `Een organisatie heeft hoogstens ${MAX_TERREINEN} terreinen.`);
    const countedFrom = terreinen.now() - RECOMPUTED_MS;
    const id = await addTerrein(client, organizationId, fields, countedFrom);
    if (id === undefined) throw nameTaken(fields);
    await recountMachines(client, terreinen, { id, organizationId, countedFrom }, fields.areas);
    await log(client, caller, 'terrein.create', { ...fields, organizationId }, { after: inLog(fields) });
    return id;
  });

/**
 * Changes a terrein.
 * @throws ProblemError 404 outside the caller's scope; 409 if a newer version is stored, or another terrein has that name
 */
export const editTerrein = (
  terreinen: TerreinServices,
  caller: Caller,
  { _id, version, ...fields }: TerreinFields & { readonly _id: number; readonly version: number },
): Promise<number> =>
  inTransaction(terreinen.pool, async (client) => {
    const before = await lockTerrein(client, caller.scope, _id);
    await lockExistingOrganization(client, before.organizationId);
    if (await isNameTaken(client, before, fields)) throw nameTaken(fields);
    const areas = [before, fields].map((one) => JSON.stringify(one.areas));
    const isMoved = areas[0] !== areas[1];
    const countedFrom = isMoved
      ? Math.max(before.countedFrom, terreinen.now() - RECOMPUTED_MS)
      : before.countedFrom;
    const next = await changeTerrein(client, { id: _id, version, countedFrom }, fields);
    if (isMoved)
      await recountMachines(client, terreinen, { ...before, countedFrom }, [
        ...before.areas,
        ...fields.areas,
      ]);
    await log(
      client,
      caller,
      'terrein.edit',
      { ...fields, organizationId: before.organizationId },
      { before: inLog(before), after: inLog(fields) },
    );
    return next;
  });

/**
 * Deletes a terrein.
 * @throws ProblemError 404 outside the caller's scope
 */
export const deleteTerrein = ({ pool }: TerreinServices, caller: Caller, id: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    const terrein = await lockTerrein(client, caller.scope, id);
    await markTerreinDeleted(client, id);
    await log(client, caller, 'terrein.delete', terrein, {});
  });

const nameTaken = ({ terreinName }: TerreinFields) =>
  new ProblemError('conflict', `Er is al een terrein '${terreinName}'.`);

/**
 * Recomputes the machines' presences on the terrein after the transaction is committed.
 * @param areas the areas of the terrein before and after the change
 */
async function recountMachines(
  client: Transaction,
  { pool, recomputations }: TerreinServices,
  terrein: Pick<StoredTerrein, 'id' | 'organizationId' | 'countedFrom'>,
  areas: readonly Area[],
): Promise<void> {
  const machines: Recomputation[] = await markDaysOutdatedForTerrein(
    client,
    (work) => inTransaction(pool, work),
    terrein,
    terrein.countedFrom,
    areas,
  );
  afterCommit(client, () => recomputations.begin(terrein.organizationId, machines));
}

/** Returns the fields of a terrein as the log stores them: the number of areas instead of the areas, which the map shows. */
const inLog = ({ terreinName, terreinKind, areas }: TerreinFields): LogValues => ({
  terreinName,
  terreinKind,
  areas: areas.length,
});

const log = (
  client: Transaction,
  caller: Caller,
  action: 'terrein.create' | 'terrein.edit' | 'terrein.delete',
  { terreinName, organizationId }: Pick<StoredTerrein, 'terreinName' | 'organizationId'>,
  change: AuditChange,
) =>
  audit(client, { actor: caller.email, action, subject: terreinName, organizationId, data: {}, ...change });
