/** Contacts: a machine has its own contact, else that of its project, else that of its organization. */
import { ROLES, type Role } from './access.ts';

/** Owners of a contact, the nearest first. */
export const CONTACT_OWNERS = ['machine', 'project', 'organization'] as const;
export type ContactOwner = (typeof CONTACT_OWNERS)[number];

/** The lowest role that sees a contact; higher roles see it too. */
export const CONTACT_VISIBILITY_ROLES = ['kijker', 'gebruiker', 'beheerder'] as const;
export type ContactVisibilityRole = (typeof CONTACT_VISIBILITY_ROLES)[number];

/** Dutch texts of the choices in the form. */
export const CONTACT_VISIBILITY_LABELS: Readonly<Record<ContactVisibilityRole, string>> = {
  kijker: 'Iedereen van de organisatie',
  gebruiker: 'Gebruikers en beheerders',
  beheerder: 'Alleen beheerders',
};

/** Returns the values of `ContactVisibilityRole` that a role satisfies; the roles of `admin` satisfy all. */
export const contactVisibilityRolesOf = (role: Role): readonly ContactVisibilityRole[] =>
  CONTACT_VISIBILITY_ROLES.filter((from) => ROLES.indexOf(role) <= ROLES.indexOf(from));

/** Returns the owner of a contact as a Dutch text: 'van project Sluis'. @param ownerName name of the project, if the owner is one */
export const contactOwnerText = (by: ContactOwner, ownerName: string): string =>
  ({
    machine: 'van deze machine',
    project: `van project ${ownerName}`,
    organization: 'van de organisatie',
  })[by];
