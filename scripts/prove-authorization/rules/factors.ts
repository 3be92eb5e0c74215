import { proved, type Rule } from '../rule.ts';

/** The second factor: at sign-in, where it is obligatory, one's own, and who may take it away. */
export const factors: readonly Rule[] = [
  ...proved('second-factor.pg.test.ts > 13.4a', {
    'factor: the password alone is not enough for who has one':
      'if (⟦kinds.length === 0→true⟧) return false;',
    'factor: what is being added is of who began it': 'isKind !== kind ⟦|| isAccount !== accountId⟧ ||',
    'factor: what is being added is added within 10 minutes': "'number' ⟦|| until < now⟧)",
  }),
  ...proved('second-factor.pg.test.ts > 13.4b', {
    'factor: a code of an app works once': 'where id = $1 ⟦and last_step < $2⟧',
  }),
  ...proved('second-factor.pg.test.ts > 13.4c', {
    'factor: five guesses per cookie': '⟦and s.tries_left > 0⟧ and a.id = s.account_id',
    'factor: guesses at an account are counted':
      "const tries = ⟦await countTries(pool, device, request, 'factor', email.toLowerCase()).catch( guessOf({ accountId }), )→{ succeeded: async () => {}, by: { name: '', isKnown: true, isGone: () => false } }⟧;",
    'factor: all strangers together have few guesses': 'perAddressAndAccount: 10⟦, perAccount: 20⟧ },',
  }),
  ...proved('second-factor.pg.test.ts > 13.4d', {
    'factor: no session is made without it':
      'where ($5 or ⟦not exists (select from factor f where f.account_id = a.id)→true⟧)',
    'factor: the second step is over after five minutes':
      "PENDING = 'token_hash = $1 ⟦and expires_at > now()⟧';",
    'factor: the second step is over once it was taken':
      '⟦await finishStep(token, known);⟧ const caller = await enter(parts, known, true, request, reply).catch(guessOf(known));',
  }),
  ...proved('second-factor.pg.test.ts > 13.4e', {
    'factor: a recovery code works once':
      "'⟦delete→select⟧ from recovery_code where account_id = $1 and code_hash = $2'",
  }),
  ...proved('second-factor.pg.test.ts > 13.4f', {
    'factor: one names and removes their own only':
      "'select kind, name from factor where id = $1 and ⟦account_id = $2→$2::integer is not null⟧ for update'",
  }),
  ...proved('passkeys.pg.test.ts > 13.4h', {
    'passkey: after a password only one of that account':
      'const isTheirs = passkey && ⟦(whose === null || whose === passkey.accountId)→true⟧;',
    'passkey: signed by its own key, for this portal and this challenge':
      'return ⟦answer?.verified ? answer.authenticationInfo.newCounter : undefined→9⟧;',
    'passkey: a challenge is answered once':
      'update sign_in_step s set challenge = ⟦null→s.challenge⟧ from asked',
  }),
  ...proved('passkeys.pg.test.ts > 13.6k', {
    'proof: a passkey of the caller': 'const whose = ⟦owner ?? asked.accountId→asked.accountId⟧;',
    'proof: a passkey that is right':
      "return ⟦'wrong' in taken ? WRONG_PASSKEY[taken.wrong] : undefined→undefined⟧;",
  }),
  ...proved('second-factor.pg.test.ts > 13.6k', {
    'proof: a code that is right and new': 'return ⟦(await takeCode(parts, caller, code, request))→true⟧ ?',
  }),
  ...proved('passkeys.pg.test.ts > 13.4i', {
    'passkey: one that was copied is refused':
      'disabled_at is null and (⟦counter < $2→$2::bigint is not null⟧ or counter = 0 and $2 = 0)',
    'passkey: one that is disabled lets nobody in': 'where id = $1 ⟦and disabled_at is null⟧ and (counter',
  }),
  ...proved('obligatory-factor.pg.test.ts > 13.4k', {
    'obligatory factor: without one a call is refused that sets none up':
      '⟦if (!endpoint.beforeFactor && gate.lacksFactor(caller)) throw factorMissing();⟧',
    'obligatory factor: no map tiles without one': '⟦if (lacksFactor(visitor)) throw factorMissing();⟧',
    'obligatory factor: no metrics without one': 'caller !== SCRAPER && ⟦gate.lacksFactor(caller)→false⟧,',
    'obligatory factor: a disabled passkey is none':
      'where f.account_id = a.id ⟦and f.disabled_at is null⟧) as "hasFactor"',
    'obligatory factor: by the choice of the organization':
      "`(⟦o.requires_second_factor→false⟧ or $${n} = 'all'",
    'obligatory factor: by the setting, of administrators': "= 'admin' and o.name ⟦=→<>⟧ '${A",
    'obligatory factor: the last one stays':
      '⟦if (isRequired && !others.some(({ isDisabled }) => !isDisabled))→if (false)⟧ throw',
    'factor rule: an organization inside the scope':
      'from organization o where ($1::integer[] is null or ⟦o.id = any ($1)→true⟧) and o.name = $2',
  }),
  ...proved('obligatory-factor.pg.test.ts > 13.4l', {
    'factor reset: of somebody inside the scope':
      'where ($1::integer[] is null or ⟦organization_id = any ($1)→true⟧) and lower(email)',
    'factor reset: not of an equal': '⟦if (!isAbove(role, user.role)) throw forbidden(EQUAL);⟧',
    'factor reset: ends the sessions': "'sign_in_step'⟦, 'session'⟧]",
  }),
];
