import { addContact, setContactOfOwner } from '#server/contacts/contacts.store.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import type { Transaction } from '#server/platform/database.ts';
import { findStream } from '#server/streams/streams.store.ts';
import { FLEET_OWNER } from '#shared/demo/organizations.ts';
import type { ContactOwner, ContactVisibilityRole } from '#shared/domain/contacts.ts';

/** A contact in the demo; names and numbers are invented. */
type DemoContact = {
  readonly organization: string;
  readonly contactName: string;
  readonly telephone: string;
  readonly contactNote: string;
  readonly seenFrom: ContactVisibilityRole;
  /** The owners of this contact: `target` is a project's number, a machine's serial number, or '' for the organization. */
  readonly uses: readonly { readonly by: ContactOwner; readonly target: string }[];
};

const demoContacts: readonly DemoContact[] = [
  {
    organization: 'admin',
    contactName: 'Servicedesk Werkstroom',
    telephone: '085-0123400',
    contactNote: 'werkdagen 07:00 tot 18:00',
    seenFrom: 'kijker',
    uses: [{ by: 'organization', target: '' }],
  },
  {
    organization: FLEET_OWNER,
    contactName: 'Planning Kievitsland',
    telephone: '085-0123456',
    contactNote: 'werkdagen 06:00 tot 18:00',
    seenFrom: 'kijker',
    uses: [{ by: 'organization', target: '' }],
  },
  {
    organization: FLEET_OWNER,
    contactName: 'Jan Verkade',
    telephone: '06-12345678',
    contactNote: 'uitvoerder',
    seenFrom: 'gebruiker',
    uses: [
      { by: 'project', target: 'KI-2026-014' },
      { by: 'project', target: 'KI-2026-022' },
    ],
  },
  {
    organization: FLEET_OWNER,
    contactName: 'Wachtdienst tunnels',
    telephone: '06-12345679',
    contactNote: 'dag en nacht',
    seenFrom: 'kijker',
    uses: [
      { by: 'project', target: 'KI-2026-031' },
      { by: 'machine', target: 'STR26-0519' },
    ],
  },
];

/** Adds contacts to the demo's organizations, projects and machines; skips an organization that already has a contact. */
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
        if (id !== undefined) await setContactOfOwner(client, { organizationId, by, id }, contact);
      }
    }
  }
}

/** Returns the id of a project or machine; null for the organization; undefined if the project or machine does not exist. */
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
