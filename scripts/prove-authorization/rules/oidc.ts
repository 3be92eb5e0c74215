import { proved, type Rule } from '../rule.ts';

/** Signing in by an organization's own provider, and where the portal goes for it. */
export const oidc: readonly Rule[] = [
  ...proved('oidc-sign-in.pg.test.ts > 13.5b', {
    'oidc: a way back is of the cookie that began it':
      'where ⟦t.token_hash = $1→$1::bytea is not null⟧ and t.state = $2',
    'oidc: a way back has the state of its start':
      'and ⟦t.state = $2→$2::text is not null⟧ and o.id = t.organization_id',
    'oidc: a way back is of its own provider':
      'and o.id = t.organization_id and ⟦o.name = $3→$3::text is not null⟧',
    'oidc: a way back takes ten minutes at most': 't.session_hash ⟦where t.expires_at > now()⟧`',
    'oidc: a way back is good for once':
      'with taken as ( ⟦delete from oidc_attempt t using→select t.* from oidc_attempt t,⟧ organization o where t.token_hash = $1 and t.state = $2 and o.id = t.organization_id and o.name = $3 ⟦returning t.*⟧ )',
  }),
  ...proved('oidc-sign-in.pg.test.ts > 13.5c', {
    'oidc: only a confirmed address counts': 'return ⟦isConfirmed &&⟧ typeof told.email',
    'oidc: an address is of the domain':
      "if (existing ⟦|| domainOf(email) !== provider.domain⟧) return { outcome: 'elsewhere' };",
    'oidc: an account of another organization is left alone':
      'if (⟦existing?.organizationId === provider.organizationId→existing⟧) return { unlinked',
  }),
  ...proved('oidc-sign-in.pg.test.ts > 13.5d', {
    'oidc: the nonce of the start': 'expectedNonce: ⟦nonce→undefined as never⟧,',
    'oidc: signed with a key of the provider': '⟦enableNonRepudiationChecks(configuration);⟧',
  }),
  ...proved('oidc-sign-in.pg.test.ts > 13.5e', {
    'oidc: nobody comes new into a disabled organization':
      "'select registration from organization where id = $1 ⟦and is_active⟧ for no key update'",
    'oidc: an account is of the organization of the provider':
      'return ⟦known.organizationId === provider.organizationId→true⟧ ?',
    'oidc: who is moved is not known any more':
      'begin ⟦delete from account_identity where account_id = new.id;⟧',
  }),
  ...proved('oidc-accounts.pg.test.ts > 13.5f', {
    'oidc: an account of before is linked by its password':
      "if (⟦!(await passwordMatches(arrival.passwordHash, body.password, tries.by))→false⟧) throw wrongGuess( new ProblemError('bad_credentials', 'Dit is niet",
    'oidc: guesses of it are counted':
      "⟦const tries = await countTries(pool, device, request, 'login', arrival.email).catch(guessOf(arrival));→const tries = { succeeded: async () => {} };⟧",
    'oidc: an identity is of one account': 'unique (⟦issuer, subject→account_id⟧)',
    'oidc: who signs out links nothing':
      'session_hash bytea references session on delete ⟦cascade→set null⟧ on update',
  }),
  ...proved('oidc-accounts.pg.test.ts > 13.5g', {
    "oidc: 'alleen zo' takes no password": '⟦await requireLocalSignIn(pool, account.accountId);⟧ const',
    "oidc: 'alleen zo' takes no code": '⟦if (organization.isOnlyOidc) throw forbidden(NO_CODE_NEEDED);⟧',
    "oidc: 'alleen zo' keeps who is linked":
      "if (⟦provider?.isOnly→false⟧) throw new ProblemError( 'conflict', 'Je organisatie laat alleen zo",
  }),
  ...proved('oidc-settings.pg.test.ts', {
    'oidc: a stored secret is for its own provider':
      'else if (⟦body.clientSecret === undefined && before && !isSame(before.issuer, body.issuer)→false⟧)',
    'oidc: a domain is of one organization': 'domain text not null ⟦unique⟧,',
    "oidc: who is not linked turns 'alleen zo' not on": ['if (⟦identity?.issuer !== provider.issuer→false⟧)'],
    'oidc: a beheerder is no administrator':
      'if (body.isOnly && ⟦caller.organization !== ADMIN_ORGANIZATION→false⟧)',
    "oidc: administrators are never 'alleen zo'":
      "if (⟦name === ADMIN_ORGANIZATION→false⟧) throw new ProblemError( 'conflict', 'Beheerders van het portaal",
    'oidc: nobody comes new into admin':
      "⟦if (provider.organization === ADMIN_ORGANIZATION) return { outcome: 'uninvited' };⟧",
    'oidc: settings are of the scope': 'if (!rows[0] || ⟦!covers(scope, rows[0].id)→false⟧) throw notFound',
  }),
  ...proved('oidc-newcomers.pg.test.ts > 13.5l', {
    'oidc new: where only invitations count nobody else comes':
      "⟦if (rows[0].registration === 'invitation') return { outcome: 'uninvited' };⟧",
    'oidc new: who was deleted does not come back':
      "⟦if (await hasDeparted(client, secrets, organizationId, email)) return { outcome: 'departed' };⟧",
  }),
  ...proved('oidc-newcomers.pg.test.ts > 13.5m', {
    'oidc invited: an invitation is good once, for its time, unless it is revoked':
      'if (⟦!offer || offer.endedAs !== null || offer.isOver→!offer⟧)',
    'oidc invited: nobody comes into a disabled organization':
      "⟦if (!offer.isActive) return { outcome: 'disabled' };⟧",
    'oidc invited: nobody whom the provider knows by another address':
      "⟦if (claims.email !== undefined && claims.email.toLowerCase() !== email.toLowerCase()) return { outcome: 'other' };⟧",
    'oidc invited: an account of another organization is left alone':
      'return ⟦existing?.organizationId === organizationId→existing⟧ ?',
    "oidc invited: 'alleen zo' takes no password":
      'if (⟦offer.isOnlyOidc→false⟧) throw wrongGuess(forbidden(ONLY_OIDC)',
  }),
  ...proved('outbound.test.ts', {
    'way out: every address of a name is public':
      'if (⟦!found.every((address) => allow.mayConnect(url, address))→false⟧)',
    'way out: https only': "if (⟦url.protocol !== 'https:'→false⟧) return 'not https';",
    'way out: port 443 only': "return ⟦url.port === ''→true⟧ ? undefined : 'a port",
    'way out: connects to what was checked': '⟦lookup: lookupOf(addresses),⟧',
    'way out: no certificate of another name': '⟦rejectUnauthorized: true,⟧',
  }),
];
