import { proved, type Rule } from '../rule.ts';

const NOT_LEFT = 'if (left ⟦!== undefined→=== ""⟧) {';

/** How one becomes somebody: registration, password reset, users and organizations. */
export const accounts: readonly Rule[] = [
  ...proved('registration.pg.test.ts', {
    'registration: never into admin':
      'and ⟦name <> $2→$2::text is not null⟧ for no key update`, [code, ADMIN_ORGANIZATION]',
    'registration: not into a disabled organization':
      "⟦and is_active⟧ and registration <> 'invitation' and name <> $2",
    'registration: with the code of an organization':
      "where ⟦upper(translate(code, ' -', '')) = $1→$1::text is not null⟧",
    'registration: never over an account that is there':
      'on conflict ((lower(email))) do ⟦nothing→update set password_hash = excluded.password_hash⟧',
  }),
  ...proved('password-reset.pg.test.ts', {
    'reset: a code is good for 30 minutes': '⟦and p.expires_at > now()⟧ and p.tries_left',
    'reset: a code takes five tries': '⟦and p.tries_left > 0⟧',
    'reset: with the very code': 'if (⟦!matches ||⟧ !reset',
    'reset: a code works once':
      "'delete from password_reset where account_id = $1 and code_hash = $2', [accountId, codeHash], ); ⟦if (rowCount !== 1) return false;⟧",
    "reset: a code is its own account's":
      'where a.id = p.account_id and ⟦lower(a.email) = $1→$1::text is not null⟧',
    'reset: no code for a disabled organization': 'where lower(a.email) = $1 ⟦and o.is_active⟧`',
    'reset: browsers that knew the old password are strangers again':
      '⟦await forgetDevices(client, accountId);⟧',
  }),
  ...proved('users.pg.test.ts', {
    'users: the last administrator is not deleted':
      '⟦await keepSomebody(client, caller, user);⟧ if (!mayReturn)',
    'users: the last administrator is not moved':
      '⟦await keepSomebody(client, caller, user);⟧ const role = usualRole',
    'users: the last administrator keeps the role':
      "⟦await keepSomebody(client, caller, user);⟧ await client.query('update account set role = $2 where",
    'users: two administrators take turns':
      '⟦await lockOrganization(client, ADMIN_ORGANIZATION);⟧ const { rows } = await client.query<User>(',
    'users: a beheerder sees to its own people only':
      'account a join organization o on o.id = a.organization_id where ($1::integer[] is null or ⟦o.id = any ($1)→true⟧)`;',
    'users: only the first account of an organization becomes beheerder by itself':
      'const isFirst = ⟦!hadAccount &&⟧ name !== ADMIN_ORGANIZATION;',
    'users: a role is one of the organization': 'if (⟦!rolesIn(user.organization).includes(role)→false⟧)',
  }),
  ...proved('principals.pg.test.ts > GET /api/organization/get', {
    'organizations: one sees its own only': 'where ($1::integer[] is null or ⟦id = any ($1)→true⟧) and',
  }),
  ...proved('organizations.pg.test.ts', {
    'organizations: none is called like admin':
      "2 tot 64 tekens lang zijn.`); } return ⟦isReservedOrganizationName(value)→value === ''⟧ ?",
    'organizations: none is shown like admin':
      "hoogstens 100 tekens lang zijn.`); return ⟦isReservedOrganizationName(value)→value === ''⟧ ?",
    'organizations: admin is not disabled':
      "⟦if (name === ADMIN_ORGANIZATION) throw conflict('De organisatie van de beheerders kan niet uit.');⟧",
    'organizations: admin is not deleted': {
      out: "⟦if (name === ADMIN_ORGANIZATION) throw conflict('De organisatie van de beheerders kan niet worden verwijderd.');⟧",
      hiding: NOT_LEFT,
    },
    'organizations: what history hangs on is not deleted': NOT_LEFT,
  }),
];
