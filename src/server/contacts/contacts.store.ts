import type { Caller } from '#server/auth/sessions.ts';
import {
  findOrganizationInScope,
  lockExistingOrganization,
} from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import { lockWeekOwner } from '#server/work-weeks/own-weeks.store.ts';
import type { Contact, ContactFields } from '#shared/contract/contacts.ts';
import type { Scope } from '#shared/domain/access.ts';
import { CONTACT_OWNERS, type ContactOwner } from '#shared/domain/contacts.ts';

/** The contacts of an organization, and their uses: for the organization, a project or a machine (docs/alerts.md section 8). */

const MAX_CONTACTS = 500;

const UNKNOWN = 'Dit contact bestaat niet.';
/** Returns the number of a contact, which replaces its name in the log: a name is personal data, and is deleted with the contact. */
const inLog = (id: number): string => `nummer ${id}`;

/**
 * Returns the contacts of an organization by name, with the organization, projects and machines that use each.
 * @throws ProblemError 404 outside the scope
 */
export async function listContacts(db: Database, scope: Scope, name: string): Promise<Contact[]> {
  const { id: organizationId, clean } = await findOrganizationInScope(db, scope, name);
  const { rows: contacts } = await db.query<Omit<Contact, 'uses'>>(
    `select id as _id, name as contact_name, telephone, note as contact_note, seen_from
     from contact where organization_id = $1 order by lower(name), id`,
    [organizationId],
  );
  const { rows: uses } = await db.query<Contact['uses'][number] & { contactId: number }>(
    `select u.contact_id, case when s.id is not null then 'machine' when p.id is not null then 'project' else 'organization' end as by,
       coalesce(s.serial, p.id::text, '') as target, coalesce(s.alias, p.name, $2) as target_name
     from contact_use u left join project p on p.id = u.project_id left join stream s on s.id = u.stream_id
     where u.organization_id = $1 order by lower(coalesce(s.alias, p.name, '')), s.serial, p.id`,
    [organizationId, clean],
  );
  const usesOf = Map.groupBy(uses, ({ contactId }) => contactId);
  const order = (by: ContactOwner): number => -CONTACT_OWNERS.indexOf(by);
  return contacts.map((contact) => ({
    ...contact,
    uses: (usesOf.get(contact._id) ?? [])
      .map(({ contactId: _, ...use }) => use)
      .sort((one, other) => order(one.by) - order(other.by)),
  }));
}

type Named = { readonly name: string };

/**
 * Returns the organization, whose contacts are locked until the transaction ends.
 * @throws ProblemError 404
 */
async function lockContacts(client: Transaction, { scope }: Caller, name: string): Promise<number> {
  const { id } = await findOrganizationInScope(client, scope, name);
  await lockExistingOrganization(client, id);
  return id;
}

const FIELDS = ['contactName', 'telephone', 'contactNote', 'seenFrom'] as const;

/**
 * Creates or changes a contact; returns its id.
 * @throws ProblemError 404 outside the scope, or for an unknown contact; 409 at the maximum number of contacts
 */
export const saveContact = (
  pool: Pool,
  caller: Caller,
  { name, _id, ...fields }: Named & ContactFields & { readonly _id?: number | undefined },
): Promise<number> =>
  inTransaction(pool, async (client) => {
    const organizationId = await lockContacts(client, caller, name);
    const values = FIELDS.map((field) => fields[field]);
    if (_id === undefined) {
      const id = await addContact(client, organizationId, fields);
      await note(client, caller, 'contact.create', name, organizationId, { contact: inLog(id) });
      return id;
    }
    const before = await contactOf(client, organizationId, _id);
    await client.query(
      'update contact set name = $3, telephone = $4, note = $5, seen_from = $6 where id = $1 and organization_id = $2',
      [_id, organizationId, ...values],
    );
    const changedFields = FIELDS.filter((field) => before[field] !== fields[field]);
    if (changedFields.length > 0)
      await note(client, caller, 'contact.edit', name, organizationId, {
        contact: inLog(_id),
        changedFields,
      });
    return _id;
  });

/**
 * Adds a contact to an organization that the caller has locked; returns its id.
 * @throws ProblemError 409 at the maximum number of contacts
 */
export async function addContact(
  client: Transaction,
  organizationId: number,
  { contactName, telephone, contactNote, seenFrom }: ContactFields,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into contact (organization_id, name, telephone, note, seen_from)
     select $1, $2, $3, $4, $5 where (select count(*) from contact where organization_id = $1) < $6 returning id`,
    [organizationId, contactName, telephone, contactNote, seenFrom, MAX_CONTACTS],
  );
  if (!rows[0])
    throw new ProblemError('conflict', `Een organisatie heeft hoogstens ${MAX_CONTACTS} contacten.`);
  return rows[0].id;
}

async function contactOf(client: Transaction, organizationId: number, id: number): Promise<ContactFields> {
  const { rows } = await client.query<ContactFields>(
    `select name as contact_name, telephone, note as contact_note, seen_from
     from contact where id = $1 and /*rule:contact-organization*/ organization_id = $2 /*=$2::int is not null*/`,
    [id, organizationId],
  );
  if (!rows[0]) throw notFound(UNKNOWN);
  return rows[0];
}

/**
 * Deletes a contact, also from the organization, projects and machines that use it.
 * @throws ProblemError 404 outside the scope, or for an unknown contact
 */
export const deleteContact = (
  pool: Pool,
  caller: Caller,
  { name, _id }: Named & { readonly _id: number },
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const organizationId = await lockContacts(client, caller, name);
    await contactOf(client, organizationId, _id);
    await client.query('delete from contact where id = $1', [_id]);
    await note(client, caller, 'contact.delete', name, organizationId, { contact: inLog(_id) });
  });

type Asked = Named & { readonly by: ContactOwner; readonly target: string };

/**
 * Sets the contact of an organization, a project or a machine (null: none).
 * @throws ProblemError 404 outside the scope, or if unknown
 */
export const setContact = (
  pool: Pool,
  caller: Caller,
  { contact, ...asked }: Asked & { readonly contact: number | null },
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { name, by, target } = asked;
    const organizationId = await lockContacts(client, caller, name);
    const owner =
      by === 'organization' ? undefined : await lockWeekOwner(client, caller.scope, { name, by, target });
    if (contact !== null) await contactOf(client, organizationId, contact);
    const before = await setContactOfOwner(client, { organizationId, by, id: owner?.id ?? null }, contact);
    if (before === contact) return;
    await note(client, caller, 'contact.use', name, organizationId, {
      contactOf: owner ? `${by} ${owner.targetName}` : 'organisatie',
      contact: contact === null ? null : inLog(contact),
    });
  });

/** The owner of a contact: an organization, or (with an id) its project or machine. */
type ContactUse = { readonly organizationId: number; readonly by: ContactOwner; readonly id: number | null };

/** Sets the contact of one owner, which the caller has locked; returns the former contact. */
export async function setContactOfOwner(
  client: Transaction,
  { organizationId, by, id }: ContactUse,
  contact: number | null,
): Promise<number | null> {
  const ids = [by === 'project' ? id : null, by === 'machine' ? id : null];
  const { rows } = await client.query<{ contactId: number }>(
    `delete from contact_use where organization_id = $1 and project_id is not distinct from $2::int and stream_id is not distinct from $3::int
     returning contact_id`,
    [organizationId, ...ids],
  );
  if (contact !== null)
    await client.query(
      'insert into contact_use (organization_id, contact_id, project_id, stream_id) values ($1, $2, $3, $4)',
      [organizationId, contact, ...ids],
    );
  return rows[0]?.contactId ?? null;
}

const note = (
  client: Transaction,
  caller: Caller,
  action: 'contact.create' | 'contact.edit' | 'contact.delete' | 'contact.use',
  subject: string,
  organizationId: number,
  data: { readonly contact: string | null; readonly contactOf?: string; readonly changedFields?: string[] },
): Promise<void> => audit(client, { actor: caller.email, action, subject, organizationId, data });
