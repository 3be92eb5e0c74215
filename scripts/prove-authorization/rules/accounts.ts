import type { Rule } from '../rule.ts';

const REGISTRATION = 'src/server/auth/registration.ts';
const RESETS = 'src/server/auth/password-resets.ts';
const USERS = 'src/server/users/users.store.ts';
const ORGANIZATIONS = 'src/server/organizations/organization-changes.ts';
const NAMES = 'src/shared/domain/organization-name.ts';

const REGISTRATION_TEST = ['src/server/auth/registration.pg.test.ts'];
const RESET_TEST = ['src/server/auth/password-reset.pg.test.ts'];
const USERS_TEST = ['src/server/users/users.pg.test.ts'];
const ORGANIZATIONS_TEST = ['src/server/organizations/organizations.pg.test.ts'];

const LAST_ADMINISTRATOR = 'await keepAnAdministrator(client, user);';

/** How one becomes somebody: registration, password reset, users and organizations. */
export const accounts: readonly Rule[] = [
  {
    rule: 'registration: never into admin',
    out: [[REGISTRATION, 'and name <> $2 for share', 'and $2::text is not null for share']],
    tests: REGISTRATION_TEST,
  },
  {
    rule: 'registration: not into a disabled organization',
    out: [[REGISTRATION, 'and is_active and name <> $2', 'and name <> $2']],
    tests: REGISTRATION_TEST,
  },
  {
    rule: 'registration: with the code of an organization',
    out: [[REGISTRATION, "where upper(translate(code, ' -', '')) = $1", 'where $1::text is not null']],
    tests: REGISTRATION_TEST,
  },
  {
    rule: 'registration: never over an account that is there',
    out: [
      [
        REGISTRATION,
        'on conflict ((lower(email))) do nothing',
        'on conflict ((lower(email))) do update set password_hash = excluded.password_hash',
      ],
    ],
    tests: REGISTRATION_TEST,
  },
  {
    rule: 'reset: a code is good for 30 minutes',
    out: [[RESETS, 'and p.expires_at > now() and', 'and']],
    tests: RESET_TEST,
  },
  { rule: 'reset: a code takes five tries', out: [[RESETS, ' and p.tries_left > 0', '']], tests: RESET_TEST },
  {
    rule: 'reset: with the very code',
    out: [[RESETS, 'if (!matches || !reset', 'if (!reset']],
    tests: RESET_TEST,
  },
  {
    rule: 'reset: a code works once',
    out: [[RESETS, 'if (rowCount !== 1) return false;', '']],
    tests: RESET_TEST,
  },
  {
    rule: "reset: a code is its own account's",
    out: [
      [
        RESETS,
        'where a.id = p.account_id and lower(a.email) = $1',
        'where a.id = p.account_id and $1::text is not null',
      ],
    ],
    tests: RESET_TEST,
  },
  {
    rule: 'reset: no code for a disabled organization',
    out: [[RESETS, 'where lower(a.email) = $1 and o.is_active`', 'where lower(a.email) = $1`']],
    tests: RESET_TEST,
  },
  {
    rule: 'reset: browsers that knew the old password are strangers again',
    out: [[RESETS, 'await forgetDevices(client, accountId);', '']],
    tests: RESET_TEST,
  },
  {
    rule: 'users: the last administrator is not deleted',
    out: [[USERS, `${LAST_ADMINISTRATOR}\n    await client.query('delete`, "await client.query('delete"]],
    tests: USERS_TEST,
  },
  {
    rule: 'users: the last administrator is not moved',
    out: [[USERS, `${LAST_ADMINISTRATOR}\n    await client.query('update`, "await client.query('update"]],
    tests: USERS_TEST,
  },
  {
    rule: 'users: two administrators take turns',
    out: [
      [
        USERS,
        `await lockOrganization(client, ADMIN_ORGANIZATION);\n    const user = await findUser(client, email);\n    ${LAST_ADMINISTRATOR}`,
        `const user = await findUser(client, email);\n    ${LAST_ADMINISTRATOR}`,
      ],
    ],
    tests: USERS_TEST,
  },
  {
    rule: 'organizations: one sees its own only',
    out: [
      [
        'src/server/organizations/organizations.store.ts',
        'where ($1::integer[] is null or id = any ($1)) and',
        'where ($1::integer[] is null or true) and',
      ],
    ],
    tests: ['src/server/test/security/principals/principals.pg.test.ts'],
    only: 'GET /api/organization/get',
  },
  {
    rule: 'organizations: none is called like admin',
    out: [
      [
        NAMES,
        "2 tot 64 tekens lang zijn.');\n  }\n  return isReservedOrganizationName(value) ?",
        "2 tot 64 tekens lang zijn.');\n  }\n  return value === '' ?",
      ],
    ],
    tests: ORGANIZATIONS_TEST,
  },
  {
    rule: 'organizations: none is shown like admin',
    out: [
      [
        NAMES,
        "1 tot 100 tekens lang zijn.');\n  return isReservedOrganizationName(value) ?",
        "1 tot 100 tekens lang zijn.');\n  return value === '' ?",
      ],
    ],
    tests: ORGANIZATIONS_TEST,
  },
  {
    rule: 'organizations: admin is not disabled',
    out: [
      [
        ORGANIZATIONS,
        "if (name === ADMIN_ORGANIZATION) throw conflict('De organisatie van de beheerders kan niet uit.');",
        '',
      ],
    ],
    tests: ORGANIZATIONS_TEST,
  },
  {
    rule: 'organizations: admin is not deleted',
    out: [
      [
        ORGANIZATIONS,
        "if (name === ADMIN_ORGANIZATION)\n      throw conflict('De organisatie van de beheerders kan niet worden verwijderd.');",
        '',
      ],
    ],
    hiding: [[ORGANIZATIONS, 'if (left !== undefined) {', "if (left === '') {"]],
    tests: ORGANIZATIONS_TEST,
  },
  {
    rule: 'organizations: what history hangs on is not deleted',
    out: [[ORGANIZATIONS, 'if (left !== undefined) {', "if (left === '') {"]],
    tests: ORGANIZATIONS_TEST,
  },
];
