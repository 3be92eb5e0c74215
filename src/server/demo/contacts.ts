import { addContact, storeContactUse } from '#server/contacts/contacts.store.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import type { Transaction } from '#server/platform/database.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { demoContacts } from '#shared/demo/contacts.ts';
import type { ContactOwner } from '#shared/domain/contacts.ts';

/** Adds contacts to the demo's organizations, projects and machines; skips an organization that has any. */
export async function addDemoContacts(client: Transaction): Promise<void> {
  const byOrganization = Map.groupBy(demoContacts, ({ organization }) => organization);
  for (const [name, contacts] of byOrganization) {
    const organizationId = (await findOrganization(client, name)) as number;
    const { rowCount } = await client.query('select from contact where organization_id = $1', [
      organizationId,
    ]);
    if (rowCount) continue;
    for (const { organization: _, uses, ...fields } of contacts) {
      const contact = await addContact(client, organizationId, fields);
      for (const { by, target } of uses) {
        const id = await idOf(client, organizationId, by, target);
        // Deleted projects and machines get no contact.
        if (id !== undefined) await storeContactUse(client, { organizationId, by, id }, contact);
      }
    }
  }
}

/** Returns the id of a project or machine, null for the organization, or undefined if there is none. */
async function idOf(
  client: Transaction,
  organizationId: number,
  by: ContactOwner,
  target: string,
): Promise<number | null | undefined> {
  if (by === 'organization') return null;
  if (by === 'machine') return findStream(client, target);
  const { rows } = await client.query<{ id: number }>(
    'select id from project where organization_id = $1 and number = $2 and deleted_at is null',
    [organizationId, target],
  );
  return rows[0]?.id;
}
