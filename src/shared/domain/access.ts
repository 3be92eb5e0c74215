/** Who may see and do what (APP-06, API-02). The server enforces it, the web hides by it. */
import type { Privacy, WorkingHours } from './privacy.ts';

/** The organization whose people administer everything (docs/design.md section 1). */
export const ADMIN_ORGANIZATION = 'admin';

/** What an account is in `admin`, the highest first; in any other organization. */
export const ADMIN_ROLES = ['administrator', 'technicus'] as const;
export const CUSTOMER_ROLES = ['beheerder', 'gebruiker', 'kijker'] as const;
export const ROLES = [...ADMIN_ROLES, ...CUSTOMER_ROLES] as const;
export type Role = (typeof ROLES)[number];

/** What the roles keep apart. Anything else every signed-in person may do inside their scope. */
export type Action =
  | 'see-machines'
  | 'see-loggers'
  /** Where a machine was; an organization may keep it to its higher roles (privacy.ts). */
  | 'see-routes'
  | 'see-organizations'
  | 'see-users'
  /** The code that people register with. */
  | 'see-code'
  | 'see-log'
  | 'manage-machines'
  /** What is to be done to machines every so often. */
  | 'manage-maintenance'
  /** Places and periods of work. */
  | 'manage-projects'
  /** What people of the organization are told by itself. */
  | 'manage-alerts'
  /** As files that leave the building; looking at them is for whoever sees machines. */
  | 'make-reports'
  /** Words that machines of an organization carry. */
  | 'set-labels'
  | 'manage-loggers'
  /** All of them; and moving people between them. */
  | 'manage-organizations'
  /** The people inside the scope. */
  | 'manage-users'
  /** How the portal itself is doing. */
  | 'operate';

const LOOKING = ['see-machines', 'see-loggers', 'see-routes', 'see-organizations'] as const;
const TECHNICAL = [
  ...LOOKING,
  'make-reports',
  'set-labels',
  'manage-maintenance',
  'manage-machines',
  'manage-loggers',
] as const;
const PEOPLE = ['see-code', 'see-users', 'manage-users', 'see-log'] as const;

const ACTIONS: Readonly<Record<Role, ReadonlySet<Action>>> = {
  administrator: new Set([
    ...TECHNICAL,
    'manage-projects',
    'manage-alerts',
    ...PEOPLE,
    'manage-organizations',
    'operate',
  ]),
  technicus: new Set(TECHNICAL),
  beheerder: new Set([
    ...LOOKING,
    'make-reports',
    'set-labels',
    'manage-maintenance',
    'manage-projects',
    'manage-alerts',
    ...PEOPLE,
  ]),
  gebruiker: new Set([...LOOKING, 'make-reports', 'set-labels', 'see-code']),
  kijker: new Set(LOOKING),
};

/** A customer has machines, or is an LMB logging customer and has LMB loggers. */
const OF_THE_OTHER_KIND: Readonly<Record<'lmb' | 'machines', readonly Action[]>> = {
  lmb: [
    'see-machines',
    'make-reports',
    'set-labels',
    'manage-maintenance',
    'manage-projects',
    'manage-alerts',
  ],
  machines: ['see-loggers'],
};

/** Somebody in an organization: `organization` is its functional name. */
export type Member = {
  readonly organization: string;
  readonly isLmbCustomer: boolean;
  readonly role: Role;
};

/** The roles that there are in an organization, the highest first; organization-name.ts keeps look-alikes of `admin` out. */
export const rolesIn = (organization: string): readonly Role[] =>
  organization === ADMIN_ORGANIZATION ? ADMIN_ROLES : CUSTOMER_ROLES;

/** `admin` sees both kinds, isLmbCustomer or not. A role of the other kind of organization may do nothing. */
export function may({ organization, isLmbCustomer, role }: Member, action: Action): boolean {
  if (!rolesIn(organization).includes(role) || !ACTIONS[role].has(action)) return false;
  return (
    organization === ADMIN_ORGANIZATION ||
    !OF_THE_OTHER_KIND[isLmbCustomer ? 'lmb' : 'machines'].includes(action)
  );
}

/** Of those who manage people, whose second factor they may reset: nobody's of their own role, and no administrator's. */
export const isAbove = (role: Role, other: Role): boolean => role !== other && other !== 'administrator';

/** What somebody becomes who is moved to an organization, or comes without being given a role. */
export const usualRole = (organization: string): Role =>
  organization === ADMIN_ORGANIZATION ? 'technicus' : 'gebruiker';

/** Who asks: from the session, never from the request. */
export type Principal = Member & {
  readonly organizationId: number;
  /** What the organization decided. */
  readonly privacy: Privacy;
};

/**
 * What a store is given in place of a user (docs/design.md section 6): whose rows, and what may be done to them.
 * API tokens and share links will have one too, and add the streams they are limited to.
 */
export type Scope = {
  readonly organizations: 'all' | readonly number[];
  readonly actions: ReadonlySet<Action>;
  /** Positions of these hours only; undefined: of all. */
  readonly positionHours?: WorkingHours;
};

const ALL_ACTIONS: readonly Action[] = [...ACTIONS.administrator];

/** The scope of `admin` is every organization, anyone else's their own. */
export function scopeOf(principal: Principal): Scope {
  const { role, privacy } = principal;
  const actions = new Set(ALL_ACTIONS.filter((action) => may(principal, action)));
  const hours = role === 'kijker' ? privacy.viewerHours : null;
  if (!seesRoutes(role, privacy)) actions.delete('see-routes');
  return {
    organizations: principal.organization === ADMIN_ORGANIZATION ? 'all' : [principal.organizationId],
    actions,
    ...(hours && { positionHours: hours }),
  };
}

/** Whoever sees to machines of all organizations sees them; else the roles that the organization says. */
const seesRoutes = (role: Role, { routesFrom }: Privacy): boolean =>
  ROLES.indexOf(role) <= ROLES.indexOf(routesFrom);

/** Whether rows of this organization are inside the scope. */
export const covers = (scope: Pick<Scope, 'organizations'>, organizationId: number): boolean =>
  scope.organizations === 'all' || scope.organizations.includes(organizationId);
