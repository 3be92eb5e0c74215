import type { Role } from '#shared/domain/access.ts';
import { organizationMarker, type PlantedOrganization } from './planted.ts';

/**
 * The people of the table of permissions, with their roles. The machines and LMB loggers in the requests belong to the organization of
 * `user` (machines) or of `logger-user` (LMB loggers).
 * - `user`, `logger-user`: gebruiker. `viewer`, `manager`: colleagues of `user`, kijker and beheerder.
 * - `admin`, `technician`: of the portal's own organization.
 * - `other`, `other-logger-user`: gebruiker of another organization with machines, and of one with LMB loggers. In the organization of
 *   `other` only the beheerder sees routes.
 * - `disabled`: the organization was disabled. `deleted`: the account was deleted. Both have a session that was used just before.
 * - `another-site`: the administrator's browser on a page of another site.
 * - `limited`: gebruiker of the organization of `user` who sees only the project on which the requested machine is.
 * - `today`: kijker of that project who sees only the present day.
 */
export const PEOPLE = [
  'nobody',
  'user',
  'viewer',
  'manager',
  'logger-user',
  'admin',
  'technician',
  'other',
  'other-logger-user',
  'disabled',
  'deleted',
  'another-site',
  'limited',
  'today',
] as const;
export type Person = (typeof PEOPLE)[number];

/** Organization of each person. The person `deleted` was a colleague of `user`. */
export const ORGANIZATION_OF_PERSON: Readonly<Partial<Record<Person, PlantedOrganization>>> = {
  user: 'eigen',
  viewer: 'eigen',
  manager: 'eigen',
  'logger-user': 'spoor',
  admin: 'beheer',
  technician: 'beheer',
  other: 'ander',
  'other-logger-user': 'rails',
  disabled: 'dicht',
  deleted: 'eigen',
  'another-site': 'beheer',
  limited: 'eigen',
  today: 'eigen',
};
/** An account in the organization of `user`. The person makes no requests. */
export const COLLEAGUE = 'collega@kanarie-eigen.example';
/** A kijker in the organization of `user` who has a second factor and makes no requests. */
export const PERSON_WITHOUT_SIGN_IN = 'kwijt@kanarie-eigen.example';
export const ROLE_OF: Readonly<Partial<Record<Person, Role>>> = {
  viewer: 'kijker',
  today: 'kijker',
  manager: 'beheerder',
  technician: 'technicus',
};
export const emailOf = (person: Person): string =>
  `${person === 'another-site' ? 'admin' : person}@${organizationMarker(ORGANIZATION_OF_PERSON[person] ?? 'beheer')}.example`;
