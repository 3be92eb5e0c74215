import { expect, test } from 'vitest';
import {
  type Action,
  ADMIN_ORGANIZATION,
  defaultRole,
  isActionAllowed,
  type Principal,
  ROLES,
  type Role,
  rolesIn,
  scopeCovers,
  scopeOf,
} from './access.ts';
import { DEFAULT_PRIVACY, type Privacy } from './privacy.ts';

const principal = (organization: string, role: Role, isLmbCustomer = false): Principal => ({
  organizationId: 7,
  organization,
  isLmbCustomer,
  role,
  privacy: DEFAULT_PRIVACY,
  limit: null,
});
const homeOf = (role: Role): string =>
  role === 'administrator' || role === 'technicus' ? ADMIN_ORGANIZATION : 'bouw';

test.each<[Action, Role[]]>([
  ['see-machines', ['administrator', 'technicus', 'beheerder', 'gebruiker', 'kijker']],
  ['see-loggers', ['administrator', 'technicus']],
  ['see-routes', ['administrator', 'technicus', 'beheerder', 'gebruiker', 'kijker']],
  ['see-organizations', ['administrator', 'technicus', 'beheerder', 'gebruiker', 'kijker']],
  ['see-users', ['administrator', 'beheerder']],
  ['see-code', ['administrator', 'beheerder', 'gebruiker']],
  ['see-log', ['administrator', 'beheerder']],
  ['make-reports', ['administrator', 'technicus', 'beheerder', 'gebruiker']],
  ['set-labels', ['administrator', 'technicus', 'beheerder', 'gebruiker']],
  ['manage-maintenance', ['administrator', 'technicus', 'beheerder']],
  ['manage-machines', ['administrator', 'technicus']],
  ['manage-loggers', ['administrator', 'technicus']],
  ['manage-organizations', ['administrator']],
  ['manage-users', ['administrator', 'beheerder']],
  ['operate', ['administrator']],
])('the action %s is permitted to %j only (API-02)', (action, roles) => {
  expect(ROLES.filter((role) => isActionAllowed(principal(homeOf(role), role), action))).toEqual(roles);
});

test('a customer may see machines, an LMB logging customer LMB loggers, and admin both (API-02)', () => {
  const seen = (member: Principal) =>
    (['see-machines', 'see-loggers'] as const).filter((action) => isActionAllowed(member, action));
  for (const role of ['beheerder', 'gebruiker', 'kijker'] as const) {
    expect(seen(principal('bouw', role))).toEqual(['see-machines']);
    expect(seen(principal('spoor', role, true))).toEqual(['see-loggers']);
  }
  expect(seen(principal('admin', 'technicus', true))).toEqual(['see-machines', 'see-loggers']);
});

test('an LMB logging customer has no right to projects, reports, labels, maintenance or alerts (API-02, 14.1l)', () => {
  const ofMachines: Action[] = [
    'make-reports',
    'set-labels',
    'manage-maintenance',
    'manage-projects',
    'manage-alerts',
  ];
  for (const role of ['beheerder', 'gebruiker', 'kijker'] as const)
    expect(ofMachines.filter((action) => isActionAllowed(principal('spoor', role, true), action))).toEqual(
      [],
    );
  expect(ofMachines.filter((action) => isActionAllowed(principal('bouw', 'beheerder'), action))).toEqual(
    ofMachines,
  );
});

test.each<[string, Role]>([
  ['Admin', 'administrator'],
  [' admin', 'administrator'],
  ['аdmin', 'technicus'], // Cyrillic а
  ['bouw', 'administrator'],
  ['admin', 'beheerder'],
  ['admin', 'gebruiker'],
])(
  'in the organization %j, which does not have that role, a %s may do nothing (API-02)',
  (organization, role) => {
    expect([...scopeOf(principal(organization, role)).actions]).toEqual([]);
  },
);

test('an organization has the roles of its kind, and a moved user gets the default role (13.1a)', () => {
  expect(rolesIn('admin')).toEqual(['administrator', 'technicus']);
  expect(rolesIn('bouw')).toEqual(['beheerder', 'gebruiker', 'kijker']);
  expect([defaultRole('admin'), defaultRole('bouw')]).toEqual(['technicus', 'gebruiker']);
});

test('the scope of a user of admin covers every organization, that of any other user only their own (API-02)', () => {
  const reached = (organization: string, role: Role) =>
    [1, 7, 8].filter((id) => scopeCovers(scopeOf(principal(organization, role)), id));
  expect(reached('admin', 'administrator')).toEqual([1, 7, 8]);
  expect(reached('bouw', 'beheerder')).toEqual([7]);
  expect(reached('ADMIN', 'administrator')).toEqual([7]);
});

test.each<[Privacy['routesFrom'], Role[]]>([
  ['kijker', ['administrator', 'technicus', 'beheerder', 'gebruiker', 'kijker']],
  ['gebruiker', ['administrator', 'technicus', 'beheerder', 'gebruiker']],
  ['beheerder', ['administrator', 'technicus', 'beheerder']],
])('with routesFrom %s, routes are visible to %j (13.12a)', (routesFrom, roles) => {
  const privacy = { ...DEFAULT_PRIVACY, routesFrom };
  const sees = (role: Role) =>
    scopeOf({ ...principal(homeOf(role), role), privacy }).actions.has('see-routes');
  expect(ROLES.filter(sees)).toEqual(roles);
});

test('only a kijker is limited to positions in working hours (13.12b)', () => {
  const viewerHours = { days: [1], from: '07:00', to: '16:00' };
  const privacy = { ...DEFAULT_PRIVACY, viewerHours };
  const bound = (role: Role) => scopeOf({ ...principal(homeOf(role), role), privacy }).positionHours;
  expect(ROLES.map(bound)).toEqual([undefined, undefined, undefined, undefined, viewerHours]);
});

test('the scope of a user with an access restriction covers no organization, has no machine until the server looks the machines up, and permits no management (53.20)', () => {
  const limit = { projects: [1], labels: [], onlyToday: false };
  for (const role of ['beheerder', 'gebruiker', 'kijker'] as const) {
    const scope = scopeOf({ ...principal('bouw', role), limit });
    expect([scope.organizations, scopeCovers(scope, 7)]).toEqual([[], false]);
    expect([...scope.actions].sort()).toEqual(
      ['make-reports', 'see-machines', 'see-routes'].filter(
        (one) => role !== 'kijker' || one !== 'make-reports',
      ),
    );
    expect(scope.limited?.machines.size).toBe(0);
  }
  expect(scopeOf({ ...principal('admin', 'administrator'), limit }).organizations).toEqual([]);
  expect(scopeOf(principal('bouw', 'gebruiker')).limited).toBeUndefined();
});
