/** Who may see and do what (APP-06, API-02). The server enforces it, the web hides by it. */

/** `logger`: a user of an LMB logging customer (isLmbCustomer). */
export type Role = 'admin' | 'logger' | 'user';

/** The organization whose users administer everything (docs/design.md section 1). */
export const ADMIN_ORGANIZATION = 'admin';

/** What the roles keep apart (APP-06, API-02). Anything else every signed-in person may do inside their scope. */
export type Action =
  | 'see-machines'
  | 'see-loggers'
  | 'see-organizations'
  | 'see-users'
  | 'see-log'
  | 'manage-machines'
  | 'manage-loggers'
  | 'manage-organizations'
  | 'manage-users';

const ACTIONS: Readonly<Record<Role, ReadonlySet<Action>>> = {
  admin: new Set([
    'see-machines',
    'see-loggers',
    'see-organizations',
    'see-users',
    'see-log',
    'manage-machines',
    'manage-loggers',
    'manage-organizations',
    'manage-users',
  ]),
  logger: new Set(['see-log', 'see-loggers', 'see-organizations']),
  user: new Set(['see-log', 'see-machines', 'see-organizations']),
};

/** Exactly `admin` is the administrator, isLmbCustomer or not; organization-name.ts keeps look-alikes out. */
export function roleOf(user: { readonly organization: string; readonly isLmbCustomer: boolean }): Role {
  if (user.organization === ADMIN_ORGANIZATION) return 'admin';
  return user.isLmbCustomer ? 'logger' : 'user';
}

export const may = (role: Role, action: Action): boolean => ACTIONS[role].has(action);

/** Who asks: from the session, never from the request. */
export type Principal = {
  readonly organizationId: number;
  /** Functional name. */
  readonly organization: string;
  readonly isLmbCustomer: boolean;
};

/**
 * What a store is given in place of a user (docs/design.md section 6): whose rows, and what may be done to them.
 * API tokens and share links will have one too, and add the streams they are limited to.
 */
export type Scope = {
  readonly organizations: 'all' | readonly number[];
  readonly actions: ReadonlySet<Action>;
};

/** An administrator's scope is every organization, anyone else's their own. */
export function scopeOf(principal: Principal): Scope {
  const role = roleOf(principal);
  return { organizations: role === 'admin' ? 'all' : [principal.organizationId], actions: ACTIONS[role] };
}

/** Whether rows of this organization are inside the scope. */
export const covers = (scope: Scope, organizationId: number): boolean =>
  scope.organizations === 'all' || scope.organizations.includes(organizationId);
