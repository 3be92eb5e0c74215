/** Who may see and do what (APP-06, API-02). The server enforces it, the web hides by it. */

/** `logger`: a user of an LMB logging customer (isBerende). */
export type Role = 'admin' | 'logger' | 'user';

/** The organization whose users administer everything (docs/design.md section 1). */
export const ADMIN_ORGANIZATION = 'admin';

/** What the roles keep apart (APP-06, API-02). Anything else every signed-in person may do inside their scope. */
export type Action =
  | 'see-machines'
  | 'see-loggers'
  | 'see-organizations'
  | 'see-users'
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
    'manage-machines',
    'manage-loggers',
    'manage-organizations',
    'manage-users',
  ]),
  logger: new Set(['see-loggers', 'see-organizations']),
  user: new Set(['see-machines', 'see-organizations']),
};

/** Exactly `admin` is the administrator, isBerende or not; organization-name.ts keeps look-alikes out. */
export function roleOf(user: { readonly organization: string; readonly isBerende: boolean }): Role {
  if (user.organization === ADMIN_ORGANIZATION) return 'admin';
  return user.isBerende ? 'logger' : 'user';
}

export const may = (role: Role, action: Action): boolean => ACTIONS[role].has(action);

/** Who asks: from the session, never from the request. */
export type Principal = {
  readonly organizationId: number;
  /** Functional name. */
  readonly organization: string;
  readonly isBerende: boolean;
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

export type MenuItem = { readonly label: string; readonly to: string };

/** The settings menu of APP-06, in its order; the caller puts 'Logout', which is no page, below it. */
export function settingsMenu(role: Role): MenuItem[] {
  const items: (MenuItem & { readonly needs?: Action })[] = [
    { label: 'Home', to: '/' },
    { label: 'Machines', to: '/machine/', needs: 'see-machines' },
    { label: role === 'admin' ? 'LMB Logging' : 'Machines', to: '/lmb-logging/', needs: 'see-loggers' },
    { label: 'Organisatie Codes', to: '/organization/', needs: 'see-organizations' },
    { label: 'Gebruikers', to: '/Users/', needs: 'see-users' },
  ];
  return items
    .filter(({ needs }) => needs === undefined || may(role, needs))
    .map(({ label, to }) => ({ label, to }));
}
