import { z } from 'zod';
import { CONTACT_OWNERS, CONTACT_VISIBILITY_ROLES } from '#shared/domain/contacts.ts';
import { telephoneError } from '#shared/domain/telephone.ts';
import { type Endpoints, MessageResponse } from './endpoint.ts';
import { singleLineText } from './projects.ts';

const MAX_TELEPHONE_CHARACTERS = 40;

const telephone = singleLineText(MAX_TELEPHONE_CHARACTERS).superRefine((text, { addIssue }) => {
  const message = telephoneError(text);
  if (message) addIssue({ code: 'custom', message });
});
const fields = {
  contactName: singleLineText(80).min(1, 'ontbreekt'),
  telephone,
  contactNote: singleLineText(200),
  /** The lowest role that sees the contact. */
  seenFrom: z.enum(CONTACT_VISIBILITY_ROLES),
};
const Fields = z.object(fields);
export type ContactFields = z.output<typeof Fields>;

/** The organization's functional name: its name in calls and addresses. */
const Name = singleLineText(254);
const id = z.int32();

/** The owner of a contact: an organization, one of its projects or one of its machines. */
const Owner = {
  by: z.enum(CONTACT_OWNERS),
  /** The id of a project or the serial number of a machine; '' for the organization. */
  target: singleLineText(64),
};

const Use = z.object({ ...Owner, target: z.string(), targetName: z.string() });
export type ContactUse = z.output<typeof Use>;

const Contact = z.object({
  _id: z.number().int(),
  contactName: z.string(),
  telephone: z.string(),
  contactNote: z.string(),
  seenFrom: z.enum(CONTACT_VISIBILITY_ROLES),
  /** The organization, projects and machines that have this contact. */
  uses: z.array(Use),
});
export type Contact = z.output<typeof Contact>;

/** The contact to call about a machine. */
export const NearestContact = z.object({
  contactName: z.string(),
  telephone: z.string(),
  contactNote: z.string(),
  /** The owner of the contact; `ownerName`: the name of a project, else ''. */
  by: z.enum(CONTACT_OWNERS),
  ownerName: z.string(),
});
export type NearestContact = z.output<typeof NearestContact>;

/** Contacts: whom to call about a machine (53.14). */
export const contactsApi = {
  'GET /api/contact/get': {
    summary:
      'Lists the contacts of an organization (by its functional name) by name, and where each is used.',
    dutch: 'De contacten van een organisatie op naam, en waar elk ervan wordt gebruikt.',
    needs: 'manage-alerts',
    query: z.object({ name: Name }),
    response: z.array(Contact),
  },
  'GET /api/contact/nearest': {
    summary:
      "Returns the contact of a machine, else of its project, else of its organization, among the contacts that the caller's role may see; null: there is none.",
    dutch:
      'Het contact van een machine, anders dat van het project waar zij op staat, anders dat van haar organisatie. Alleen contacten die de rol van de vrager mag zien.',
    needs: 'see-machines',
    query: z.object({ serial: singleLineText(64).min(1, 'ontbreekt') }),
    response: z.object({ contact: NearestContact.nullable() }),
  },
  'POST /api/contact/save': {
    summary:
      'Creates a contact of an organization (by its functional name), or changes one wherever it is used.',
    dutch: 'Maakt een contact van een organisatie, of wijzigt er een, overal waar het wordt gebruikt.',
    needs: 'manage-alerts',
    body: Fields.extend({ name: Name, _id: id.optional() }),
    response: MessageResponse.extend({ _id: z.number().int() }),
  },
  'POST /api/contact/delete': {
    summary: 'Deletes a contact. Machines that used it get the next nearest contact.',
    dutch: 'Verwijdert een contact. Waar het werd gebruikt, geldt daarna het eerstvolgende contact.',
    needs: 'manage-alerts',
    body: z.object({ name: Name, _id: id }),
  },
  'POST /api/contact/use': {
    summary:
      'Sets the contact of an organization, a project or a machine; null: none of its own. Safe to repeat.',
    dutch: 'Kiest welk contact een organisatie, een project of een machine heeft, of geen eigen contact.',
    needs: 'manage-alerts',
    body: z.object({ name: Name, ...Owner, contact: id.nullable() }),
  },
} as const satisfies Endpoints;
