import { expect, test } from 'vitest';
import type { Member } from '#shared/domain/access.ts';
import { dailyPages, settingsMenu } from './menu.ts';

const ADMIN = { organization: 'admin', isLmbCustomer: false } as const;
const BOUW = { organization: 'bouw', isLmbCustomer: false } as const;
const SPOOR = { organization: 'spoor', isLmbCustomer: true } as const;

const HOME = ['Home', '/'] as const;
const OVERVIEW = ['Overzicht', '/overzicht'] as const;
const ALERTS = ['Meldingen', '/meldingen'] as const;
const MACHINES = ['Machines', '/machine/'] as const;
const CODES = ['Organisatie Codes', '/organization/'] as const;
const USERS = ['Gebruikers', '/Users/'] as const;
const LOG = ['Logboek', '/logboek'] as const;
const PROJECTS = ['Projecten', '/projecten'] as const;
const MAINTENANCE = ['Onderhoud', '/onderhoud'] as const;
const REPORTS = ['Rapporten', '/rapporten'] as const;
const BACK = ['Teruggeleverde energie', '/test'] as const;
const ACCOUNT = ['Mijn account', '/account/'] as const;

test.each<[Member, (readonly [string, string])[]]>([
  [
    { ...ADMIN, role: 'administrator' },
    [
      HOME,
      OVERVIEW,
      ALERTS,
      MACHINES,
      ['LMB Logging', '/lmb-logging/'],
      CODES,
      USERS,
      LOG,
      PROJECTS,
      MAINTENANCE,
      REPORTS,
      BACK,
      ACCOUNT,
    ],
  ],
  [
    { ...ADMIN, role: 'technicus' },
    [
      HOME,
      OVERVIEW,
      ALERTS,
      MACHINES,
      ['LMB Logging', '/lmb-logging/'],
      CODES,
      PROJECTS,
      MAINTENANCE,
      REPORTS,
      BACK,
      ACCOUNT,
    ],
  ],
  [
    { ...SPOOR, role: 'beheerder' },
    [
      HOME,
      ['Machines', '/lmb-logging/'],
      CODES,
      USERS,
      LOG,
      ['Instellingen organisatie', '/organization/spoor'],
      ['Werkweek', '/organization/spoor/werkweek'],
      BACK,
      ACCOUNT,
    ],
  ],
  [{ ...SPOOR, role: 'gebruiker' }, [HOME, ['Machines', '/lmb-logging/'], CODES, BACK, ACCOUNT]],
  [
    { ...BOUW, role: 'beheerder' },
    [
      HOME,
      OVERVIEW,
      ALERTS,
      MACHINES,
      CODES,
      USERS,
      LOG,
      ['Instellingen organisatie', '/organization/bouw'],
      ['Werkweek', '/organization/bouw/werkweek'],
      PROJECTS,
      MAINTENANCE,
      REPORTS,
      BACK,
      ACCOUNT,
    ],
  ],
  [
    { ...BOUW, role: 'gebruiker' },
    [HOME, OVERVIEW, ALERTS, MACHINES, CODES, PROJECTS, MAINTENANCE, REPORTS, BACK, ACCOUNT],
  ],
  [
    { ...BOUW, role: 'kijker' },
    [HOME, OVERVIEW, ALERTS, MACHINES, CODES, PROJECTS, MAINTENANCE, REPORTS, BACK, ACCOUNT],
  ],
])(
  'the settings menu has the pages that a user may open, in order, for the user %j (APP-06, 13.6a, 15.1f, 15.7d, 16.1c, 16.8a)',
  (member, expected) => {
    expect(settingsMenu(member).map(({ label, to }) => [label, to])).toEqual(expected);
  },
);

const MAP = ['Kaart', '/'] as const;

test.each<[Member, (readonly [string, string])[]]>([
  [{ ...BOUW, role: 'kijker' }, [OVERVIEW, MAP, PROJECTS, REPORTS]],
  [{ ...SPOOR, role: 'gebruiker' }, [MAP, ['Machines', '/lmb-logging/']]],
  [{ ...ADMIN, role: 'administrator' }, [OVERVIEW, MAP, ['LMB Logging', '/lmb-logging/'], PROJECTS, REPORTS]],
])('the header of a wide screen shows the daily pages of %j (53.26)', (member, expected) => {
  expect(dailyPages(member).map(({ label, to }) => [label, to])).toEqual(expected);
});
