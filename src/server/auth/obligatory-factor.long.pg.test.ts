import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { api } from '#shared/contract/api.ts';
import { addAuthenticatorApp, type Browser, testBrowser, totpCodeAt } from './test/browser.ts';

const STEP = 30_000;
let portal: TestPortal;
let clock = Date.now();
let customer: number;
let other: number;
beforeAll(async () => {
  portal = await testPortal({ REQUIRE_SECOND_FACTOR: 'admin' }, () => clock);
  const admin = await portal.organization('admin');
  customer = await portal.organization('klant');
  other = await portal.organization('ander');
  await portal.user('beheer@portaal.nl', admin);
  await portal.user('baas@klant.nl', customer, 'beheerder');
  await portal.user('baas@ander.nl', other, 'beheerder');
});
afterAll(() => portal.close());
beforeEach(async () => {
  clock += 10 * STEP;
  await portal.pool.query('delete from rate_limit');
});

const signedIn = async (email: string): Promise<Browser> => {
  const own = testBrowser(portal);
  const answer = await own.login(email);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.json));
  return own;
};
const MISSING = {
  code: 'second-factor-setup-required',
  message: 'Stel eerst een tweede stap in voor het inloggen.',
};
const liveStatus = async (own: Browser): Promise<number> => (await own.call('GET', '/api/live')).status;

describe('a person who needs a second factor and has none', () => {
  test('a person without a required second factor gets 403 from every call except those that set a factor up (13.4k)', async () => {
    const own = testBrowser(portal);
    const { status, json } = await own.login('beheer@portaal.nl');
    expect([status, json.user]).toEqual([200, expect.objectContaining({ lacksFactor: true })]);
    expect((await own.call('GET', '/api/auth/validate-token')).json).toMatchObject({
      user: { lacksFactor: true },
    });
    const open: string[] = [];
    for (const [key, endpoint] of Object.entries(api)) {
      if (endpoint.access === 'public') continue;
      const [method, path] = key.split(' ') as ['GET', string];
      const answer = await own.call(method, path.replace(/:\w+/g, 'x'));
      if (answer.json.code !== MISSING.code) open.push(key);
      else expect([key, answer]).toEqual([key, { status: 403, json: MISSING }]);
    }
    // These calls are served too: a generated password must be changed before a factor is added, and adding one may need re-authentication.
    const others = [
      'POST /api/account/password',
      'POST /api/account/proof',
      'POST /api/account/proof/options',
    ];
    expect(open.filter((key) => !others.includes(key))).toEqual([
      'GET /api/account/factors',
      'POST /api/account/factors/totp',
      'POST /api/account/factors/totp/confirm',
      'POST /api/account/factors/passkey',
      'POST /api/account/factors/passkey/confirm',
    ]);
    expect(await own.call('GET', '/tiles/status')).toEqual({ status: 403, json: MISSING });
    expect(await own.call('GET', '/metrics')).toEqual({ status: 403, json: MISSING });
    expect(await liveStatus(own)).toBe(403);
  });

  test('a person can use all calls as soon as the required second factor is set up, and cannot remove the only one (13.4k)', async () => {
    const own = await signedIn('beheer@portaal.nl');
    expect(await liveStatus(own)).toBe(403);
    const { secret } = await addAuthenticatorApp(own, clock);
    expect((await own.call('GET', '/api/user/get')).status).toBe(200);
    expect(await liveStatus(own)).toBe(200);
    const { json } = await own.call('GET', '/api/account/factors');
    expect(json).toMatchObject({ isRequired: true });
    const [{ id }] = (json as unknown as { factors: [{ id: number }] }).factors;
    expect(await own.call('DELETE', `/api/account/factors?id=${id}`)).toMatchObject({ status: 409 });
    clock += 2 * STEP;
    await addAuthenticatorApp(own, clock, 'Tweede');
    expect((await own.call('DELETE', `/api/account/factors?id=${id}`)).status).toBe(200);
    expect(
      (await testBrowser(portal).login('beheer@portaal.nl', { totp: totpCodeAt(secret, clock) })).status,
    ).toBe(401);
    await portal.pool.query('delete from factor');
  });

  test('a person whose only factor is disabled must set up another one (13.4k)', async () => {
    const own = await signedIn('beheer@portaal.nl');
    await addAuthenticatorApp(own, clock);
    expect(await liveStatus(own)).toBe(200);
    await portal.pool.query('update factor set disabled_at = now()');
    await expect.poll(() => liveStatus(own), { timeout: 4_000 }).toBe(403);
    await portal.pool.query('delete from factor');
  });

  test.each([
    ['none', 200, 200],
    ['admin', 403, 200],
    ['all', 403, 403],
  ])(
    'REQUIRE_SECOND_FACTOR=%s determines who must have a second factor (13.4k)',
    async (setting, ofAdmin, ofCustomer) => {
      const own = await testPortal({ REQUIRE_SECOND_FACTOR: setting });
      const users = {
        'a@portaal.nl': await own.organization('admin'),
        'b@klant.nl': await own.organization('klant'),
      };
      const statuses = [];
      for (const [email, organization] of Object.entries(users)) {
        await own.user(email, organization);
        const visitor = testBrowser(own);
        await visitor.login(email);
        statuses.push((await visitor.call('GET', '/api/organization/get')).status);
      }
      await own.close();
      expect(statuses).toEqual([ofAdmin, ofCustomer]);
    },
  );
});

describe('an organization that requires a second factor', () => {
  const rule = (own: Browser, name: string) =>
    own.call('GET', `/api/organization/second-factor?name=${name}`);
  const require = (own: Browser, name: string, isRequired: boolean) =>
    own.call('POST', '/api/organization/second-factor', { name, isRequired });

  test('a beheerder can require a second factor of the own organization only, and people who are signed in need the factor at once (13.4k)', async () => {
    await portal.user('jan@klant.nl', customer);
    const [baas, jan, stranger] = await Promise.all(
      ['baas@klant.nl', 'jan@klant.nl', 'baas@ander.nl'].map(signedIn),
    );
    expect(await liveStatus(jan!)).toBe(200);
    await addAuthenticatorApp(baas!, clock);
    expect(await rule(baas!, 'klant')).toEqual({
      status: 200,
      json: { isRequired: false, byOperator: false, people: 2, without: 1 },
    });
    expect(await require(baas!, 'klant', true)).toMatchObject({ status: 200, json: { isRequired: true } });
    await expect.poll(() => liveStatus(jan!), { timeout: 4_000 }).toBe(403);
    expect(await liveStatus(baas!)).toBe(200);
    expect(await liveStatus(stranger!)).toBe(200);
    expect((await require(baas!, 'klant', false)).status).toBe(200);
    await expect.poll(() => liveStatus(jan!), { timeout: 4_000 }).toBe(200);
    const { rows } = await portal.pool.query(
      `select actor, subject, changes from ${AUDIT_ROWS_SQL} where action = 'organization.second-factor' order by id`,
    );
    expect(rows).toEqual(
      [true, false].map((now) => ({
        actor: 'baas@klant.nl',
        subject: 'klant',
        changes: { isRequired: [!now, now] },
      })),
    );
  });

  test('whether an organization requires a second factor is visible to its beheerders and to administrators only (13.4k)', async () => {
    const stranger = await signedIn('baas@ander.nl');
    expect((await rule(stranger, 'klant')).status).toBe(404);
    expect((await require(stranger, 'klant', true)).status).toBe(404);
    expect((await require(stranger, 'geen', true)).status).toBe(404);
    const admin = await signedIn('beheer@portaal.nl');
    await addAuthenticatorApp(admin, clock);
    expect((await require(admin, 'ander', true)).status).toBe(200);
    expect((await require(admin, 'ander', false)).status).toBe(200);
    expect((await rule(admin, 'admin')).json).toMatchObject({ isRequired: false, byOperator: true });
    await portal.pool.query(
      `delete from factor where account_id = (select id from account where email = 'beheer@portaal.nl')`,
    );
  });
});

describe('resetting a lost factor', () => {
  async function withApp(email: string, organization: number, role: 'beheerder' | 'gebruiker' | 'technicus') {
    await portal.user(email, organization, role);
    const own = await signedIn(email);
    const { secret, recoveryCodes } = await addAuthenticatorApp(own, clock);
    clock += 2 * STEP;
    return { own, secret, recoveryCodes };
  }
  const reset = (own: Browser, email: string) => own.call('POST', '/api/user/reset-factor', { email });
  const adminOf = async () => {
    const own = await signedIn('beheer@portaal.nl');
    await addAuthenticatorApp(own, clock);
    return own;
  };

  test("a beheerder's reset signs the person out, mails them and is audited; the password remains (13.4l)", async () => {
    const { own, secret, recoveryCodes } = await withApp('kwijt@klant.nl', customer, 'gebruiker');
    await portal.pool.query(
      `delete from factor where account_id = (select id from account where email = 'baas@klant.nl')`,
    );
    const half = testBrowser(portal);
    await half.login('kwijt@klant.nl');
    const baas = await signedIn('baas@klant.nl');
    expect((await reset(baas, 'KWIJT@klant.nl')).status).toBe(200);
    expect((await own.call('GET', '/api/auth/validate-token')).json.isAuthenticated).toBe(false);
    expect((await half.call('POST', '/api/auth/login/code', { code: recoveryCodes[0] })).status).toBe(401);
    const again = await signedIn('kwijt@klant.nl');
    expect((await again.call('GET', '/api/account/factors')).json).toMatchObject({
      factors: [],
      recoveryCodes: 0,
    });
    expect(totpCodeAt(secret, clock)).toMatch(/^\d{6}$/);
    const { rows } = await portal.pool.query(
      `select actor, action from ${AUDIT_ROWS_SQL} where subject = 'kwijt@klant.nl' and action = 'factor.reset'`,
    );
    expect(rows).toEqual([{ actor: 'baas@klant.nl', action: 'factor.reset' }]);
    const { rows: mails } = await portal.pool.query(
      `select data->>'subject' as subject from pgboss.job where name = 'mail' and data->>'to' = 'kwijt@klant.nl' order by created_on desc limit 1`,
    );
    expect(mails).toEqual([{ subject: 'Je tweede stap bij het inloggen is weggehaald' }]);
  });

  test('a beheerder cannot reset the factor of a beheerder or of a person of another organization; an administrator can reset the factor of everyone except administrators (13.4l)', async () => {
    const baas = await signedIn('baas@klant.nl');
    await withApp('tweede-baas@klant.nl', customer, 'beheerder');
    await withApp('jan@ander.nl', other, 'gebruiker');
    const admin = await portal.pool.query(`select id from organization where name = 'admin'`);
    expect(await reset(baas, 'tweede-baas@klant.nl')).toMatchObject({
      status: 403,
      json: { code: 'forbidden' },
    });
    expect(await reset(baas, 'baas@klant.nl')).toMatchObject({ status: 403 });
    expect((await reset(baas, 'jan@ander.nl')).status).toBe(404);
    expect((await reset(baas, 'beheer@portaal.nl')).status).toBe(404);
    const top = await adminOf();
    await portal.user('techniek@portaal.nl', admin.rows[0].id, 'technicus');
    await portal.user('beheer2@portaal.nl', admin.rows[0].id, 'administrator');
    for (const [email, status] of [
      ['tweede-baas@klant.nl', 200],
      ['jan@ander.nl', 200],
      ['techniek@portaal.nl', 200],
      ['beheer2@portaal.nl', 403],
      ['niemand@klant.nl', 404],
    ] as const)
      expect([email, (await reset(top, email)).status]).toEqual([email, status]);
    const technicus = await signedIn('techniek@portaal.nl');
    await addAuthenticatorApp(technicus, clock);
    expect((await reset(technicus, 'jan@ander.nl')).status).toBe(403);
  });
});
