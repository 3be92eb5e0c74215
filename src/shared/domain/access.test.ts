import { expect, test } from 'vitest';
import { type Action, covers, may, type Role, roleOf, scopeOf } from './access.ts';

test.each<[string, boolean, Role]>([
  ['admin', false, 'admin'],
  ['admin', true, 'admin'],
  ['Admin', false, 'user'],
  [' admin', false, 'user'],
  ['аdmin', false, 'user'], // Cyrillic а
  ['bouw', false, 'user'],
  ['spoor', true, 'logger'],
  ['', false, 'user'],
])('API-02 role of organization %j, isLmbCustomer %s: %s', (organization, isLmbCustomer, expected) => {
  expect(roleOf({ organization, isLmbCustomer })).toBe(expected);
});

test.each<[Action, Role[]]>([
  ['see-machines', ['admin', 'user']],
  ['see-loggers', ['admin', 'logger']],
  ['see-organizations', ['admin', 'logger', 'user']],
  ['see-users', ['admin']],
  ['manage-machines', ['admin']],
  ['manage-loggers', ['admin']],
  ['manage-organizations', ['admin']],
  ['manage-users', ['admin']],
])('API-02 %s is for %j only', (action, roles) => {
  const all: Role[] = ['admin', 'logger', 'user'];
  expect(all.filter((role) => may(role, action))).toEqual(roles);
});

test('API-02 an administrator reaches every organization, anyone else only their own', () => {
  const admin = scopeOf({ organizationId: 1, organization: 'admin', isLmbCustomer: false });
  const user = scopeOf({ organizationId: 7, organization: 'bouw', isLmbCustomer: false });
  const lookalike = scopeOf({ organizationId: 8, organization: 'ADMIN', isLmbCustomer: false });
  expect([1, 7, 8].map((id) => covers(admin, id))).toEqual([true, true, true]);
  expect([1, 7, 8].map((id) => covers(user, id))).toEqual([false, true, false]);
  expect([1, 7, 8].map((id) => covers(lookalike, id))).toEqual([false, false, true]);
  expect(admin.actions.has('manage-users')).toBe(true);
  expect(user.actions.has('manage-machines')).toBe(false);
  expect(lookalike.actions.has('manage-users')).toBe(false);
});
