/** Roles, actions and scopes (APP-06, API-02). The server enforces them; the web hides what a user may not do. */
import type { Range } from './intervals.ts';
import type { Privacy, WorkingHours } from './privacy.ts';

/** The organization whose users administer the portal (docs/design.md section 1). */
export const ADMIN_ORGANIZATION = 'admin';

/** Roles in `admin`, the highest first. */
export const ADMIN_ROLES = ['administrator', 'technicus'] as const;
/** Roles in any other organization, the highest first. */
export const CUSTOMER_ROLES = ['beheerder', 'gebruiker', 'kijker'] as const;
export const ROLES = [...ADMIN_ROLES, ...CUSTOMER_ROLES] as const;
export type Role = (typeof ROLES)[number];

/** Actions that only some roles may do. Every signed-in user may do anything else inside their scope. */
export type Action =
  | 'see-machines'
  | 'see-loggers'
  /** See past positions of machines; an organization may limit this to its higher roles (privacy.ts). */
  | 'see-routes'
  | 'see-organizations'
  | 'see-users'
  /** See the registration code. */
  | 'see-code'
  | 'see-log'
  | 'manage-machines'
  /** Manage maintenance plans and templates. */
  | 'manage-maintenance'
  /** Manage projects: places and periods of work. */
  | 'manage-projects'
  /** Manage alert rules of the organization. */
  | 'manage-alerts'
  /** Download reports as files; viewing them needs only 'see-machines'. */
  | 'make-reports'
  /** Set labels on machines. */
  | 'set-labels'
  | 'manage-loggers'
  /** Manage all organizations, and move users between them. */
  | 'manage-organizations'
  /** Manage users inside the scope. */
  | 'manage-users'
  /** Operate the portal itself. */
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

/** Actions that a kind of customer may not do: an LMB customer has LMB loggers and no machines, any other customer only machines. */
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

/** A user in an organization: `organization` is its functional name. */
export type Member = {
  readonly organization: string;
  readonly isLmbCustomer: boolean;
  readonly role: Role;
  /** Whether the user has an access restriction: to some of the organization's machines, or to today's data. */
  readonly isLimited?: boolean;
};

/**
 * Actions that a user with an access restriction may do. Setting labels is not among them, because labels decide what the user sees;
 * nor is seeing the registration code, because a person who registers with this code gets an account without a restriction.
 */
const WHEN_LIMITED: ReadonlySet<Action> = new Set(['see-machines', 'see-routes', 'make-reports']);

/** Returns the roles in an organization, the highest first; organization-name.ts refuses names that look like `admin`. */
export const rolesIn = (organization: string): readonly Role[] =>
  organization === ADMIN_ORGANIZATION ? ADMIN_ROLES : CUSTOMER_ROLES;

/**
 * Returns whether a user may do an action. `admin` may see machines and LMB loggers, whatever `isLmbCustomer` says. A customer role in
 * `admin`, or an admin role elsewhere, may do nothing.
 */
export function isActionAllowed(
  { organization, isLmbCustomer, role, isLimited }: Member,
  action: Action,
): boolean {
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

/**
 * Returns whether a user with `role` may reset the second factor of a user with the role `other`: not if both have
 * the same role, and not if the other user is an administrator.
 */
export const mayResetFactorOf = (role: Role, other: Role): boolean =>
  role !== other && other !== 'administrator';

/** Returns the default role of a user who is moved to an organization or joins it without a role. */
export const defaultRole = (organization: string): Role =>
  organization === ADMIN_ORGANIZATION ? 'technicus' : 'gebruiker';

/** The access restriction of a user (docs/decisions/0077-users-with-a-limited-view.md). An empty list means no machine, never all. */
export type AccessLimit = {
  /** Ids of the projects and labels whose machines the user may see; null: all machines of the organization. */
  readonly projects: readonly number[] | null;
  readonly labels: readonly number[] | null;
  /** Only data since midnight in Amsterdam. */
  readonly onlyToday: boolean;
};

/** Roles whose users may have an access restriction. */
export const LIMITED_ROLES: readonly Role[] = ['gebruiker', 'kijker'];
/** Roles whose users may be restricted to today's data. */
export const ROLES_WITH_TODAY_LIMIT: readonly Role[] = ['kijker'];

/** The caller according to the session; no field comes from the request. */
export type Principal = Member & {
  readonly organizationId: number;
  /** The organization's privacy settings. */
  readonly privacy: Privacy;
  /** null: the user has no access restriction. */
  readonly limit: AccessLimit | null;
};

/**
 * The rows that a caller may see, and the actions that the caller may do on them; stores get this scope instead of a
 * user (docs/design.md section 6).
 */
export type Scope = {
  /** Organizations whose rows are all in the scope; empty for a user with an access restriction. */
  readonly organizations: 'all' | readonly number[];
  readonly actions: ReadonlySet<Action>;
  /** Only positions in these hours are in the scope; undefined: all positions. */
  readonly positionHours?: WorkingHours;
  /** The machines in the scope of a user with an access restriction; undefined for other users. */
  readonly limited?: LimitedScope;
};

/** The part of an organization that a user with an access restriction sees now; times in ms. */
export type LimitedScope = {
  readonly organizationId: number;
  /** Ids of the active projects and of the labels that the user sees; null: all of the organization. */
  readonly projects: readonly number[] | null;
  readonly labels: readonly number[] | null;
  /** Names of the projects and labels in the user's access restriction. */
  readonly names: { readonly projects: readonly string[]; readonly labels: readonly string[] };
  readonly onlyToday: boolean;
  /** The user sees no data from before this time; -Infinity: the user sees data of all times. */
  readonly from: number;
  readonly machines: ReadonlyMap<number, VisibleMachine>;
};

export type VisibleMachine = {
  /** Half-open ranges in which the user sees the machine, in order. */
  readonly times: readonly Range[];
  /**
   * The user sees the machine anywhere, not only on a project: one of its labels is in the access restriction, or the restriction has
   * no lists of projects and labels.
   */
  readonly isAnywhere: boolean;
};

const ALL_ACTIONS: readonly Action[] = [...ACTIONS.administrator];

/**
 * Returns the scope of a user: every organization for a user of `admin`, their own for anyone else. The scope of a user with an
 * access restriction has no machines until the server has looked them up (server/projects/limited-scope.ts).
 */
export function scopeOf(principal: Principal): Scope {
  const { role, privacy, limit } = principal;
  const isLimited = limit !== null;
  const actions = new Set(
    ALL_ACTIONS.filter((action) => isActionAllowed({ ...principal, isLimited }, action)),
  );
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

/** Returns whether a role sees routes: admin roles always, other roles by the organization's settings. */
const seesRoutes = (role: Role, { routesFrom }: Privacy): boolean =>
  ROLES.indexOf(role) <= ROLES.indexOf(routesFrom);

/** Returns whether rows of this organization are in the scope. */
export const scopeCovers = (scope: Pick<Scope, 'organizations'>, organizationId: number): boolean =>
  scope.organizations === 'all' ||
  /*rule:scope-covers*/ scope.organizations.includes(organizationId) /*=true*/;
