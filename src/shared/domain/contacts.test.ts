import { expect, test } from 'vitest';
import { contactOwnerText, contactVisibilityRolesOf } from './contacts.ts';

test('a role sees the contacts that are visible to it or to lower roles, and the roles of admin see all (53.14)', () => {
  expect(contactVisibilityRolesOf('kijker')).toEqual(['kijker']);
  expect(contactVisibilityRolesOf('gebruiker')).toEqual(['kijker', 'gebruiker']);
  expect(contactVisibilityRolesOf('beheerder')).toEqual(['kijker', 'gebruiker', 'beheerder']);
  expect(contactVisibilityRolesOf('technicus')).toEqual(['kijker', 'gebruiker', 'beheerder']);
  expect(contactVisibilityRolesOf('administrator')).toEqual(['kijker', 'gebruiker', 'beheerder']);
});

test('contactOwnerText names the project that a contact belongs to, or says ‘van deze machine’ (53.14)', () => {
  expect(contactOwnerText('project', 'Sluis')).toBe('van project Sluis');
  expect(contactOwnerText('machine', '')).toBe('van deze machine');
});
