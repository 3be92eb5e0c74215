import type { ContactOwner, SeenFrom } from '../domain/contacts.ts';
import { FLEET_OWNER } from './organizations.ts';

/** A contact in the demo; names and numbers are invented. */
export type DemoContact = {
  readonly organization: string;
  readonly contactName: string;
  readonly telephone: string;
  readonly contactNote: string;
  readonly seenFrom: SeenFrom;
  /** The owners of this contact: `target` is a project's number, a machine's serial number, or '' for the organization. */
  readonly uses: readonly { readonly by: ContactOwner; readonly target: string }[];
};

export const demoContacts: readonly DemoContact[] = [
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
