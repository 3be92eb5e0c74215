import { proved, type Rule } from '../rule.ts';

const NOT_LEFT = 'if (left ⟦!== undefined→=== ""⟧) {';

/** Of a code or link, by who comes second. */
const ONCE = "'update password_reset set used_at = now() where id = $1 ⟦and used_at is null⟧'";
const ALL_USED =
  "'update password_reset set used_at = now() where account_id = $1 ⟦and used_at is null→and false⟧'";
const TOLD_TO_ANYBODY = `⟦if (!reset) throw wrongGuess(invalid(WRONG_CODE));→const anybody = (await pool.query('select id from account where lower(email) = $1', [email])).rows[0];
  await requireNewPassword(newPassword, await knownOf(pool, anybody.id));
  if (!reset) throw wrongGuess(invalid(WRONG_CODE));⟧`;

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
  ...proved('password-reset.pg.test.ts > a code|wrong code|one code|the mailed code|browser that knew', {
    'reset: a code is good for 10 minutes': 'p.used_at is null ⟦and p.code_until > now()⟧ and p.tries_left',
    'reset: a code takes five tries': '⟦and p.tries_left > 0⟧ order by',
    'reset: with the very code': 'rows.find(({ codeHash }) => ⟦timingSafeEqual(codeHash, typed)→true⟧)',
    'reset: a code works once': {
      out: 'and ⟦p.used_at is null→true⟧ and p.code_until',
      hiding: ONCE,
    },
    "reset: a code is its own account's": {
      out: 'join account a on a.id = p.account_id where ⟦lower(a.email) = $1→$1::text is not null⟧ and p.used_at',
      hiding: "createHash('sha256').update(⟦email→''⟧).digest().subarray(0, 16)",
    },
    'reset: browsers that knew the old password are strangers again':
      '⟦await forgetDevices(client, accountId);⟧',
  }),
  ...proved('password-reset.pg.test.ts > who has no account', {
    'reset: no mail for a disabled organization':
      'where lower(a.email) = $1 ⟦and o.is_active⟧ for no key update of a',
  }),
  ...proved('reset-link.pg.test.ts', {
    'reset: a link is good for 30 minutes': 'if (⟦!link.isOpen→false⟧) throw wrongGuess(invalid(ENDED)',
    'reset: a link works once': {
      out: 'if (⟦link.isUsed→false⟧) throw wrongGuess(invalid(USED)',
      hiding: ONCE,
    },
    'reset: a link used twice at the same time works once': ONCE,
    'reset: whichever is used ends the others': ALL_USED,
    'reset: five mails are the most that strangers can ask for':
      'where account_id = $2 and id <> $1 and used_at is null and link_until > now() and is_handed_over = $9 ) ⟦< $8→< $8 + 100⟧',
    'reset: of which organization an account is, is told to who has the code': TOLD_TO_ANYBODY,
  }),
  ...proved('change-password.pg.test.ts', {
    'password: changed by who knows the present one':
      '⟦if (!(await passwordMatches(rows[0]?.passwordHash, present)))→if (!rows[0])⟧ throw',
    'password: guesses of the present one are counted':
      '⟦await countTry(pool, [{ key: tries, tries: TRIES }]);⟧',
    'password: other browsers are strangers again': '⟦await forgetDevices(client, accountId, device);⟧',
    'password: what was mailed before is void': ALL_USED,
  }),
  ...proved('first-password.pg.test.ts', {
    'a made-up password opens nothing but choosing another':
      '⟦if (!endpoint.duringPasswordChange) throw passwordChangeRequired();⟧',
    'a made-up password: nor the map tiles':
      '⟦if (visitor.mustChangePassword) throw passwordChangeRequired();⟧',
    'a made-up password: the first start makes its administrator choose':
      '⟦settings.ADMIN_PASSWORD === undefined→false⟧], );',
  }),
  ...proved('users.pg.test.ts', {
    'users: the last administrator is not deleted':
      '⟦await keepSomebody(client, caller, user);⟧ // A limited',
    'users: the last administrator is not moved':
      '⟦await keepSomebody(client, caller, user);⟧ const role = usualRole',
    'users: the last administrator keeps the role':
      "⟦await keepSomebody(client, caller, user);⟧ await client.query('update account set role = $2 where",
    'users: a beheerder sees to its own people only':
      'account a join organization o on o.id = a.organization_id where ($1::integer[] is null or ⟦o.id = any ($1)→true⟧)`;',
    'users: only the first account of an organization becomes beheerder by itself':
      'const isFirst = ⟦!hadAccount &&⟧ name !== ADMIN_ORGANIZATION;',
    'users: a role is one of the organization': 'if (⟦!rolesIn(user.organization).includes(role)→false⟧)',
  }),
  ...proved('removing-each-other.pg.test.ts', {
    'users: changes of people are serialized':
      "⟦await client.query('select from organization where name = $1 for no key update', [ADMIN_ORGANIZATION]);⟧",
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
