import { expect, test } from 'vitest';
import {
  type CurrentAccount,
  currentAccountSeenBy,
  maySeeClientDevice,
  personAsSeenBy,
  type ReferredPerson,
} from './known-people.ts';

const KLANT = 1;
const KOPER = 2;
const ADMIN = 3;
const everything = { organizations: 'all' as const, actions: new Set(['see-log'] as const) };
const klant = { organizations: [KLANT], actions: new Set(['see-log'] as const) };
const kijker = { organizations: [KLANT], actions: new Set<never>() };

const account = (organizationId: number, more: Partial<CurrentAccount> = {}): CurrentAccount => ({
  id: 12,
  name: 'Bea',
  email: 'bea@klant.nl',
  organizationId,
  isStaff: organizationId === ADMIN,
  ...more,
});
const referred = (organizationThen: number | null, now: CurrentAccount | null): ReferredPerson => ({
  id: 12,
  organizationThen,
  wasStaff: organizationThen === ADMIN,
  now,
});
const BEA = { id: 12, name: 'Bea', email: 'bea@klant.nl' };
const LEFT = { id: 12, name: 'vertrokken account 12' };
const STAFF = { name: 'Beheer van het portaal' };

test.each([
  ['a colleague', referred(KLANT, account(KLANT)), BEA],
  [
    'a colleague without a name',
    referred(KLANT, account(KLANT, { name: null })),
    { id: 12, name: 'bea@klant.nl' },
  ],
  ['a colleague whose account was deleted', referred(KLANT, null), LEFT],
  ['a colleague who has moved to another organization', referred(KLANT, account(KOPER)), LEFT],
  ['a colleague who has moved to admin', referred(KLANT, account(ADMIN)), LEFT],
  ['a person of admin', referred(ADMIN, account(ADMIN)), STAFF],
  ['a person of admin whose account was deleted', referred(ADMIN, null), STAFF],
  ['a colleague who was in admin at the time', referred(ADMIN, account(KLANT)), STAFF],
  ['a person of another organization', referred(KOPER, account(KOPER)), undefined],
  ['a colleague who was in another organization at the time', referred(KOPER, account(KLANT)), undefined],
  ['a person whose organization at the time is unknown', referred(null, account(KLANT)), undefined],
])('an organization sees only what it may know of %s (13.9p)', (_, person, shown) => {
  expect(personAsSeenBy(klant, person)).toEqual(shown);
});

test('an administrator sees everybody’s name, and deleted accounts by number (13.9p)', () => {
  for (const organization of [KLANT, KOPER, ADMIN, null])
    expect(personAsSeenBy(everything, referred(organization, account(KOPER)))).toEqual(BEA);
  expect(personAsSeenBy(everything, referred(ADMIN, null))).toEqual(LEFT);
});

test('an organization sees its own people by name, people of admin under one name, and no people of other organizations (13.9p)', () => {
  expect(currentAccountSeenBy(klant, account(KLANT))).toEqual(BEA);
  expect(currentAccountSeenBy(klant, account(ADMIN))).toEqual(STAFF);
  expect(currentAccountSeenBy(klant, account(KOPER))).toBeUndefined();
  expect(currentAccountSeenBy(klant, null)).toBeUndefined();
  expect(currentAccountSeenBy(everything, account(ADMIN))).toEqual(BEA);
});

test('only readers of the log of a person’s organization see the person’s address and device (13.9p)', () => {
  const sees = [everything, klant, kijker].map((viewer) =>
    [KLANT, KOPER, ADMIN, null].map((organization) => maySeeClientDevice(viewer, organization)),
  );
  expect(sees).toEqual([
    [true, true, true, true],
    [true, false, false, false],
    [false, false, false, false],
  ]);
});
