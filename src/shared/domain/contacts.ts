/** Whom to call: the contact of a machine, else that of the project it is on, else that of its organization. */
import { ROLES, type Role } from './access.ts';

/** Owners of a contact, the nearest first. */
export const CONTACT_OWNERS = ['machine', 'project', 'organization'] as const;
export type ContactOwner = (typeof CONTACT_OWNERS)[number];

/** The lowest role that sees a contact; roles above it do too. */
export const SEEN_FROM = ['kijker', 'gebruiker', 'beheerder'] as const;
export type SeenFrom = (typeof SEEN_FROM)[number];

/** The roles that see a contact, in the words of the form. */
export const SEEN_FROM_TEXTS: Readonly<Record<SeenFrom, string>> = {
  kijker: 'Iedereen van de organisatie',
  gebruiker: 'Gebruikers en beheerders',
  beheerder: 'Alleen beheerders',
};

/** Returns the values of `SeenFrom` that a role meets; the roles of `admin` meet all. */
export const seenFromBy = (role: Role): readonly SeenFrom[] =>
  SEEN_FROM.filter((from) => ROLES.indexOf(role) <= ROLES.indexOf(from));

/** Whose contact one is: 'van project Sluis'. `ownerName`: of a project. */
export const contactOwnerText = (by: ContactOwner, ownerName: string): string =>
  ({
    machine: 'van deze machine',
    project: `van project ${ownerName}`,
    organization: 'van de organisatie',
  })[by];
