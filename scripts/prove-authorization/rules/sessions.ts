import { proved, type Rule } from '../rule.ts';

const NOT_TOLD = 'changes.onSession(() => ⟦remembered.clear()→undefined⟧);';
const OF_ANY_ACCOUNT = `from session s ⟦→left⟧ join account a on a.id = s.account_id ⟦→left⟧ join organization o on o.id = a.organization_id
  where \${which} and \${LIVES} and ⟦o.is_active→coalesce(o.is_active, true)⟧`;
const uncounted = (kind: 'login' | 'register' | 'reset') =>
  `const tries = ⟦await countTries(pool, device, request, '${kind}', email)→{ by: undefined, succeeded: async () => {} }⟧;`;

/** Who somebody is: sessions, sign-in, cookies, and how often one may try. */
export const sessions: readonly Rule[] = [
  ...proved('auth.pg.test.ts', {
    'session: it ends by its age': 'LIVES = `⟦s.expires_at > now() and⟧ s.last_used_at',
    'session: it ends with its organization, and does not come back with it':
      'when (⟦old.is_active and not new.is_active→false⟧)',
    'session: it goes with its account': {
      out: 'account_id integer not null ⟦references account on delete cascade⟧, created_at timestamptz not null default now(), expires_at',
      hiding: OF_ANY_ACCOUNT,
    },
    'session: a change is told and forgotten at once': NOT_TOLD,
    'session: only the hash of its token is stored': [
      "MAX_REMEMBERED = 10_000; const hashOf = (token: string): Buffer => ⟦createHash('sha256').update(token).digest()→Buffer.from(token)⟧;",
      "⟦hash('sha256', token, 'base64')→Buffer.from(token).toString('base64')⟧",
    ],
    'sign-in: not into a disabled organization': 'and a.password_hash = $3 ⟦and o.is_active⟧ for share',
    'sign-in: not with a password that was replaced meanwhile':
      'and a.id = $2 and ⟦a.password_hash = $3→$3::text is not null⟧ and o.is_active',
    'sign-in: with the right password':
      'if (⟦!(await passwordMatches(account?.passwordHash, body.password, tries.by)) ||⟧ !account) {',
    'sign-in: the session that the browser had ends':
      '⟦if (before !== undefined) await sessions.end(before);⟧',
    'sign-out: ends the session on the server': '⟦if (token !== undefined) await sessions.end(token);⟧',
    'cookie: no script reads it': 'httpOnly: ⟦true→false⟧',
    'cookie: no other site sends it': "sameSite: '⟦strict→none⟧'",
    'cookie: over https it stays on https': "'strict', secure⟦→: false⟧ } as const",
  }),
  ...proved('cache-age.pg.test.ts', {
    'session: none of a disabled organization': `where \${which} and \${LIVES} ⟦and o.is_active⟧`,
    'session: who it is of is remembered for 5 s at most': 'known ⟦&& at - known.at < CACHE_MAX_AGE_MS⟧',
  }),
  ...proved('live.pg.test.ts > a session that ends', {
    'session: signing out ends it for this process at once': {
      out: "⟦remembered.delete(hashOf(token).toString('base64'));⟧",
      hiding: NOT_TOLD,
    },
  }),
  ...proved('account.pg.test.ts', {
    'session: it ends when it is not used': `now() ⟦and s.last_used_at > now() - make_interval(hours =>
      case o.name when '\${ADMIN_ORGANIZATION}' then \${UNUSED_HOURS.admin} else \${UNUSED_HOURS.others} end)⟧`,
    'session: in admin sooner': `case o.name when '⟦\${ADMIN_ORGANIZATION}→nobody⟧' then`,
    'session: a use lets it live on': '⟦if (found?.isUseOld) use.note(found.sessionId, visitor);⟧',
    'session: somebody ends their own only': `\`delete from session where ⟦account_id = $1→$1::integer is not null⟧ and \${which}\``,
    'session: somebody sees their own only': `where ⟦s.account_id = $1→$1::integer is not null⟧ and \${LIVES} order`,
    'session: a proof gives it a new token':
      "'update session set token_hash = ⟦$2→coalesce(token_hash, $2)⟧, proved_at = now() where token_hash = $1'",
    'proof: it is good for ten minutes': 's.proved_at > now() - make_interval(mins => ⟦$2→$2 + 1000⟧) as',
    'proof: with the very password':
      'return ⟦(await passwordMatches(passwordHash, password))→true⟧ ? undefined',
    'proof: guesses are counted': '⟦await countTry(pool, [{ key, tries: TRIES }]);⟧',
    'own data: the subscriptions of the caller': 'and ⟦r.account_id = $3→$3::integer is not null⟧ order by',
    'own data: subscriptions to what the caller may see':
      "order by lower(s.alias), s.serial`, [...seenBy(⟦scope→{ organizations: 'all', actions: scope.actions }⟧, ['machine']), accountId]",
    'own data: the sessions of the caller': `where ⟦a.id = $1→$1::integer is not null⟧ and \${LIVES} order by s.last_used_at desc`,
    'own data: the log about the caller':
      'from audit where ⟦actor_id = $1 or account_id = $1→$1::integer is not null⟧ order by id desc',
  }),
  ...proved('users.pg.test.ts', {
    'session: it ends when its account moves to another organization':
      'when (⟦old.organization_id <> new.organization_id or⟧ old.password_hash',
  }),
  ...proved('password-reset.pg.test.ts', {
    'session: all of an account end with a new password':
      'new.organization_id ⟦or old.password_hash <> new.password_hash⟧ or old.role',
    'tries: mails with a code are counted': "⟦await countTries(pool, device, request, 'forgot', email);⟧",
    'tries: of reset codes are counted': uncounted('reset'),
  }),
  ...proved('registration.pg.test.ts', {
    'tries: of organization codes are counted': uncounted('register'),
  }),
  ...proved('login-limits.pg.test.ts', {
    'tries: of passwords are counted': uncounted('login'),
    'tries: only a browser that signed in before is known':
      'token !== undefined ⟦&& (await isKnownDevice(db, token, email))⟧',
    'tries: whose account many guess at has strangers wait': '⟦await wait(SLOW_MS);⟧',
    'tries: and leaves each address few': '⟦if (ofOwn > FEW) throw tooManyTries();⟧',
    'tries: a success is no guess': '⟦await returnTry(db, shared);⟧',
    'tries: a port makes no other address': "'⟦$1$2→$&⟧');",
    'tries: a browser is known for its own account only':
      'where ⟦lower(a.email) = $1→$1::text is not null⟧ and k.token_hash = $2',
  }),
];
