import { expect, test } from 'vitest';
import { contactOwnerText, seenFromValuesOf } from './contacts.ts';

test('a role sees the contacts of its own level and below, and the roles of admin see all (53.14)', () => {
  expect(seenFromValuesOf('kijker')).toEqual(['kijker']);
  expect(seenFromValuesOf('gebruiker')).toEqual(['kijker', 'gebruiker']);
  expect(seenFromValuesOf('beheerder')).toEqual(['kijker', 'gebruiker', 'beheerder']);
  expect(seenFromValuesOf('technicus')).toEqual(['kijker', 'gebruiker', 'beheerder']);
  expect(seenFromValuesOf('administrator')).toEqual(['kijker', 'gebruiker', 'beheerder']);
});

test('the text of a contact names its owner, a project or a machine (53.14)', () => {
  expect(contactOwnerText('project', 'Sluis')).toBe('van project Sluis');
  expect(contactOwnerText('machine', '')).toBe('van deze machine');
});
