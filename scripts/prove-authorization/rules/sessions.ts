import type { Edit, Rule } from '../rule.ts';

const SESSIONS = 'src/server/auth/sessions.ts';
const ROUTES = 'src/server/auth/auth.routes.ts';
const COOKIES = 'src/server/auth/cookies.ts';
const TRIES = 'src/server/auth/tries.ts';
const TRIGGERS = 'src/server/auth/sql/end-sessions.sql';

const AUTH_TEST = ['src/server/auth/auth.pg.test.ts'];
const AGE_TEST = ['src/server/security/principals/cache-age.pg.test.ts'];
const LIMITS_TEST = ['src/server/auth/login-limits.pg.test.ts'];
const REGISTRATION_TEST = ['src/server/auth/registration.pg.test.ts'];
const RESET_TEST = ['src/server/auth/password-reset.pg.test.ts'];
const USERS_TEST = ['src/server/users/users.pg.test.ts'];

const FIND = 'where s.token_hash = $1 and s.expires_at > now() and o.is_active';
const CREATE = 'where a.id = $2 and a.password_hash = $3 and o.is_active for share';
const ANY_ACCOUNT: Edit = [
  SESSIONS,
  `from session s join account a on a.id = s.account_id join organization o on o.id = a.organization_id
         where s.token_hash = $1 and s.expires_at > now() and o.is_active`,
  `from session s left join account a on a.id = s.account_id left join organization o on o.id = a.organization_id
         where s.token_hash = $1 and s.expires_at > now() and coalesce(o.is_active, true)`,
];
const NOT_TOLD: Edit = [SESSIONS, 'generation += 1;\n    remembered.clear();', ''];
const COOKIE = "const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;";

/** Who somebody is: sessions, sign-in, cookies, and how often one may try. */
export const sessions: readonly Rule[] = [
  {
    rule: 'session: it ends by its age',
    out: [[SESSIONS, FIND, 'where s.token_hash = $1 and o.is_active']],
    tests: AUTH_TEST,
  },
  {
    rule: 'session: none of a disabled organization',
    out: [[SESSIONS, FIND, 'where s.token_hash = $1 and s.expires_at > now()']],
    tests: AGE_TEST,
  },
  {
    rule: 'session: it ends with its organization, and does not come back with it',
    out: [[TRIGGERS, 'when (old.is_active and not new.is_active)', 'when (false)']],
    tests: AUTH_TEST,
  },
  {
    rule: 'session: it goes with its account',
    out: [
      [
        'migrations/0001-accounts.sql',
        'account_id integer not null references account on delete cascade,\n  created_at timestamptz not null default now(),\n  expires_at',
        'account_id integer not null,\n  created_at timestamptz not null default now(),\n  expires_at',
      ],
    ],
    hiding: [ANY_ACCOUNT],
    tests: AUTH_TEST,
  },
  {
    rule: 'session: it ends when its account moves to another organization',
    out: [
      [
        TRIGGERS,
        'when (old.organization_id <> new.organization_id or old.password_hash <> new.password_hash)',
        'when (old.password_hash <> new.password_hash)',
      ],
    ],
    tests: USERS_TEST,
  },
  {
    rule: 'session: all of an account end with a new password',
    out: [
      [
        TRIGGERS,
        'when (old.organization_id <> new.organization_id or old.password_hash <> new.password_hash)',
        'when (old.organization_id <> new.organization_id)',
      ],
    ],
    tests: RESET_TEST,
  },
  {
    rule: 'session: who it is of is remembered for 5 s at most',
    out: [[SESSIONS, 'known && at - known.at < CACHE_MAX_AGE_MS', 'known']],
    tests: AGE_TEST,
  },
  {
    rule: 'session: who it is of is remembered for 5 s at most, where that is asked at once',
    out: [
      [
        SESSIONS,
        'return known && performance.now() - known.at < CACHE_MAX_AGE_MS ? known.caller : undefined;',
        'return known?.caller;',
      ],
    ],
    tests: AGE_TEST,
  },
  {
    rule: 'session: a change is told and forgotten at once',
    out: [NOT_TOLD],
    tests: AUTH_TEST,
  },
  {
    rule: 'session: signing out ends it for this process at once',
    out: [[SESSIONS, "remembered.delete(hashOf(token).toString('base64'));", '']],
    hiding: [NOT_TOLD],
    tests: ['src/server/live/live-handler.pg.test.ts'],
  },
  {
    rule: 'session: only the hash of its token is stored',
    out: [
      [SESSIONS, "createHash('sha256').update(token).digest()", 'Buffer.from(token)'],
      [SESSIONS, "hash('sha256', token, 'base64')", "Buffer.from(token).toString('base64')"],
    ],
    tests: AUTH_TEST,
  },
  {
    rule: 'sign-in: not into a disabled organization',
    out: [[SESSIONS, CREATE, 'where a.id = $2 and a.password_hash = $3 for share']],
    tests: AUTH_TEST,
  },
  {
    rule: 'sign-in: not with a password that was replaced meanwhile',
    out: [[SESSIONS, CREATE, 'where a.id = $2 and $3::text is not null and o.is_active for share']],
    tests: AUTH_TEST,
  },
  {
    rule: 'sign-in: with the right password',
    out: [
      [
        ROUTES,
        'if (!(await passwordMatches(account?.passwordHash, body.password)) || !account) {',
        'if (!account) {',
      ],
    ],
    tests: AUTH_TEST,
  },
  {
    rule: 'sign-in: the session that the browser had ends',
    out: [[ROUTES, 'if (before !== undefined) await sessions.end(before);', '']],
    tests: AUTH_TEST,
  },
  {
    rule: 'sign-out: ends the session on the server',
    out: [
      [
        ROUTES,
        'if (token !== undefined) await sessions.end(token);\n    session.clear(reply);',
        'void token;\n    session.clear(reply);',
      ],
    ],
    tests: AUTH_TEST,
  },
  {
    rule: 'cookie: no script reads it',
    out: [[COOKIES, COOKIE, COOKIE.replace('httpOnly: true', 'httpOnly: false')]],
    tests: AUTH_TEST,
  },
  {
    rule: 'cookie: no other site sends it',
    out: [[COOKIES, COOKIE, COOKIE.replace("'strict'", "'none'")]],
    tests: AUTH_TEST,
  },
  {
    rule: 'cookie: over https it stays on https',
    out: [[COOKIES, COOKIE, COOKIE.replace('secure }', 'secure: false }')]],
    tests: AUTH_TEST,
  },
  {
    rule: 'tries: of passwords are counted',
    out: [
      [
        ROUTES,
        "await countTries(pool, device, request, 'login', email, LOGIN)",
        '{ succeeded: async () => {} }',
      ],
    ],
    tests: LIMITS_TEST,
  },
  {
    rule: 'tries: of organization codes are counted',
    out: [
      [
        ROUTES,
        "await countTries(pool, device, request, 'register', email, REGISTER)",
        '{ succeeded: async () => {} }',
      ],
    ],
    tests: REGISTRATION_TEST,
  },
  {
    rule: 'tries: mails with a code are counted',
    out: [[ROUTES, "await countTries(pool, device, request, 'forgot', email, FORGOT);", '']],
    tests: RESET_TEST,
  },
  {
    rule: 'tries: of reset codes are counted',
    out: [
      [
        ROUTES,
        "await countTries(pool, device, request, 'reset', email, RESET)",
        '{ succeeded: async () => {} }',
      ],
    ],
    tests: RESET_TEST,
  },
  {
    rule: 'tries: only a browser that signed in before is known',
    out: [[TRIES, 'token !== undefined && (await isKnownDevice(db, token, email))', 'token !== undefined']],
    tests: LIMITS_TEST,
  },
  {
    rule: 'tries: a browser is known for its own account only',
    out: [
      [
        'src/server/auth/known-devices.ts',
        'where lower(a.email) = $1 and k.token_hash = $2',
        'where $1::text is not null and k.token_hash = $2',
      ],
    ],
    tests: LIMITS_TEST,
  },
];
