import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfToken } from '#server/auth/password-resets.ts';
import { addApp, browser, codeAt } from '#server/auth/test/browser.ts';
import { invitationHash } from '#server/invitations/invitation-mails.ts';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { forgetRefusals } from '#server/test/audited.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { OIDC_OUTCOMES, type OidcOutcome, ONLY_OIDC } from '#shared/domain/oidc.ts';
import { findProviderOf } from './providers.store.ts';
import { openPartner, type Partner } from './test/partner.ts';

let partner: Partner;
let portal: TestPortal;
beforeAll(async () => {
  partner = await openPartner();
  portal = partner.portal;
});
afterAll(() => partner.close());
beforeEach(() => partner.calm());

const emailOf = async (cookie: string): Promise<string | undefined> =>
  (await portal.get('/api/auth/validate-token', cookie)).json().user?.email;
const accountsOf = async (email: string) =>
  (
    await portal.pool.query(
      `select o.name as organization, a.role, i.issuer, i.subject from account a
         join organization o on o.id = a.organization_id left join account_identity i on i.account_id = a.id
       where lower(a.email) = lower($1)`,
      [email],
    )
  ).rows;
const ends = (outcome: OidcOutcome, page = '/signin') => `http://localhost:3000${page}#oidc=${outcome}`;

describe('signing in by the organization', () => {
  test('13.5a a newcomer with a confirmed address of the domain gets an account as gebruiker, bound to issuer and subject', async () => {
    const { page, cookie } = await partner.signIn('nieuw');
    expect(page).toBe('http://localhost:3000/signin');
    expect(await emailOf(cookie)).toBe('nieuw@bedrijf.example');
    const { issuer } = partner.provider;
    expect(await accountsOf('nieuw@bedrijf.example')).toEqual([
      { organization: 'bedrijf', role: 'gebruiker', issuer, subject: 'nieuw' },
    ]);
    // Again, whatever the address is called by now: it is the subject that counts.
    partner.provider.people.set('nieuw', { email: 'getrouwd@elders.example', email_verified: false });
    const again = await partner.signIn('nieuw');
    expect(await emailOf(again.cookie)).toBe('nieuw@bedrijf.example');
    expect(await accountsOf('getrouwd@elders.example')).toEqual([]);
  });

  test('13.5a the first account of an organization is no beheerder by the word of a provider', async () => {
    const { rows } = await portal.pool.query(
      `select role from account where email = 'nieuw@bedrijf.example'`,
    );
    expect(rows).toEqual([{ role: 'gebruiker' }]);
  });

  test('13.5a the same subject at another issuer is another person', async () => {
    await portal.user('naamgenoot@elders.example', partner.id);
    await portal.pool.query(
      `insert into account_identity (account_id, issuer, subject)
       select id, 'https://elders.example', 'naamgenoot' from account where email = 'naamgenoot@elders.example'`,
    );
    const { cookie } = await partner.signIn('naamgenoot');
    expect(await emailOf(cookie)).toBe('naamgenoot@bedrijf.example');
  });

  test('13.5b the cookie is Lax, for ten minutes, and says nothing; PKCE, state and nonce go along', async () => {
    const { url, setCookie } = await partner.start();
    expect(setCookie).toMatch(/^werkstroom-oidc=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      client_id: 'werkstroom',
      scope: 'openid email',
      response_type: 'code',
      redirect_uri: 'http://localhost:3000/api/auth/oidc/callback/bedrijf',
      code_challenge_method: 'S256',
      login_hint: 'iemand@bedrijf.example',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]).toMatch(/^[\w-]{43}$/);
    const { rows } = await portal.pool.query('select encode(token_hash, $1) as hash from oidc_attempt', [
      'hex',
    ]);
    expect(JSON.stringify(rows)).not.toContain(setCookie.slice(16, 59));
  });

  test('13.5b over https the cookie is Secure and bound to the host', async () => {
    const secure = await testPortal({
      PUBLIC_URL: 'https://portaal.example.nl',
      OUTBOUND_ALLOW_OIDC: partner.provider.issuer,
    });
    await partner.offer(secure, 'bedrijf');
    const answer = await secure.app.inject({
      method: 'POST',
      url: '/api/auth/oidc/start',
      payload: { email: 'a@bedrijf.example' },
    });
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-werkstroom-oidc=.*; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(new URL(answer.json().url).searchParams.get('redirect_uri')).toMatch(
      /^https:\/\/portaal\.example\.nl\//,
    );
    await secure.close();
  });

  test.each<[string, (way: Awaited<ReturnType<Partner['go']>>) => Promise<{ page: string }>]>([
    ['another state', (way) => partner.back(way.back.replace(/state=[\w-]+/, 'state=geraden'), way.cookie)],
    ['no state', (way) => partner.back(way.back.replace(/state=[\w-]+&?/, ''), way.cookie)],
    ['no cookie', (way) => partner.back(way.back, '')],
    ["somebody else's cookie", async (way) => partner.back(way.back, (await partner.start()).cookie)],
    [
      "another organization's address",
      (way) => partner.back(way.back.replace('/bedrijf', '/buren'), way.cookie),
    ],
    [
      'after ten minutes',
      async (way) => {
        await portal.pool.query(`update oidc_attempt set expires_at = now()`);
        return partner.back(way.back, way.cookie);
      },
    ],
  ])('13.5b with %s nobody is signed in', async (_, come) => {
    const asked = partner.provider.asked.filter((path) => path === '/token').length;
    const way = await partner.go('nieuw');
    const answer = await come(way);
    expect(answer).toMatchObject({ page: ends('again'), session: undefined });
    expect(partner.provider.asked.filter((path) => path === '/token')).toHaveLength(asked);
  });

  test('13.5b a way back is good for once, of two at the same time too', async () => {
    const way = await partner.go('nieuw');
    const both = await Promise.all([partner.back(way.back, way.cookie), partner.back(way.back, way.cookie)]);
    expect(both.map(({ page }) => page).sort()).toEqual(
      [ends('again'), 'http://localhost:3000/signin'].sort(),
    );
    expect((await partner.back(way.back, way.cookie)).page).toBe(ends('again'));
  });

  test('13.5b the way back is a GET of another site, and needs no proof of origin but its cookie', async () => {
    const way = await partner.go('nieuw');
    const answer = await partner.back(way.back, way.cookie, { 'sec-fetch-site': 'cross-site' });
    expect(answer.session).toBeDefined();
    const foreign = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/oidc/start',
      payload: { email: 'a@bedrijf.example' },
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.statusCode).toBe(403);
  });

  test('13.5b a browser gets no token of the provider: the way back answers a page and cookies of our own', async () => {
    const way = await partner.go('nieuw');
    const { pathname, search } = new URL(way.back);
    const { headers, body } = await portal.app.inject({
      url: pathname + search,
      headers: { cookie: way.cookie },
    });
    expect([headers.location, body]).toEqual(['http://localhost:3000/signin', '']);
    const names = [headers['set-cookie'] ?? []].flat().map((line) => line.split('=', 1)[0]);
    expect(names.sort()).toEqual(['werkstroom', 'werkstroom-device', 'werkstroom-oidc']);
  });

  test("a failure names the provider's error code for the log only when OAuth or OpenID Connect defines it (41.1)", async () => {
    const { oidc, secrets } = portal.portal;
    const { rows } = await portal.pool.query<{ id: number }>(
      `select id from organization where name = 'bedrijf'`,
    );
    const provider = await findProviderOf(portal.pool, secrets, rows[0]?.id as number);
    if (!provider) throw new Error('The organization has no provider.');
    const failureOf = (code: string) =>
      oidc.complete(
        provider,
        new URL(
          `?${new URLSearchParams({ state: 's', iss: provider.issuer, error: code })}`,
          'http://localhost:3000',
        ),
        { state: 's', nonce: 'n', codeVerifier: 'v' },
      );
    await expect(failureOf('invalid_scope')).rejects.toThrow('the provider says invalid_scope');
    await expect(failureOf('a@'.repeat(30_000))).rejects.toThrow(/^the provider says an unknown error code$/);
  });
});

describe('a provider that', () => {
  test.each<[string, Record<string, unknown>, OidcOutcome]>([
    ['does not confirm the address', { email: 'x@bedrijf.example', email_verified: false }, 'unverified'],
    ['says nothing of it', { email: 'x@bedrijf.example' }, 'unverified'],
    ['tells no address', {}, 'unverified'],
    ['tells an address of another domain', { email: 'x@buren.example', email_verified: true }, 'elsewhere'],
    ['tells one below the domain', { email: 'x@sub.bedrijf.example', email_verified: true }, 'elsewhere'],
    ['tells one that only ends so', { email: 'x@ookbedrijf.example', email_verified: true }, 'elsewhere'],
    ['tells two', { email: 'x@buren.example@bedrijf.example', email_verified: true }, 'elsewhere'],
    [
      'tells an account of another organization',
      { email: 'buur@buren.example', email_verified: true },
      'elsewhere',
    ],
    ["tells an administrator's", { email: 'Beheer@Bedrijf.example', email_verified: true }, 'elsewhere'],
    [
      'says that it is not theirs, of an account',
      { email: 'collega@bedrijf.example', email_verified: false },
      'unverified',
    ],
  ])('13.5c 13.9d %s gives nobody an account, and is a refusal of the log', async (_, told, outcome) => {
    await forgetRefusals(portal);
    const before = (await portal.pool.query('select count(*) from account')).rows;
    partner.provider.people.set('leugenaar', told);
    expect(await partner.signIn('leugenaar')).toMatchObject({ page: ends(outcome), session: undefined });
    expect((await portal.pool.query('select count(*) from account')).rows).toEqual(before);
    expect(
      (await portal.pool.query(`select from account_identity where subject = 'leugenaar'`)).rowCount,
    ).toBe(0);
    await portal.portal.refusals.close();
    const { rows } = await portal.pool.query(
      `select action, call, count, account_id > 0 or stranger <> '' as known from refusal`,
    );
    const call = 'GET /api/auth/oidc/callback/:organization';
    expect(rows).toEqual([{ action: 'session.refuse', call, count: 1, known: outcome === 'elsewhere' }]);
  });

  test.each<[string, () => void]>([
    [
      'tells another nonce',
      () => {
        partner.provider.lies = { nonce: 'x' };
      },
    ],
    [
      'tells no nonce',
      () => {
        partner.provider.lies = { nonce: undefined };
      },
    ],
    [
      'speaks for another issuer',
      () => {
        partner.provider.lies = { iss: 'https://elders.example' };
      },
    ],
    [
      'speaks to another client',
      () => {
        partner.provider.lies = { aud: 'iemand-anders' };
      },
    ],
    [
      'says what is over',
      () => {
        partner.provider.lies = { exp: Math.floor(Date.now() / 1000) - 60 };
      },
    ],
    [
      'says what is to come',
      () => {
        partner.provider.lies = { nbf: Math.floor(Date.now() / 1000) + 300 };
      },
    ],
    [
      'signs with a key that is not its own',
      () => {
        partner.provider.isForger = true;
      },
    ],
    [
      'sends an ID token without a signature',
      () => {
        partner.provider.isUnsigned = true;
      },
    ],
  ])('13.5d %s signs nobody in', async (_, lie) => {
    lie();
    expect(await partner.signIn('nieuw')).toMatchObject({ page: ends('refused'), session: undefined });
  });

  test.each([
    [255, 'in', undefined],
    [256, 'refused', 'refused'],
  ] as const)('13.5d names somebody by %i characters: %s', async (length, _, outcome) => {
    const who = 's'.repeat(length);
    const email = `lang-${length}@bedrijf.example`;
    partner.provider.people.set(who, { email, email_verified: true });
    const { page, session } = await partner.signIn(who);
    expect([page, session !== undefined]).toEqual(
      outcome ? [ends(outcome), false] : ['http://localhost:3000/signin', true],
    );
    expect(await accountsOf(email)).toHaveLength(outcome ? 0 : 1);
  });

  test('13.5d has a clock that is 20 s off signs people in; what is over by our own clock does not', async () => {
    partner.provider.lies = { exp: Math.floor(Date.now() / 1000) - 20 };
    expect((await partner.signIn('nieuw')).session).toBeDefined();
    partner.calm();
    partner.skewMs = 11 * 60_000;
    expect((await partner.signIn('nieuw')).page).toBe(ends('refused'));
    partner.skewMs = -60_000;
    expect((await partner.signIn('nieuw')).session).toBeDefined();
  });

  test('13.5d changes its keys signs people in with the new ones at once', async () => {
    expect((await partner.signIn('nieuw')).session).toBeDefined();
    partner.provider.changeKeys();
    expect((await partner.signIn('nieuw')).session).toBeDefined();
  });

  test('13.5d answers with something else, or not at all, is told of; the password still works', async () => {
    const way = await partner.go('nieuw');
    partner.provider.trouble = 'broken';
    expect((await partner.back(way.back, way.cookie)).page).toBe(ends('refused'));
    partner.calm();
    const other = await partner.go('nieuw');
    await partner.provider.stop();
    expect((await partner.back(other.back, other.cookie)).page).toBe(ends('unreachable'));
    // A portal that has not asked it yet.
    const cold = await testPortal({ OUTBOUND_ALLOW_OIDC: partner.provider.issuer });
    await partner.offer(cold, 'bedrijf');
    const answer = await cold.app.inject({
      method: 'POST',
      url: '/api/auth/oidc/start',
      payload: { email: 'a@bedrijf.example' },
    });
    expect([answer.statusCode, answer.json().message]).toEqual([502, OIDC_OUTCOMES.unreachable]);
    await cold.close();
    expect(await portal.login('collega@bedrijf.example')).toMatch(/^werkstroom=/);
    await partner.provider.start();
    expect((await partner.signIn('nieuw')).session).toBeDefined();
  });

  test('13.5d is slow is given up after 10 s', async () => {
    const way = await partner.go('nieuw');
    partner.provider.trouble = 'slow';
    const since = performance.now();
    expect((await partner.back(way.back, way.cookie)).page).toBe(ends('unreachable'));
    const took = performance.now() - since;
    expect(took).toBeGreaterThan(9_000);
    expect(took).toBeLessThan(18_000);
  });

  test('13.5d is left by the person is no failure', async () => {
    expect(await partner.signIn(undefined)).toMatchObject({ page: ends('cancelled'), session: undefined });
  });
});

describe('an organization that', () => {
  test('13.5e is switched off on the way signs nobody in', async () => {
    const known = await partner.go('nieuw');
    const newcomer = await partner.go('nieuweling');
    await portal.pool.query(`update organization set is_active = false where name = 'bedrijf'`);
    expect((await partner.back(known.back, known.cookie)).page).toBe(ends('disabled'));
    expect((await partner.back(newcomer.back, newcomer.cookie)).page).toBe(ends('disabled'));
    expect(await accountsOf('nieuweling@bedrijf.example')).toEqual([]);
    expect((await portal.get('/api/auth/oidc?domain=bedrijf.example')).json().isOffered).toBe(false);
    await portal.pool.query(`update organization set is_active = true where name = 'bedrijf'`);
  });

  test('13.5e takes its provider away on the way signs nobody in', async () => {
    const way = await partner.go('nieuw');
    await portal.pool.query(
      `delete from oidc_provider using organization o where o.id = organization_id and o.name = 'bedrijf'`,
    );
    expect((await partner.back(way.back, way.cookie)).page).toBe(ends('again'));
    await partner.offer(portal, 'bedrijf');
  });

  test('13.5e somebody is moved from does not know them any more', async () => {
    await partner.signIn('verhuizer');
    await portal.pool.query(
      `update account set organization_id = (select id from organization where name = 'buren') where email = 'verhuizer@bedrijf.example'`,
    );
    expect((await partner.signIn('verhuizer')).page).toBe(ends('elsewhere'));
    expect(await accountsOf('verhuizer@bedrijf.example')).toMatchObject([
      { organization: 'buren', issuer: null },
    ]);
  });

  test('13.5e shares its provider with another is not entered by the other’s people', async () => {
    await partner.signIn('nieuw');
    await partner.offer(portal, 'buren', 'buren.example');
    const way = await partner.go('nieuw', 'a@buren.example');
    expect((await partner.back(way.back, way.cookie)).page).toBe(ends('moved'));
  });
});

describe('how the organization lets people in', () => {
  const mode = (registration: string) =>
    portal.pool.query('update organization set registration = $1 where id = $2', [registration, partner.id]);
  const invite = (email: string, role: string) =>
    portal.pool.query(
      `insert into invitation (organization_id, email, role, expires_at) values ($1, $2, $3, now() + interval '1 day')`,
      [partner.id, email, role],
    );

  test('13.5l where only invitations count nobody else comes in; who is invited gets the role, from any domain', async () => {
    await mode('invitation');
    expect((await partner.signIn('ongenood')).page).toBe(ends('uninvited'));
    expect(await accountsOf('ongenood@bedrijf.example')).toEqual([]);
    await invite('gast@elders.example', 'kijker');
    partner.provider.people.set('gast', { email: 'Gast@elders.example', email_verified: false });
    expect((await partner.signIn('gast')).page).toBe(ends('unverified'));
    partner.provider.people.set('gast', { email: 'Gast@elders.example', email_verified: true });
    expect((await partner.signIn('gast')).session).toBeDefined();
    expect(await accountsOf('gast@elders.example')).toMatchObject([{ role: 'kijker', subject: 'gast' }]);
    await portal.pool.query(`delete from account where email = 'gast@elders.example'`);
    expect((await partner.signIn('gast')).page).toBe(ends('elsewhere'));
    await mode('code');
  });

  test('13.5l where it takes a word they wait for it, and are bound by it', async () => {
    await mode('approval');
    expect((await partner.signIn('wacht')).page).toBe(ends('waits'));
    expect((await partner.signIn('wacht')).page).toBe(ends('waits'));
    expect(await accountsOf('wacht@bedrijf.example')).toEqual([]);
    await portal.user('baas@bedrijf.example', partner.id, 'beheerder');
    const manager = await portal.login('baas@bedrijf.example');
    const [applicant] = (await portal.get('/api/applicant/get', manager)).json();
    expect((await partner.post('/api/applicant/admit', manager, { _id: applicant._id })).statusCode).toBe(
      200,
    );
    expect((await partner.signIn('wacht')).session).toBeDefined();
    expect(await accountsOf('wacht@bedrijf.example')).toMatchObject([
      { role: 'gebruiker', subject: 'wacht' },
    ]);
    await mode('code');
  });

  test('13.5l who was deleted does not come back by the provider, but by an invitation', async () => {
    await partner.signIn('weg');
    const admin = await portal.login('beheer@bedrijf.example');
    const gone = await portal.app.inject({
      method: 'DELETE',
      url: '/api/user/delete?email=weg@bedrijf.example',
      headers: { cookie: admin, 'sec-fetch-site': 'same-origin' },
    });
    expect(gone.statusCode).toBe(200);
    expect((await partner.signIn('weg')).page).toBe(ends('departed'));
    await invite('weg@bedrijf.example', 'gebruiker');
    expect((await partner.signIn('weg')).session).toBeDefined();
  });
});

describe('the link of an invitation', () => {
  /** @returns the token that its mail has */
  const invite = async (email: string, role = 'beheerder', organization = 'bedrijf'): Promise<string> => {
    const token = randomBytes(16).toString('base64url');
    await portal.pool.query(
      `insert into invitation (organization_id, email, role, expires_at, token_hashes)
       select id, $1, $2, now() + interval '1 day', array[$3::bytea] from organization where name = $4`,
      [email, role, invitationHash(token), organization],
    );
    return token;
  };
  const look = async (token: string) => (await partner.post('/api/invitation/look', '', { token })).json();
  const byPassword = (token: string) =>
    partner.post('/api/invitation/accept', '', { token, password: PASSWORD });
  const page = (outcome: OidcOutcome) => ends(outcome, '/uitnodiging');

  test('13.5m is accepted by the provider: with its role and address, whatever the address’ domain, bound to issuer and subject, once', async () => {
    const { issuer, people } = partner.provider;
    people.set('genodigd', { email: 'andere.naam@elders.example', email_verified: false });
    const token = await invite('Genodigd@elders.example');
    expect((await look(token)).provider).toEqual({ isOnly: false });
    const [way, second] = [await partner.accept('genodigd', token), await partner.accept('ander', token)];
    expect(new URL(way.back).pathname).toBe('/api/auth/oidc/callback/bedrijf');
    const { page: to, cookie } = await partner.back(way.back, way.cookie);
    expect([to, await emailOf(cookie)]).toEqual(['http://localhost:3000/signin', 'Genodigd@elders.example']);
    expect(await accountsOf('genodigd@elders.example')).toEqual([
      { organization: 'bedrijf', role: 'beheerder', issuer, subject: 'genodigd' },
    ]);
    expect((await portal.get('/api/auth/validate-token', cookie)).json().user.isConfirmed).toBe(true);
    expect(await partner.back(second.back, second.cookie)).toMatchObject({
      page: page('ended'),
      session: undefined,
    });
    expect((await look(token)).message).toMatch(/al gebruikt/);
    const { rows } = await portal.pool.query(
      `select action, data from audit where account_id = (select id from account where email = 'Genodigd@elders.example')
       order by id limit 2`,
    );
    expect(rows).toEqual([
      { action: 'invitation.accept', data: { organization: 'bedrijf', role: 'beheerder', issuer } },
      { action: 'identity.link', data: { issuer } },
    ]);
  });

  test.each<[string, string, OidcOutcome]>([
    ['has expired', `update invitation set expires_at = now() where email = $1`, 'ended'],
    ['was revoked', `update invitation set ended_as = 'revoked', email = null where email = $1`, 'ended'],
    [
      'was used with a password',
      `update invitation set ended_as = 'accepted', email = null where email = $1`,
      'ended',
    ],
    ['was made anew', `update invitation set token_hashes = default where email = $1`, 'ended'],
    ['is gone', `delete from invitation where email = $1`, 'ended'],
    [
      'is of an organization that was switched off',
      `update organization set is_active = false where name = 'bedrijf' and $1::text is not null`,
      'disabled',
    ],
    [
      'is to somebody who has an account elsewhere by now',
      `insert into account (email, password_hash, organization_id, role) select $1, 'x', id, 'kijker' from organization where name = 'buren'`,
      'account',
    ],
  ])('13.5m that on the way %s makes no account', async (_, spoil, outcome) => {
    const email = `${randomBytes(4).toString('hex')}@elders.example`;
    partner.provider.people.set(email, { email, email_verified: true });
    const way = await partner.accept(email, await invite(email));
    await portal.pool.query(spoil, [email]);
    expect(await partner.back(way.back, way.cookie)).toMatchObject({
      page: page(outcome),
      session: undefined,
    });
    await portal.pool.query(`update organization set is_active = true`);
    expect(
      (await portal.pool.query(`select from account_identity where subject = $1`, [email])).rowCount,
    ).toBe(0);
  });

  test('13.5m is not for who the provider knows by another address, nor for who has another account; it stays good', async () => {
    const token = await invite('bedoeld@bedrijf.example', 'kijker');
    const wrong = await partner.accept('verkeerd', token);
    expect((await partner.back(wrong.back, wrong.cookie)).page).toBe(page('other'));
    expect(await accountsOf('verkeerd@bedrijf.example')).toEqual([]);
    await partner.signIn('dubbel');
    partner.provider.people.set('dubbel', { email: 'bedoeld@bedrijf.example', email_verified: true });
    const bound = await partner.accept('dubbel', token);
    expect(await partner.back(bound.back, bound.cookie)).toMatchObject({
      page: page('taken'),
      session: undefined,
    });
    const left = await partner.accept(undefined, token);
    expect((await partner.back(left.back, left.cookie)).page).toBe(page('cancelled'));
    expect(await accountsOf('bedoeld@bedrijf.example')).toEqual([]);
    const right = await partner.accept('bedoeld', token);
    expect((await partner.back(right.back, right.cookie)).session).toBeDefined();
    expect(await accountsOf('bedoeld@bedrijf.example')).toMatchObject([
      { role: 'kijker', subject: 'bedoeld' },
    ]);
  });

  test('13.5m of two who accept it at the same time one has the account', async () => {
    for (const who of ['een', 'twee']) partner.provider.people.set(who, {});
    const token = await invite('samen@elders.example');
    const ways = [await partner.accept('een', token), await partner.accept('twee', token)];
    const both = await Promise.all(ways.map(({ back, cookie }) => partner.back(back, cookie)));
    expect(both.map((one) => one.page).sort()).toEqual(
      ['http://localhost:3000/signin', page('ended')].sort(),
    );
    expect(await accountsOf('samen@elders.example')).toHaveLength(1);
  });

  test('13.5m to somebody with an account of that organization asks for its password', async () => {
    const token = await invite('er-al@elders.example');
    await portal.user('er-al@elders.example', partner.id);
    partner.provider.people.set('er-al', {});
    const way = await partner.accept('er-al', token);
    expect(await partner.back(way.back, way.cookie)).toMatchObject({
      page: ends('exists'),
      session: undefined,
    });
    expect(await accountsOf('er-al@elders.example')).toMatchObject([{ role: 'gebruiker', issuer: null }]);
  });

  test("13.5m where 'alleen zo' counts takes no password; where there is no provider nothing else", async () => {
    await portal.pool.query(`update oidc_provider set is_only = true where organization_id = $1`, [
      partner.id,
    ]);
    const token = await invite('strikt@elders.example');
    expect((await look(token)).provider).toEqual({ isOnly: true });
    const refused = await byPassword(token);
    expect([refused.statusCode, refused.json().message]).toEqual([403, ONLY_OIDC]);
    partner.provider.people.set('strikt', {});
    const way = await partner.accept('strikt', token);
    expect((await partner.back(way.back, way.cookie)).session).toBeDefined();
    await portal.pool.query(`update oidc_provider set is_only = false`);

    await portal.organization('zonder');
    const plain = await invite('plat@elders.example', 'kijker', 'zonder');
    expect((await look(plain)).provider).toBeNull();
    expect((await partner.post('/api/auth/oidc/invitation', '', { token: plain })).statusCode).toBe(404);
    expect((await byPassword(plain)).statusCode).toBe(200);
  });
});

describe('an account of before', () => {
  const confirm = (cookie: string, password: string) =>
    portal.app.inject({
      method: 'POST',
      url: '/api/auth/oidc/confirm',
      payload: { password },
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });

  test('13.5f peers: taken over by its address (CVE-2026-108738, CVE-2026-36537): is not signed in to by it; its password links it, once', async () => {
    const { page, session, attempt } = await partner.signIn('collega');
    expect([page, session]).toEqual([ends('exists'), undefined]);
    expect(await accountsOf('collega@bedrijf.example')).toMatchObject([{ issuer: null }]);
    const wrong = await confirm(attempt as string, 'geraden');
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'bad_credentials']);
    expect((await confirm('werkstroom-oidc=x', PASSWORD)).statusCode).toBe(409);
    const right = await confirm(attempt as string, PASSWORD);
    expect(right.statusCode).toBe(200);
    const cookies = right.headers['set-cookie'] as string[];
    const cookie = cookies.find((one) => one.startsWith('werkstroom='))?.split(';', 1)[0] as string;
    expect(await emailOf(cookie)).toBe('collega@bedrijf.example');
    expect((await confirm(attempt as string, PASSWORD)).statusCode).toBe(409);
    expect((await partner.signIn('collega')).session).toBeDefined();
  });

  test('13.5k who has a second factor here shows it after the provider too', async () => {
    await partner.signIn('voorzichtig');
    await portal.pool.query(
      `insert into factor (account_id, kind, name, secret, last_step)
       select id, 'totp', 'Telefoon', 'x', 0 from account where email = 'voorzichtig@bedrijf.example'`,
    );
    const { page, session } = await partner.signIn('voorzichtig');
    expect([page, session]).toEqual(['http://localhost:3000/signin#stap=totp', undefined]);
  });

  test('13.5f is linked by its password only after its second factor, if it has one', async () => {
    const email = 'beveiligd@bedrijf.example';
    await portal.user(email, partner.id);
    const own = browser(portal);
    await own.login(email);
    const { secret } = await addApp(own, Date.now());
    // As if its code was shown long ago: the next one is taken.
    await portal.pool.query('update factor set last_step = 0');
    const isLinked = async () => (await accountsOf(email))[0].issuer !== null;

    const { attempt } = await partner.signIn('beveiligd');
    const right = await confirm(attempt as string, PASSWORD);
    expect([right.statusCode, right.json().code]).toEqual([401, 'second-factor-required']);
    expect(await isLinked()).toBe(false);
    const step = [right.headers['set-cookie']].flat().find((one) => one?.startsWith('werkstroom-step='));
    const code = (given: string) =>
      portal.app.inject({
        method: 'POST',
        url: '/api/auth/login/code',
        payload: { code: given },
        headers: { cookie: step?.split(';', 1)[0] ?? '', 'sec-fetch-site': 'same-origin' },
      });
    expect((await code('000000')).statusCode).toBe(401);
    expect(await isLinked()).toBe(false);
    expect((await code(codeAt(secret, Date.now()))).statusCode).toBe(200);
    expect(await isLinked()).toBe(true);
    const { rows } = await portal.pool.query('select from sign_in_step where issuer is not null');
    expect(rows).toEqual([]);
  });

  test('13.5f an identity of another account is refused before the second factor is asked for', async () => {
    await portal.user('nieuw-adres@bedrijf.example', partner.id);
    const { attempt } = await partner.signIn('nieuw-adres');
    await portal.pool.query(
      `insert into account_identity (account_id, issuer, subject)
       select id, $1, 'nieuw-adres' from account where email = 'collega@bedrijf.example'
       on conflict (account_id) do update set subject = excluded.subject`,
      [partner.provider.issuer],
    );
    const refused = await confirm(attempt as string, PASSWORD);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict']);
  });

  test('13.5f guesses of its password are counted', async () => {
    await portal.user('doelwit@bedrijf.example', partner.id);
    const { attempt } = await partner.signIn('doelwit');
    for (let n = 0; n < 10; n++) expect((await confirm(attempt as string, `gok ${n}`)).statusCode).toBe(401);
    expect((await confirm(attempt as string, PASSWORD)).statusCode).toBe(429);
  });

  test('13.5f is linked from Mijn account, by whoever is signed in there, to one identity', async () => {
    await portal.user('oud@elders.example', partner.id);
    const cookie = await portal.login('oud@elders.example');
    expect((await portal.get('/api/account/oidc', cookie)).json()).toEqual({
      isOffered: true,
      isOnly: false,
      linked: null,
    });
    const way = await partner.link('andere-naam', cookie);
    const answer = await partner.back(way.back, way.cookie);
    expect(answer).toMatchObject({ page: ends('linked', '/account'), session: undefined });
    expect((await portal.get('/api/account/oidc', cookie)).json().linked).toMatchObject({
      issuer: partner.provider.issuer,
    });
    expect(await emailOf((await partner.signIn('andere-naam')).cookie)).toBe('oud@elders.example');

    await portal.user('tweede@elders.example', partner.id);
    const second = await portal.login('tweede@elders.example');
    const taken = await partner.link('andere-naam', second);
    expect((await partner.back(taken.back, taken.cookie)).page).toBe(ends('taken', '/account'));
    expect(await emailOf((await partner.signIn('andere-naam')).cookie)).toBe('oud@elders.example');

    const unlinked = await partner.post('/api/account/oidc/unlink', cookie);
    expect(unlinked.statusCode).toBe(200);
    expect(await emailOf((await partner.signIn('andere-naam')).cookie)).toBe('andere-naam@bedrijf.example');
  });

  test('13.5f a session that ends on the way links nothing', async () => {
    await portal.user('weg@elders.example', partner.id);
    const cookie = await portal.login('weg@elders.example');
    const way = await partner.link('gekaapt', cookie);
    await partner.post('/api/auth/logout', cookie);
    expect((await partner.back(way.back, way.cookie)).page).toBe(ends('again'));
    expect((await portal.pool.query(`select from account_identity where subject = 'gekaapt'`)).rowCount).toBe(
      0,
    );
  });
});

describe("'alleen zo'", () => {
  const only = (is: boolean) =>
    portal.pool.query(`update oidc_provider set is_only = $1 where organization_id = $2`, [is, partner.id]);
  const login = (email: string, password = PASSWORD) =>
    partner.post('/api/auth/login', '', { email, password });

  test('13.5g the right password is told so, a wrong one nothing; administrators sign in as always', async () => {
    await portal.user('binnen@bedrijf.example', partner.id);
    await only(true);
    const right = await login('binnen@bedrijf.example');
    expect([right.statusCode, right.json().message]).toEqual([403, ONLY_OIDC]);
    expect(right.headers['set-cookie']).toBeUndefined();
    const wrong = await login('binnen@bedrijf.example', 'fout');
    const nobody = await login('niemand@bedrijf.example', 'fout');
    expect([wrong.statusCode, wrong.json()]).toEqual([401, nobody.json()]);
    expect((await login('beheer@bedrijf.example')).statusCode).toBe(200);
    expect((await login('buur@buren.example')).statusCode).toBe(200);
    expect((await portal.get('/api/auth/oidc?domain=Bedrijf.example')).json()).toEqual({
      isOffered: true,
      isOnly: true,
    });
    await only(false);
    expect((await login('binnen@bedrijf.example')).statusCode).toBe(200);
  });

  test('13.5g nobody registers with the code either', async () => {
    await only(true);
    const { rows } = await portal.pool.query('select code from organization where id = $1', [partner.id]);
    const payload = { email: 'code@bedrijf.example', password: PASSWORD, organizationCode: rows[0].code };
    const answer = await partner.post('/api/auth/register', '', payload);
    expect([answer.statusCode, answer.json().message]).toEqual([
      403,
      expect.stringContaining('een code is niet nodig'),
    ]);
    expect(await accountsOf('code@bedrijf.example')).toEqual([]);
    await only(false);
  });

  test('13.5g who asks for another password is mailed how to sign in, and no code', async () => {
    await only(true);
    await portal.user('vergeten@bedrijf.example', partner.id);
    const answer = await partner.post('/api/auth/forgot-password', '', { email: 'vergeten@bedrijf.example' });
    const nobody = await partner.post('/api/auth/forgot-password', '', { email: 'nergens@bedrijf.example' });
    expect([answer.statusCode, answer.json()]).toEqual([nobody.statusCode, nobody.json()]);
    const mailed = async () =>
      (await readMailbox(portal.portal.config.DATA_DIR))
        .filter(({ to }) => to === 'vergeten@bedrijf.example')
        .map(({ subject }) => subject);
    await expect.poll(mailed, { timeout: 20_000 }).toEqual(['Inloggen via je organisatie']);
    await only(false);
  });

  test('13.5g who is linked stays so', async () => {
    const { cookie } = await partner.signIn('nieuw');
    await only(true);
    const answer = await partner.post('/api/account/oidc/unlink', cookie);
    expect(answer.statusCode).toBe(409);
    expect((await partner.signIn('nieuw')).session).toBeDefined();
    await only(false);
  });
});

test('13.5b which domains have a way of their own is known, which accounts there are is not', async () => {
  const ask = async (domain: string) => (await portal.get(`/api/auth/oidc?domain=${domain}`)).json();
  expect(await ask('bedrijf.example')).toEqual({ isOffered: true, isOnly: false });
  expect(await ask('onbekend.example')).toEqual({ isOffered: false, isOnly: false });
  const known = await partner.post('/api/auth/oidc/start', '', { email: 'collega@bedrijf.example' });
  const unknown = await partner.post('/api/auth/oidc/start', '', { email: 'niemand@bedrijf.example' });
  const keys = ({ statusCode, body }: typeof known) => [
    statusCode,
    body.length - JSON.parse(body).url.length,
  ];
  expect(keys(known)).toEqual(keys(unknown));
  const elsewhere = await partner.post('/api/auth/oidc/start', '', { email: 'a@onbekend.example' });
  expect([elsewhere.statusCode, elsewhere.json().message]).toEqual([
    404,
    expect.stringContaining('wachtwoord'),
  ]);
});

describe('who came by the provider', () => {
  const ways = async (cookie: string) => (await partner.post('/api/account/proof/options', cookie)).json();

  test('13.6k has no password to prove by, until they choose one', async () => {
    const { cookie } = await partner.signIn('zonder');
    expect(await ways(cookie)).toEqual({ hasPassword: false, hasApp: false, passkey: null });
    expect(await ways(await portal.login('collega@bedrijf.example'))).toMatchObject({ hasPassword: true });
    const { rows } = await portal.pool.query(
      `insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until)
       select gen_random_uuid(), id, 'x', now() + interval '10 minutes', 5, $1, now() + interval '30 minutes' from account
       where email = 'zonder@bedrijf.example' returning id`,
      [hashOfToken('token')],
    );
    expect(rows).toHaveLength(1);
    const reset = { token: 'token', newPassword: 'een gloednieuw wachtwoord' };
    expect((await partner.post('/api/auth/reset-password-with-link', '', reset)).statusCode).toBe(200);
    expect(await ways((await partner.signIn('zonder')).cookie)).toMatchObject({ hasPassword: true });
  });

  test('13.5o whoever has the account is mailed that it was linked, and that it is no more', async () => {
    await portal.user('koppel@bedrijf.example', partner.id);
    const session = await portal.login('koppel@bedrijf.example');
    const way = await partner.link('koppel-1', session);
    expect((await partner.back(way.back, way.cookie)).page).toBe(ends('linked', '/account'));
    expect((await partner.post('/api/account/oidc/unlink', session)).statusCode).toBe(200);
    expect((await partner.post('/api/account/oidc/unlink', session)).statusCode).toBe(200);
    const mails = (email: string) =>
      portal.pool.query(
        `select data->>'text' as text from pgboss.job where name = 'mail' and data->>'to' = $1 order by created_on`,
        [email],
      );
    const { host } = new URL(partner.provider.issuer);
    const { rows } = await mails('koppel@bedrijf.example');
    expect(rows.map(({ text }) => /gewijzigd: (.*)/.exec(text)?.[1])).toEqual([
      `het is gekoppeld aan een account bij de inlogdienst ${host}.`,
      `het is niet meer gekoppeld aan een account bij de inlogdienst ${host}.`,
    ]);
    // A new account has nothing of before.
    await partner.signIn('vers');
    expect((await mails('vers@bedrijf.example')).rowCount).toBe(0);
  });
});
