/** Who may see and do what (APP-06, API-02). The server enforces it, the web hides by it. */
import type { Range } from './intervals.ts';
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
  /** The person sees a part of the organization's machines, or the present day only. */
  readonly isLimited?: boolean;
};

/** Actions that a limit leaves. Labels decide what a limited person sees, and the code lets in people without a limit. */
const WHEN_LIMITED: ReadonlySet<Action> = new Set(['see-machines', 'see-routes', 'make-reports']);

/** The roles that there are in an organization, the highest first; organization-name.ts keeps look-alikes of `admin` out. */
export const rolesIn = (organization: string): readonly Role[] =>
  organization === ADMIN_ORGANIZATION ? ADMIN_ROLES : CUSTOMER_ROLES;

/** `admin` sees both kinds, isLmbCustomer or not. A role of the other kind of organization may do nothing. */
export function may({ organization, isLmbCustomer, role, isLimited }: Member, action: Action): boolean {
  if (
    /*rule:scope-role-of-kind*/ !rolesIn(organization).includes(role) /*=false*/ ||
    !ACTIONS[role].has(action)
  )
    return false;
  if (/*rule:limited-manages-nothing*/ isLimited && !WHEN_LIMITED.has(action) /*=false*/) return false;
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

/** The limit of a person (docs/decisions/0077-limited-people.md). An empty list is of no machine, never of all. */
export type Limit = {
  /** Ids of projects and of labels, of machines that the person may see; null: of all machines of the organization. */
  readonly projects: readonly number[] | null;
  readonly labels: readonly number[] | null;
  /** From midnight in Amsterdam on. */
  readonly onlyToday: boolean;
};

/** Roles that a limit may be of, and those that may be limited to the present day. */
export const LIMITED_ROLES: readonly Role[] = ['gebruiker', 'kijker'];
export const TODAY_ROLES: readonly Role[] = ['kijker'];

/** Who asks: from the session, never from the request. */
export type Principal = Member & {
  readonly organizationId: number;
  /** What the organization decided. */
  readonly privacy: Privacy;
  /** null: none. */
  readonly limit: Limit | null;
};

/**
 * What a store is given in place of a user (docs/design.md section 6): whose rows, and what may be done to them.
 * API tokens and share links will have one too, and add the streams they are limited to.
 */
export type Scope = {
  /** Organizations of which the scope sees everything; of a limited person none. */
  readonly organizations: 'all' | readonly number[];
  readonly actions: ReadonlySet<Action>;
  /** Positions of these hours only; undefined: of all. */
  readonly positionHours?: WorkingHours;
  /** Only in the scope of a limited person: the machines that it sees instead. */
  readonly limited?: LimitedScope;
};

/** The part of an organization that a limited person sees now; times in ms. */
export type LimitedScope = {
  readonly organizationId: number;
  /** Projects that go on and labels, by id, whose names are seen; null: all of the organization. */
  readonly projects: readonly number[] | null;
  readonly labels: readonly number[] | null;
  /** Their names, as far as they are of the limit. */
  readonly names: { readonly projects: readonly string[]; readonly labels: readonly string[] };
  readonly onlyToday: boolean;
  /** Nothing from before this time is seen; -Infinity: no such time. */
  readonly from: number;
  readonly machines: ReadonlyMap<number, SeenMachine>;
};

export type SeenMachine = {
  /** The times in which the machine is seen, in order, half-open. */
  readonly times: readonly Range[];
  /** The machine is seen wherever it was: through a label, or because the limit has no lists. */
  readonly isAnywhere: boolean;
};

const ALL_ACTIONS: readonly Action[] = [...ACTIONS.administrator];

/**
 * Returns the scope of a person: of `admin` every organization, of anyone else their own. A limited person sees no machine in it until
 * the server has looked up which they are (server/projects/limited-scope.ts).
 */
export function scopeOf(principal: Principal): Scope {
  const { role, privacy, limit } = principal;
  const isLimited = limit !== null;
  const actions = new Set(ALL_ACTIONS.filter((action) => may({ ...principal, isLimited }, action)));
  const hours = role === 'kijker' ? privacy.viewerHours : null;
  if (!seesRoutes(role, privacy)) actions.delete('see-routes');
  return {
    organizations: organizationsFor(principal),
    actions,
    ...(hours && { positionHours: hours }),
    ...(isLimited && {
      limited: {
        organizationId: principal.organizationId,
        projects: [],
        labels: [],
        names: { projects: [], labels: [] },
        onlyToday: limit.onlyToday,
        from: Number.POSITIVE_INFINITY,
        machines: new Map(),
      },
    }),
  };
}

function organizationsFor({ organization, organizationId, limit }: Principal): Scope['organizations'] {
  if (/*rule:limited-no-organization*/ limit !== null /*=false*/) return [];
  return /*rule:scope-organizations*/ organization === ADMIN_ORGANIZATION
    ? 'all'
    : [organizationId] /*='all'*/;
}

/** Whoever sees to machines of all organizations sees them; else the roles that the organization says. */
const seesRoutes = (role: Role, { routesFrom }: Privacy): boolean =>
  ROLES.indexOf(role) <= ROLES.indexOf(routesFrom);

/** Whether rows of this organization are inside the scope. */
export const covers = (scope: Pick<Scope, 'organizations'>, organizationId: number): boolean =>
  scope.organizations === 'all' ||
  /*rule:scope-covers*/ scope.organizations.includes(organizationId) /*=true*/;
