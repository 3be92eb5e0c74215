import { expect, test } from 'vitest';
import type { Member } from '#shared/domain/access.ts';
import { settingsMenu } from './settings-pages.ts';

const ADMIN = { organization: 'admin', isLmbCustomer: false };
const BOUW = { organization: 'bouw', isLmbCustomer: false };
const SPOOR = { organization: 'spoor', isLmbCustomer: true };

test.each<[Role, [string, string][]]>([
  [
    'admin',
    [
      ['Home', '/'],
      ['Machines', '/machine/'],
      ['LMB Logging', '/lmb-logging/'],
      ['Organisatie Codes', '/organization/'],
      ['Gebruikers', '/Users/'],
      ['Mijn account', '/account/'],
    ],
  ],
  [
    'logger',
    [
      ['Home', '/'],
      ['Machines', '/lmb-logging/'],
      ['Organisatie Codes', '/organization/'],
      ['Mijn account', '/account/'],
    ],
  ],
  [
    'user',
    [
      ['Home', '/'],
      ['Machines', '/machine/'],
      ['Organisatie Codes', '/organization/'],
      ['Mijn account', '/account/'],
    ],
  ],
])('APP-06 13.6a settings menu of %s', (role, expected) => {
  expect(settingsMenu(role).map(({ label, to }) => [label, to])).toEqual(expected);
});
