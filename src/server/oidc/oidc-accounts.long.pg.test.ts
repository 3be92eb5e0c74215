import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfToken } from '#server/auth/password-resets.ts';
import { makeAuthenticator } from '#server/auth/test/authenticator.ts';
import { addAuthenticatorApp, testBrowser, totpCodeAt } from '#server/auth/test/browser.ts';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { PASSWORD, type TestPortal } from '#server/test/portal.ts';
import { OIDC_OUTCOME_TEXTS, ONLY_OIDC_MESSAGE } from '#shared/domain/oidc.ts';
import { type OidcPortal, oidcOutcomeUrl, openOidcPortal } from './test/partner.ts';

let partner: OidcPortal;
let portal: TestPortal;
beforeAll(async () => {
  partner = await openOidcPortal();
  portal = partner.portal;
});
afterAll(() => partner.close());
beforeEach(() => partner.calm());

describe('an account that existed before the provider', () => {
  const confirm = (cookie: string, password: string) =>
    portal.app.inject({
      method: 'POST',
      url: '/api/auth/oidc/confirm',
      payload: { password },
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });

  /** Links an account to an identity, as another sign-in would do meanwhile. */
  const bind = (email: string, subject: string, db: Pick<TestPortal['pool'], 'query'> = portal.pool) =>
    db.query(
      'insert into account_identity (account_id, issuer, subject) select id, $1, $2 from account where email = $3',
      [partner.provider.issuer, subject, email],
    );

  test('a sign-in at the provider does not take over an existing account with the same address (CVE-2026-108738, CVE-2026-36537), but links it once its password is given (13.5f)', async () => {
    const { page, session, attempt } = await partner.signIn('collega');
    expect([page, session]).toEqual([oidcOutcomeUrl('exists'), undefined]);
    expect(await partner.accountsOf('collega@bedrijf.example')).toMatchObject([{ issuer: null }]);
    const wrong = await confirm(attempt as string, 'geraden');
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'bad_credentials']);
    expect((await confirm('werkstroom-oidc=x', PASSWORD)).statusCode).toBe(409);
    const right = await confirm(attempt as string, PASSWORD);
    expect(right.statusCode).toBe(200);
    const cookies = right.headers['set-cookie'] as string[];
    const cookie = cookies.find((one) => one.startsWith('werkstroom='))?.split(';', 1)[0] as string;
    expect(await partner.emailOf(cookie)).toBe('collega@bedrijf.example');
    expect((await confirm(attempt as string, PASSWORD)).statusCode).toBe(409);
    expect((await partner.signIn('collega')).session).toBeDefined();
  });

  test('an account with a second factor must present it after the sign-in at the provider (13.5k)', async () => {
    await partner.signIn('voorzichtig');
    await portal.pool.query(
      `insert into factor (account_id, kind, name, secret, last_step)
       select id, 'totp', 'Telefoon', 'x', 0 from account where email = 'voorzichtig@bedrijf.example'`,
    );
    const { page, session } = await partner.signIn('voorzichtig');
    expect([page, session]).toEqual(['http://localhost:3000/signin#stap=totp', undefined]);
  });

  test('an account with a second factor is linked only after its password and that factor (13.5f)', async () => {
    const email = 'beveiligd@bedrijf.example';
    await portal.user(email, partner.id);
    const own = testBrowser(portal);
    await own.login(email);
    const { secret } = await addAuthenticatorApp(own, Date.now());
    // Makes the present code valid again, as if the app's last code was used long ago.
    await portal.pool.query('update factor set last_step = 0');
    const isLinked = async () => typeof (await partner.accountsOf(email))[0]?.issuer === 'string';

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
    expect((await code(totpCodeAt(secret, Date.now()))).statusCode).toBe(200);
    expect(await isLinked()).toBe(true);
    const { rows } = await portal.pool.query('select from sign_in_step where issuer is not null');
    expect(rows).toEqual([]);
  });

  test('a sign-in through the provider fails with a message if another account is linked to the identity while the second factor is asked (13.5f, 41.6)', async () => {
    const [email, other] = ['traag@bedrijf.example', 'snel@bedrijf.example'];
    for (const one of [email, other]) await portal.user(one, partner.id);
    const own = testBrowser(portal);
    await own.login(email);
    const { secret } = await addAuthenticatorApp(own, Date.now());
    await portal.pool.query('update factor set last_step = 0');
    const { attempt } = await partner.signIn('traag');
    const asked = await confirm(attempt as string, PASSWORD);
    const step = [asked.headers['set-cookie']].flat().find((one) => one?.startsWith('werkstroom-step='));
    await bind(other, 'traag');
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/login/code',
      payload: { code: totpCodeAt(secret, Date.now()) },
      headers: { cookie: step?.split(';', 1)[0] ?? '', 'sec-fetch-site': 'same-origin' },
    });
    expect([answer.statusCode, answer.json().message]).toEqual([409, OIDC_OUTCOME_TEXTS.taken]);
    expect(String(answer.headers['set-cookie'])).not.toMatch(/werkstroom=/);
    expect(await partner.accountsOf(email)).toMatchObject([{ subject: null }]);
  });

  test('a password change while the second factor is asked ends the sign-in: the account gets no session and no link (13.5f, 41.6)', async () => {
    const email = 'gewijzigd@bedrijf.example';
    await portal.user(email, partner.id);
    const own = testBrowser(portal);
    await own.login(email);
    const { secret } = await addAuthenticatorApp(own, Date.now());
    await portal.pool.query('update factor set last_step = 0');
    const [name = '', value = ''] = ((await partner.signIn('gewijzigd')).attempt as string).split('=');
    const visitor = testBrowser(portal);
    visitor.cookies.set(name, value);
    const asked = await visitor.call('POST', '/api/auth/oidc/confirm', { password: PASSWORD });
    expect(asked.status).toBe(401);
    await portal.pool.query(`update account set password_hash = password_hash || 'x' where email = $1`, [
      email,
    ]);
    const code = totpCodeAt(secret, Date.now());
    expect((await visitor.call('POST', '/api/auth/login/code', { code })).status).toBe(401);
    expect(visitor.cookies.has('werkstroom')).toBe(false);
    expect(await partner.accountsOf(email)).toMatchObject([{ subject: null }]);
  });

  test('a sign-in through the provider fails with a message if another account is linked to the identity while a passkey is asked (13.5f, 41.6)', async () => {
    const [email, other] = ['talmer@bedrijf.example', 'haast@bedrijf.example'];
    for (const one of [email, other]) await portal.user(one, partner.id);
    const own = testBrowser(portal);
    await own.login(email);
    const device = makeAuthenticator();
    const begun = await own.call('POST', '/api/account/factors/passkey');
    const { token, options } = begun.json as { token: string; options: { challenge: string } };
    const passkey = device.make(options.challenge);
    const body = { token, factorName: 'Telefoon', passkey };
    expect((await own.call('POST', '/api/account/factors/passkey/confirm', body)).status).toBe(200);
    device.counter += 1;

    const [name = '', value = ''] = ((await partner.signIn('talmer')).attempt as string).split('=');
    const visitor = testBrowser(portal);
    visitor.cookies.set(name, value);
    const asked = await visitor.call('POST', '/api/auth/oidc/confirm', { password: PASSWORD });
    expect([asked.status, asked.json.factors]).toEqual([401, ['passkey']]);
    const { json } = await visitor.call('POST', '/api/auth/passkey/options');
    await bind(other, 'talmer');
    const shown = { passkey: device.show(json.challenge as string) };
    const answer = await visitor.call('POST', '/api/auth/passkey/login', shown);
    expect([answer.status, answer.json.message]).toEqual([409, OIDC_OUTCOME_TEXTS.taken]);
    expect(visitor.cookies.has('werkstroom')).toBe(false);
    expect(await partner.accountsOf(email)).toMatchObject([{ subject: null }]);
  });

  test('a sign-in through the provider fails if another account is linked to the identity while the password is confirmed (13.5f, 41.6)', async () => {
    const [email, other] = ['tegelijk@bedrijf.example', 'eerder@bedrijf.example'];
    for (const one of [email, other]) await portal.user(one, partner.id);
    const { attempt } = await partner.signIn('tegelijk');
    const client = await portal.pool.connect();
    try {
      await client.query('begin');
      await bind(other, 'tegelijk', client);
      const answering = confirm(attempt as string, PASSWORD);
      const waiting = `select from pg_locks join pg_stat_activity using (pid)
        where datname = current_database() and not granted`;
      const blocked = async () => (await portal.pool.query(waiting)).rowCount;
      await expect.poll(blocked, { timeout: 20_000 }).toBe(1);
      await client.query('commit');
      const answer = await answering;
      expect([answer.statusCode, answer.json().message]).toEqual([409, OIDC_OUTCOME_TEXTS.taken]);
      expect(String(answer.headers['set-cookie'])).not.toMatch(/werkstroom=/);
    } finally {
      client.release(true);
    }
    const sessions = 'select from session s join account a on a.id = s.account_id where a.email = $1';
    expect((await portal.pool.query(sessions, [email])).rowCount).toBe(0);
    expect(await partner.accountsOf(email)).toMatchObject([{ subject: null }]);
  });

  test('an identity of another account is refused before the second factor is asked (13.5f)', async () => {
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

  test('wrong passwords for an account that is being linked are counted (13.5f)', async () => {
    await portal.user('doelwit@bedrijf.example', partner.id);
    const { attempt } = await partner.signIn('doelwit');
    for (let n = 0; n < 10; n++) expect((await confirm(attempt as string, `gok ${n}`)).statusCode).toBe(401);
    expect((await confirm(attempt as string, PASSWORD)).statusCode).toBe(429);
  });

  test('an account is linked from Mijn account by its signed-in owner, to one identity (13.5f)', async () => {
    await portal.user('oud@elders.example', partner.id);
    const cookie = await portal.login('oud@elders.example');
    expect((await portal.get('/api/account/oidc', cookie)).json()).toEqual({
      isOffered: true,
      isOnly: false,
      linked: null,
    });
    const way = await partner.link('andere-naam', cookie);
    const answer = await partner.back(way.back, way.cookie);
    expect(answer).toMatchObject({ page: oidcOutcomeUrl('linked', '/account'), session: undefined });
    expect((await portal.get('/api/account/oidc', cookie)).json().linked).toMatchObject({
      issuer: partner.provider.issuer,
    });
    expect(await partner.emailOf((await partner.signIn('andere-naam')).cookie)).toBe('oud@elders.example');

    await portal.user('tweede@elders.example', partner.id);
    const second = await portal.login('tweede@elders.example');
    const taken = await partner.link('andere-naam', second);
    expect((await partner.back(taken.back, taken.cookie)).page).toBe(oidcOutcomeUrl('taken', '/account'));
    expect(await partner.emailOf((await partner.signIn('andere-naam')).cookie)).toBe('oud@elders.example');

    const unlinked = await partner.post('/api/account/oidc/unlink', cookie);
    expect(unlinked.statusCode).toBe(200);
    expect(await partner.emailOf((await partner.signIn('andere-naam')).cookie)).toBe(
      'andere-naam@bedrijf.example',
    );
  });

  test('an account is not linked when its session ends during the sign-in at the provider (13.5f)', async () => {
    await portal.user('weg@elders.example', partner.id);
    const cookie = await portal.login('weg@elders.example');
    const way = await partner.link('gekaapt', cookie);
    await partner.post('/api/auth/logout', cookie);
    expect((await partner.back(way.back, way.cookie)).page).toBe(oidcOutcomeUrl('again'));
    expect((await portal.pool.query(`select from account_identity where subject = 'gekaapt'`)).rowCount).toBe(
      0,
    );
  });
});

describe("an organization with provider-only sign-in ('alleen zo')", () => {
  const only = (is: boolean) =>
    portal.pool.query(`update oidc_provider set is_only = $1 where organization_id = $2`, [is, partner.id]);
  const login = (email: string, password = PASSWORD) =>
    partner.post('/api/auth/login', '', { email, password });

  test('with provider-only sign-in, a right password is refused with a hint and a wrong one without a hint; administrators sign in as usual (13.5g)', async () => {
    await portal.user('binnen@bedrijf.example', partner.id);
    await only(true);
    const right = await login('binnen@bedrijf.example');
    expect([right.statusCode, right.json().message]).toEqual([403, ONLY_OIDC_MESSAGE]);
    expect(right.headers['set-cookie']).toBeUndefined();
    const wrong = await login('binnen@bedrijf.example', 'fout');
    const unknown = await login('niemand@bedrijf.example', 'fout');
    expect([wrong.statusCode, wrong.json()]).toEqual([401, unknown.json()]);
    expect((await login('beheer@bedrijf.example')).statusCode).toBe(200);
    expect((await login('buur@buren.example')).statusCode).toBe(200);
    expect((await portal.get('/api/auth/oidc?domain=Bedrijf.example')).json()).toEqual({
      isOffered: true,
      isOnly: true,
    });
    await only(false);
    expect((await login('binnen@bedrijf.example')).statusCode).toBe(200);
  });

  test('an organization with provider-only sign-in refuses registration by code (13.5g)', async () => {
    await only(true);
    const { rows } = await portal.pool.query('select code from organization where id = $1', [partner.id]);
    const payload = { email: 'code@bedrijf.example', password: PASSWORD, organizationCode: rows[0].code };
    const answer = await partner.post('/api/auth/register', '', payload);
    expect([answer.statusCode, answer.json().message]).toEqual([
      403,
      expect.stringContaining('een code is niet nodig'),
    ]);
    expect(await partner.accountsOf('code@bedrijf.example')).toEqual([]);
    await only(false);
  });

  test('with provider-only sign-in, a request for a new password is answered by a mail without a code (13.5g)', async () => {
    await only(true);
    await portal.user('vergeten@bedrijf.example', partner.id);
    const answer = await partner.post('/api/auth/forgot-password', '', { email: 'vergeten@bedrijf.example' });
    const unknown = await partner.post('/api/auth/forgot-password', '', { email: 'nergens@bedrijf.example' });
    expect([answer.statusCode, answer.json()]).toEqual([unknown.statusCode, unknown.json()]);
    const mailed = async () =>
      (await readMailbox(portal.portal.config.DATA_DIR))
        .filter(({ to }) => to === 'vergeten@bedrijf.example')
        .map(({ subject }) => subject);
    await expect.poll(mailed, { timeout: 20_000 }).toEqual(['Inloggen via je organisatie']);
    await only(false);
  });

  test('an account of an organization with provider-only sign-in cannot be unlinked (13.5g)', async () => {
    const { cookie } = await partner.signIn('nieuw');
    await only(true);
    const answer = await partner.post('/api/account/oidc/unlink', cookie);
    expect(answer.statusCode).toBe(409);
    expect((await partner.signIn('nieuw')).session).toBeDefined();
    await only(false);
  });
});

describe('an account created through the provider', () => {
  const ways = async (cookie: string) => (await partner.post('/api/account/proof/options', cookie)).json();

  test('an account created through the provider cannot re-authenticate by password until its owner chooses one (13.6k)', async () => {
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

  test('linking and unlinking an identity each send a mail to the owner of the account (13.5o)', async () => {
    await portal.user('koppel@bedrijf.example', partner.id);
    const session = await portal.login('koppel@bedrijf.example');
    const way = await partner.link('koppel-1', session);
    expect((await partner.back(way.back, way.cookie)).page).toBe(oidcOutcomeUrl('linked', '/account'));
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
    // A new account inherits nothing from the deleted one.
    await partner.signIn('vers');
    expect((await mails('vers@bedrijf.example')).rowCount).toBe(0);
  });
});
