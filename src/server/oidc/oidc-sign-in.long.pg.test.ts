import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deleteRefusals } from '#server/test/audited.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { OIDC_OUTCOME_TEXTS, type OidcOutcome } from '#shared/domain/oidc.ts';
import { findProviderOf } from './providers.store.ts';
import { type OidcPortal, oidcOutcomeUrl, openOidcPortal } from './test/partner.ts';

let partner: OidcPortal;
let portal: TestPortal;
beforeAll(async () => {
  partner = await openOidcPortal();
  portal = partner.portal;
});
afterAll(() => partner.close());
beforeEach(() => partner.calm());

describe("signing in through the organization's provider", () => {
  test('a newcomer with a confirmed address of the domain gets an account as gebruiker, linked to issuer and subject (13.5a)', async () => {
    const { page, cookie } = await partner.signIn('nieuw');
    expect(page).toBe('http://localhost:3000/signin');
    expect(await partner.emailOf(cookie)).toBe('nieuw@bedrijf.example');
    const { issuer } = partner.provider;
    expect(await partner.accountsOf('nieuw@bedrijf.example')).toEqual([
      { organization: 'bedrijf', role: 'gebruiker', issuer, subject: 'nieuw' },
    ]);
    // The subject identifies the person, whatever the address is now.
    partner.provider.people.set('nieuw', { email: 'getrouwd@elders.example', email_verified: false });
    const again = await partner.signIn('nieuw');
    expect(await partner.emailOf(again.cookie)).toBe('nieuw@bedrijf.example');
    expect(await partner.accountsOf('getrouwd@elders.example')).toEqual([]);
  });

  test('the first account of an organization does not become beheerder if it is created through a provider (13.5a)', async () => {
    const { rows } = await portal.pool.query(
      `select role from account where email = 'nieuw@bedrijf.example'`,
    );
    expect(rows).toEqual([{ role: 'gebruiker' }]);
  });

  test('the same subject at another issuer is another person (13.5a)', async () => {
    await portal.user('naamgenoot@elders.example', partner.id);
    await portal.pool.query(
      `insert into account_identity (account_id, issuer, subject)
       select id, 'https://elders.example', 'naamgenoot' from account where email = 'naamgenoot@elders.example'`,
    );
    const { cookie } = await partner.signIn('naamgenoot');
    expect(await partner.emailOf(cookie)).toBe('naamgenoot@bedrijf.example');
  });

  test('the cookie of a sign-in at a provider is Lax, lasts ten minutes and contains only a token; the request has PKCE, state and nonce (13.5b)', async () => {
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

  test('over https the cookie of a sign-in at a provider is Secure and bound to the host (13.5b)', async () => {
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

  test.each<[string, (way: Awaited<ReturnType<OidcPortal['go']>>) => Promise<{ page: string }>]>([
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
  ])('a callback with %s does not sign in (13.5b)', async (_, come) => {
    const asked = partner.provider.asked.filter((path) => path === '/token').length;
    const way = await partner.go('nieuw');
    const answer = await come(way);
    expect(answer).toMatchObject({ page: oidcOutcomeUrl('again'), session: undefined });
    expect(partner.provider.asked.filter((path) => path === '/token')).toHaveLength(asked);
  });

  test('the callback of a sign-in at a provider works once, also for two simultaneous requests (13.5b)', async () => {
    const way = await partner.go('nieuw');
    const both = await Promise.all([partner.back(way.back, way.cookie), partner.back(way.back, way.cookie)]);
    expect(both.map(({ page }) => page).sort()).toEqual(
      [oidcOutcomeUrl('again'), 'http://localhost:3000/signin'].sort(),
    );
    expect((await partner.back(way.back, way.cookie)).page).toBe(oidcOutcomeUrl('again'));
  });

  test('the callback from a provider is a GET from another site, and needs no proof of origin except its cookie (13.5b)', async () => {
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

  test("the browser gets no token of the provider: the callback returns a redirect and the portal's own cookies (13.5b)", async () => {
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

describe('answers of a provider', () => {
  test.each<[string, Record<string, unknown>, OidcOutcome]>([
    ['does not confirm the address', { email: 'x@bedrijf.example', email_verified: false }, 'unverified'],
    ['does not say whether the address is confirmed', { email: 'x@bedrijf.example' }, 'unverified'],
    ['gives no address', {}, 'unverified'],
    ['gives an address of another domain', { email: 'x@buren.example', email_verified: true }, 'elsewhere'],
    [
      'gives an address of a subdomain',
      { email: 'x@sub.bedrijf.example', email_verified: true },
      'elsewhere',
    ],
    [
      'gives an address whose domain only ends like it',
      { email: 'x@ookbedrijf.example', email_verified: true },
      'elsewhere',
    ],
    ['gives two addresses', { email: 'x@buren.example@bedrijf.example', email_verified: true }, 'elsewhere'],
    [
      'gives the address of an account of another organization',
      { email: 'buur@buren.example', email_verified: true },
      'elsewhere',
    ],
    [
      "gives an administrator's address",
      { email: 'Beheer@Bedrijf.example', email_verified: true },
      'elsewhere',
    ],
    [
      'does not confirm the address of an account',
      { email: 'collega@bedrijf.example', email_verified: false },
      'unverified',
    ],
  ])(
    'a provider that %s creates no account and adds a refusal to the log (13.5c, 13.9d)',
    async (_, claims, outcome) => {
      await deleteRefusals(portal);
      const before = (await portal.pool.query('select count(*) from account')).rows;
      partner.provider.people.set('leugenaar', claims);
      expect(await partner.signIn('leugenaar')).toMatchObject({
        page: oidcOutcomeUrl(outcome),
        session: undefined,
      });
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
    },
  );

  test.each<[string, () => void]>([
    [
      'sends an ID token with another nonce',
      () => {
        partner.provider.lies = { nonce: 'x' };
      },
    ],
    [
      'sends an ID token without a nonce',
      () => {
        partner.provider.lies = { nonce: undefined };
      },
    ],
    [
      'sends an ID token of another issuer',
      () => {
        partner.provider.lies = { iss: 'https://elders.example' };
      },
    ],
    [
      'sends an ID token for another client',
      () => {
        partner.provider.lies = { aud: 'iemand-anders' };
      },
    ],
    [
      'sends an expired ID token',
      () => {
        partner.provider.lies = { exp: Math.floor(Date.now() / 1000) - 60 };
      },
    ],
    [
      'sends an ID token that is not valid yet',
      () => {
        partner.provider.lies = { nbf: Math.floor(Date.now() / 1000) + 300 };
      },
    ],
    [
      'signs an ID token with a foreign key',
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
  ])('a provider that %s does not sign anyone in (13.5d)', async (_, lie) => {
    lie();
    expect(await partner.signIn('nieuw')).toMatchObject({
      page: oidcOutcomeUrl('refused'),
      session: undefined,
    });
  });

  test.each([
    [255, 'in', undefined],
    [256, 'refused', 'refused'],
  ] as const)(
    'for a subject of %i characters the outcome of a sign-in is: %s (13.5d)',
    async (length, _, outcome) => {
      const who = 's'.repeat(length);
      const email = `lang-${length}@bedrijf.example`;
      partner.provider.people.set(who, { email, email_verified: true });
      const { page, session } = await partner.signIn(who);
      expect([page, session !== undefined]).toEqual(
        outcome ? [oidcOutcomeUrl(outcome), false] : ['http://localhost:3000/signin', true],
      );
      expect(await partner.accountsOf(email)).toHaveLength(outcome ? 0 : 1);
    },
  );

  test("a provider whose clock is 20 s off signs people in; a token that has expired by the portal's clock does not (13.5d)", async () => {
    partner.provider.lies = { exp: Math.floor(Date.now() / 1000) - 20 };
    expect((await partner.signIn('nieuw')).session).toBeDefined();
    partner.calm();
    partner.skewMs = 11 * 60_000;
    expect((await partner.signIn('nieuw')).page).toBe(oidcOutcomeUrl('refused'));
    partner.skewMs = -60_000;
    expect((await partner.signIn('nieuw')).session).toBeDefined();
  });

  test('a provider that changes its keys signs people in with the new ones at once (13.5d)', async () => {
    expect((await partner.signIn('nieuw')).session).toBeDefined();
    partner.provider.changeKeys();
    expect((await partner.signIn('nieuw')).session).toBeDefined();
  });

  test('a provider with an unusable answer, or none, is reported to the person; the password still works (13.5d)', async () => {
    const way = await partner.go('nieuw');
    partner.provider.trouble = 'broken';
    expect((await partner.back(way.back, way.cookie)).page).toBe(oidcOutcomeUrl('refused'));
    partner.calm();
    const other = await partner.go('nieuw');
    await partner.provider.stop();
    expect((await partner.back(other.back, other.cookie)).page).toBe(oidcOutcomeUrl('unreachable'));
    // This portal has no cached metadata.
    const cold = await testPortal({ OUTBOUND_ALLOW_OIDC: partner.provider.issuer });
    await partner.offer(cold, 'bedrijf');
    const answer = await cold.app.inject({
      method: 'POST',
      url: '/api/auth/oidc/start',
      payload: { email: 'a@bedrijf.example' },
    });
    expect([answer.statusCode, answer.json().message]).toEqual([502, OIDC_OUTCOME_TEXTS.unreachable]);
    await cold.close();
    expect(await portal.login('collega@bedrijf.example')).toMatch(/^werkstroom=/);
    await partner.provider.start();
    expect((await partner.signIn('nieuw')).session).toBeDefined();
  });

  test('a sign-in at a provider that is slow ends after 10 s (13.5d)', async () => {
    const way = await partner.go('nieuw');
    partner.provider.trouble = 'slow';
    const since = performance.now();
    expect((await partner.back(way.back, way.cookie)).page).toBe(oidcOutcomeUrl('unreachable'));
    const took = performance.now() - since;
    expect(took).toBeGreaterThan(9_000);
    expect(took).toBeLessThan(18_000);
  });

  test('a person who cancels at the provider causes no failure in the log (13.5d)', async () => {
    expect(await partner.signIn(undefined)).toMatchObject({
      page: oidcOutcomeUrl('cancelled'),
      session: undefined,
    });
  });
});

describe('the organization of a person who signs in', () => {
  test('an organization that is disabled during the sign-in lets nobody in (13.5e)', async () => {
    const known = await partner.go('nieuw');
    const newcomer = await partner.go('nieuweling');
    await portal.pool.query(`update organization set is_active = false where name = 'bedrijf'`);
    expect((await partner.back(known.back, known.cookie)).page).toBe(oidcOutcomeUrl('disabled'));
    expect((await partner.back(newcomer.back, newcomer.cookie)).page).toBe(oidcOutcomeUrl('disabled'));
    expect(await partner.accountsOf('nieuweling@bedrijf.example')).toEqual([]);
    expect((await portal.get('/api/auth/oidc?domain=bedrijf.example')).json().isOffered).toBe(false);
    await portal.pool.query(`update organization set is_active = true where name = 'bedrijf'`);
  });

  test('an organization that removes its provider during the sign-in lets nobody in (13.5e)', async () => {
    const way = await partner.go('nieuw');
    await portal.pool.query(
      `delete from oidc_provider using organization o where o.id = organization_id and o.name = 'bedrijf'`,
    );
    expect((await partner.back(way.back, way.cookie)).page).toBe(oidcOutcomeUrl('again'));
    await partner.offer(portal, 'bedrijf');
  });

  test('the provider of a former organization no longer signs in a person who moved to another one (13.5e)', async () => {
    await partner.signIn('verhuizer');
    await portal.pool.query(
      `update account set organization_id = (select id from organization where name = 'buren') where email = 'verhuizer@bedrijf.example'`,
    );
    expect((await partner.signIn('verhuizer')).page).toBe(oidcOutcomeUrl('elsewhere'));
    expect(await partner.accountsOf('verhuizer@bedrijf.example')).toMatchObject([
      { organization: 'buren', issuer: null },
    ]);
  });

  test('an organization that shares its provider with another one lets nobody of that other organization in (13.5e)', async () => {
    await partner.signIn('nieuw');
    await partner.offer(portal, 'buren', 'buren.example');
    const way = await partner.go('nieuw', 'a@buren.example');
    expect((await partner.back(way.back, way.cookie)).page).toBe(oidcOutcomeUrl('moved'));
  });
});

test('the sign-in page’s request about an e-mail address reveals whether its domain has a provider, and not whether its account exists (13.5b)', async () => {
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
