import { requireNoPendingDeletion } from '#server/auth/require-not-leaving.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { Organization, RegistrationMode } from '#shared/contract/organizations.ts';
import { ADMIN_ORGANIZATION, scopeCovers } from '#shared/domain/access.ts';
import { FIELD_TEXTS } from '#shared/domain/field-texts.ts';
import { namesLookAlike } from '#shared/domain/name-look.ts';
import { belongingsText, countOrganizationBelongings } from './belongings.ts';
import { runPeopleChange } from './change-people.ts';
import {
  createOrganization,
  findOrganization,
  lockOrganization,
  type NewOrganization,
  readOtherDisplayNames,
  renewStoredCode,
} from './organizations.store.ts';

/** Functions that change organizations. Each writes an audit row in the same transaction. `actor`: the administrator's e-mail. */

/** Creates an organization. @throws ProblemError 409 when the functional name exists */
export const addOrganization = (
  pool: Pool,
  actor: string,
  organization: NewOrganization,
): Promise<Organization> =>
  inTransaction(pool, async (client) => {
    await lockNames(client);
    if ((await findOrganization(client, organization.name)) !== undefined) throw nameTaken();
    const alike = await alikeTo(client, organization);
    if (alike !== undefined) throw cleanTaken(alike);
    await createOrganization(client, organization).catch((error: { code?: string }) => {
      throw error.code === '23505' ? nameTaken() : error; // created by another request meanwhile
    });
    const { name, clean, isLmbCustomer: isBerende } = organization;
    const made = await lockOrExplain(client, name);
    const entry = {
      actor,
      action: 'organization.create',
      subject: name,
      data: { clean, isBerende },
    } as const;
    await audit(client, { ...entry, organizationId: Number(made._id) });
    return made;
  });

/**
 * Changes an organization's display name, by the rules for a new name. A beheerder does not learn which organization a refused name
 * looks like, because customers do not know of each other.
 * @throws ProblemError 404 outside the caller's scope; 409 for `admin`, and for a name that looks like another organization's
 */
export const renameOrganization = (pool: Pool, caller: Caller, name: string, clean: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    await lockNames(client);
    const before = await lockCustomer(client, caller, name, 'De naam van de beheerders blijft zoals hij is.');
    if (clean === before.clean) return;
    const alike = await alikeTo(client, { name, clean });
    if (alike !== undefined) throw cleanTaken(caller.scope.organizations === 'all' ? alike : undefined);
    await client.query('update organization set clean = $2 where name = $1', [name, clean]);
    await audit(client, {
      actor: caller.email,
      action: 'organization.rename',
      subject: name,
      data: { organization: name },
      before: { clean: before.clean },
      after: { clean },
    });
  });

/** Serializes changes of names, because a unique index does not find names that merely look the same. */
const lockNames = (client: Transaction) => lockOrganization(client, ADMIN_ORGANIZATION);

/** Returns the display name of another organization if it looks like this name; undefined if none does. */
const alikeTo = async (
  client: Transaction,
  { name, clean }: Pick<NewOrganization, 'name' | 'clean'>,
): Promise<string | undefined> =>
  (await readOtherDisplayNames(client, name)).find((other) => namesLookAlike(other, clean));

/**
 * Sets whether the organization is active; `isActive` undefined: toggles it. Disabling ends the sessions of its users
 * (auth/sql/end-sessions.sql), who can sign in again once it is enabled.
 * @throws ProblemError 404; 409 for `admin`
 */
export const setOrganizationActive = (
  pool: Pool,
  actor: string,
  name: string,
  isActive: boolean | undefined,
): Promise<Organization> =>
  runPeopleChange(pool, { organization: name }, async (client) => {
    const before = await lockOrExplain(client, name);
    if (name === ADMIN_ORGANIZATION) throw conflict('De organisatie van de beheerders kan niet uit.');
    const after = { ...before, isActive: isActive ?? !before.isActive };
    if (after.isActive === before.isActive) return before;
    if (after.isActive) await requireNoPendingDeletion(client, Number(before._id));
    await client.query('update organization set is_active = $2 where name = $1', [name, after.isActive]);
    const action = after.isActive ? 'organization.enable' : 'organization.disable';
    const entry = { actor, action, subject: name, organizationId: Number(before._id), data: {} } as const;
    await audit(client, {
      ...entry,
      before: { isActive: before.isActive },
      after: { isActive: after.isActive },
    });
    return after;
  });

/**
 * Replaces an organization's registration code. A simultaneous registration succeeds with the former code, or fails.
 * @throws ProblemError 404 outside the caller's scope; 409 for `admin`, which has no registration
 */
export const renewRegistrationCode = (pool: Pool, caller: Caller, name: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    await lockCustomer(client, caller, name);
    await renewStoredCode(client, name);
    await audit(client, {
      actor: caller.email,
      action: 'organization.renew-code',
      subject: name,
      data: { organization: name },
    });
  });

/** Sets how people can register with an organization. @throws ProblemError as renewRegistrationCode() */
export const setRegistrationMode = (
  pool: Pool,
  caller: Caller,
  name: string,
  registration: RegistrationMode,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const organization = await lockCustomer(client, caller, name);
    if (organization.registration === registration) return;
    await client.query('update organization set registration = $2 where name = $1', [name, registration]);
    await audit(client, {
      actor: caller.email,
      action: 'organization.registration',
      subject: name,
      data: { organization: name },
      before: { registration: organization.registration },
      after: { registration },
    });
  });

/**
 * Deletes an organization that has no machines, loggers or users. History counts: while an organization owned a machine, only that
 * organization may see what the machine did then (INGEST-06), so the organization's row stays as long as that history is
 * stored. Such an organization can be disabled instead.
 * @throws ProblemError 404; 409 for `admin`, and with the list of what the organization still has
 */
export const deleteOrganization = (pool: Pool, actor: string, name: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    // The organization is locked, so that no person registers with it and no machine is added meanwhile.
    const organization = await lockOrExplain(client, name);
    if (name === ADMIN_ORGANIZATION)
      throw conflict('De organisatie van de beheerders kan niet worden verwijderd.');
    const left = belongingsText(await countOrganizationBelongings(client, Number(organization._id)));
    if (left !== undefined) {
      throw conflict(
        `Deze organisatie kan niet worden verwijderd, want er hoort nog bij: ${left}. Uitschakelen kan wel.`,
      );
    }
    // Projects may be deleted here: no report names them, because the organization has no history of any machine.
    await client.query('delete from project where organization_id = $1', [organization._id]);
    await client.query('delete from organization where id = $1', [organization._id]);
    const { clean, isBerende } = organization;
    await audit(client, {
      actor,
      action: 'organization.delete',
      subject: name,
      organizationId: Number(organization._id),
      data: { clean, isBerende },
    });
  });

/**
 * Returns an organization inside the caller's scope, locked until the transaction ends.
 * @throws ProblemError 404 outside the scope; 409 with the message `refusal` for `admin`
 */
async function lockCustomer(
  client: Transaction,
  caller: Caller,
  name: string,
  refusal = 'Niemand kan zich bij de beheerders registreren.',
): Promise<Organization> {
  const id = await findOrganization(client, name);
  if (id === undefined || /*rule:organization-registration-scope*/ !scopeCovers(caller.scope, id) /*=false*/)
    throw notFound('Deze organisatie bestaat niet.');
  const organization = await lockOrExplain(client, name);
  if (name === ADMIN_ORGANIZATION) throw conflict(refusal);
  return organization;
}

async function lockOrExplain(client: Transaction, name: string): Promise<Organization> {
  const organization = await lockOrganization(client, name);
  if (!organization) throw notFound('Deze organisatie bestaat niet.');
  return organization;
}

const conflict = (message: string) => new ProblemError('conflict', message);
const TAKEN = 'Er is al een organisatie met deze functionele naam.';
/**
 * Returns the error for a display name that looks like another organization's. `alike`: that organization's name; undefined if the caller
 * may not learn it.
 */
const cleanTaken = (alike: string | undefined) => {
  const which = alike === undefined ? '' : `: ${alike}`;
  const message = `${FIELD_TEXTS.clean} lijkt te veel op die van een andere organisatie${which}.`;
  return new ProblemError('conflict', message, [{ field: 'clean', message }]);
};
const nameTaken = () => new ProblemError('conflict', TAKEN, [{ field: 'name', message: TAKEN }]);
