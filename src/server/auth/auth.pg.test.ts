import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';
import { rememberDevice } from './known-devices.ts';

let portal: TestPortal;
let customer: number;

beforeAll(async () => {
  portal = await testPortal();
  customer = await portal.organization('klant');
  await portal.user('Anna@Klant.nl', customer);
});
afterAll(() => portal.close());

const login = (email: string, password: string, headers: Record<string, string> = {}) =>
  portal.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password }, headers });
const validate = (cookie?: string) => portal.get('/api/auth/validate-token', cookie);

describe('signing in', () => {
  test('a sign-in sets the session in an http-only, same-site cookie (AUTH-02, AUTH-09, AUTH-10)', async () => {
    const answer = await login('anna@klant.nl', PASSWORD);
    expect(answer.statusCode).toBe(200);
    const [session, device] = answer.headers['set-cookie'] as unknown as string[];
    expect(session).toMatch(/^werkstroom=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(device).toMatch(
      /^werkstroom-device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const cookie = session?.split(';')[0];
    expect((await validate(cookie)).json()).toEqual({
      isAuthenticated: true,
      user: {
        email: 'Anna@Klant.nl',
        name: null,
        organization: 'klant',
        cleanorg: 'klant BV',
        isBerende: false,
        role: 'gebruiker',
        isConfirmed: true,
        seesRoutes: true,
        hasNoMailServer: true,
      },
    });
  });

  test('over https the session cookie is Secure and bound to the host (AUTH-10)', async () => {
    const secure = await testPortal({ PUBLIC_URL: 'https://portaal.example.nl' });
    await secure.user('b@klant.nl', await secure.organization('klant'));
    const answer = await secure.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'b@klant.nl', password: PASSWORD },
    });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-werkstroom=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
      expect.stringMatching(/^__Host-werkstroom-device=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ]);
    expect(answer.headers['strict-transport-security']).toContain('max-age=31536000');
    await secure.close();
  });

  test('a sign-in with a wrong password and one with an unknown account get the same answer (AUTH-05)', async () => {
    const wrong = await login('anna@klant.nl', 'wrong');
    const unknown = await login('nobody@klant.nl', 'wrong');
    expect(wrong.statusCode).toBe(401);
    expect(wrong.json()).toEqual({
      code: 'bad_credentials',
      message: 'Login failed. Please check your credentials.',
    });
    expect([unknown.statusCode, unknown.json()]).toEqual([wrong.statusCode, wrong.json()]);
  });

  test.each([
    ['no body', undefined],
    ['no password', { email: 'anna@klant.nl' }],
    ['a list', []],
    ['a number for an e-mail', { email: 1, password: 'x' }],
    ['an endless password', { email: 'anna@klant.nl', password: 'x'.repeat(2000) }],
  ])('a sign-in with %s gets 400 with a message (API-03)', async (_, payload) => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      ...(payload === undefined ? {} : { payload }),
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid', message: expect.stringMatching(/\w/) });
  });

  test('malformed JSON gets 400 without a stack (API-03)', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: '{"email":',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { code: 'invalid', message: 'De aanvraag is onleesbaar.' },
    ]);
  });

  test('sign-in attempts are counted per account and address, and a success resets the count (AUTH-11)', async () => {
    await portal.user('limit@klant.nl', customer);
    for (let n = 0; n < 9; n++) expect((await login('limit@klant.nl', 'wrong')).statusCode).toBe(401);
    expect((await login('limit@klant.nl', PASSWORD)).statusCode).toBe(200);
    for (let n = 0; n < 10; n++) expect((await login('LIMIT@klant.nl', 'wrong')).statusCode).toBe(401);
    const limited = await login('limit@klant.nl', PASSWORD);
    expect([limited.statusCode, limited.json().code]).toEqual([429, 'too_many_requests']);
    expect((await login('anna@klant.nl', PASSWORD)).statusCode).toBe(200);
  });

  test('passwords are stored as argon2id, session tokens as a hash (AUTH-11)', async () => {
    const { rows: codes } = await portal.pool.query('select code from organization where id = $1', [
      customer,
    ]);
    const payload = { email: 'nieuw@klant.nl', password: PASSWORD, organizationCode: codes[0].code };
    const registered = await portal.app.inject({ method: 'POST', url: '/api/auth/register', payload });
    expect(registered.statusCode).toBe(200);
    const cookie = await portal.login('nieuw@klant.nl');
    const token = cookie.split('=')[1] as string;
    const { rows } = await portal.pool.query(
      `select (select password_hash from account where email = 'nieuw@klant.nl') as password,
         (select count(*)::int from session where encode(token_hash, 'escape') like '%' || $1 || '%') as plain`,
      [token],
    );
    expect(rows[0]?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(rows[0]?.plain).toBe(0);
  });

  test("a second sign-in ends the browser's previous session (AUTH-10)", async () => {
    const first = await portal.login('anna@klant.nl');
    const answer = await login('anna@klant.nl', PASSWORD, { cookie: first });
    expect(answer.statusCode).toBe(200);
    expect((await validate(first)).json()).toEqual({ isAuthenticated: false });
  });
});

describe('the end of a session', () => {
  test('signing out ends the session on the server and clears the cookie (APP-07, AUTH-10)', async () => {
    const cookie = await portal.login('anna@klant.nl');
    const answer = await portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie } });
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Uitgelogd.' }]);
    expect(answer.headers['set-cookie']).toMatch(/^werkstroom=;.*Expires=Thu, 01 Jan 1970/);
    expect((await validate(cookie)).json()).toEqual({ isAuthenticated: false });
    expect((await portal.get('/api/live', cookie)).statusCode).toBe(401);
  });

  test.each([
    ['the account is deleted', `delete from account where lower(email) = 'gone@klant.nl'`],
    ['the organization is disabled', `update organization set is_active = false where name = 'weg'`],
    ['the session has expired', `update session set expires_at = now() - interval '1 second'`],
  ])('a session ends when %s (AUTH-10)', async (_, sql) => {
    const organization = await portal.pool.query(
      `insert into organization (name, clean, code) values ('weg', 'Weg', 'weg')
       on conflict (name) do update set is_active = true returning id`,
    );
    await portal.pool.query(`delete from account where email = 'gone@klant.nl'`);
    await portal.user('gone@klant.nl', organization.rows[0]?.id);
    const cookie = await portal.login('gone@klant.nl');
    expect((await portal.get('/api/live', cookie)).statusCode).toBe(200);
    await portal.pool.query(sql);
    // The database's notification arrives well before the cache expires after 5 s.
    await expect
      .poll(async () => (await portal.get('/api/live', cookie)).statusCode, { timeout: 4_000 })
      .toBe(401);
    expect((await validate(cookie)).json()).toMatchObject({ isAuthenticated: false });
  });

  test('a failed read of a session is not cached: the next call reads it again (AUTH-10)', async () => {
    const cookie = await portal.login('anna@klant.nl');
    await portal.untilNotified();
    const client = await portal.pool.connect();
    await client.query('begin');
    await client.query('lock table session');
    const asked = portal.get('/api/live', cookie);
    await waitForLockWaits(portal.pool);
    await client.query(
      `select pg_cancel_backend(pid) from pg_locks where relation = 'session'::regclass and not granted`,
    );
    expect((await asked).statusCode).toBe(503);
    await client.query('rollback');
    client.release();
    expect((await portal.get('/api/live', cookie)).statusCode).toBe(200);
  });

  test('a person of a disabled organization cannot sign in (AUTH-10)', async () => {
    const id = await portal.organization('dicht');
    await portal.user('dicht@klant.nl', id);
    await portal.pool.query('update organization set is_active = false where id = $1', [id]);
    const answer = await login('dicht@klant.nl', PASSWORD);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'forbidden']);
    expect((await login('dicht@klant.nl', 'wrong')).statusCode).toBe(401);
  });

  test('a session that ended with its organization stays ended when the organization is enabled again (AUTH-10)', async () => {
    const id = await portal.organization('aan-en-uit');
    await portal.user('uit@klant.nl', id);
    const cookie = await portal.login('uit@klant.nl');
    await portal.pool.query('update organization set is_active = false where id = $1', [id]);
    await portal.pool.query('update organization set is_active = true where id = $1', [id]);
    await expect
      .poll(async () => (await portal.get('/api/live', cookie)).statusCode, { timeout: 4_000 })
      .toBe(401);
    expect((await portal.get('/api/live', await portal.login('uit@klant.nl'))).statusCode).toBe(200);
  });

  test('a sign-in while the organization is being disabled gets 403 and no session (AUTH-10)', async () => {
    const id = await portal.organization('net-dicht');
    await portal.user('net@klant.nl', id);
    const client = await portal.pool.connect();
    await client.query('begin');
    await client.query('update organization set is_active = false where id = $1', [id]);
    const signingIn = login('net@klant.nl', PASSWORD);
    await waitForLockWaits(portal.pool);
    await client.query('commit');
    client.release();
    expect((await signingIn).statusCode).toBe(403);
    const { rows } = await portal.pool.query(
      'select 1 from session s join account a on a.id = s.account_id where a.organization_id = $1',
      [id],
    );
    expect(rows).toEqual([]);
  });

  test('a sign-in with a password that is being replaced gets 403 and no session (AUTH-10)', async () => {
    await portal.user('wissel@klant.nl', await portal.organization('wissel'));
    const client = await portal.pool.connect();
    await client.query('begin');
    await client.query(`update account set password_hash = 'another' where email = 'wissel@klant.nl'`);
    const signingIn = login('wissel@klant.nl', PASSWORD);
    await waitForLockWaits(portal.pool);
    await client.query('commit');
    client.release();
    expect((await signingIn).statusCode).toBe(403);
    const { rows } = await portal.pool.query(
      `select 1 from session s join account a on a.id = s.account_id where a.email = 'wissel@klant.nl'`,
    );
    expect(rows).toEqual([]);
  });

  test.each(['', 'werkstroom=', 'werkstroom=x', `werkstroom=${'é'.repeat(50)}`, 'other=1'])(
    'a malformed cookie (%j) does not count as a session (AUTH-09)',
    async (cookie) => {
      expect((await validate(cookie)).json()).toEqual({ isAuthenticated: false });
    },
  );
});

test('remembering the browser of an account that was just deleted does not fail (AUTH-10, USER-01)', async () => {
  expect(await rememberDevice(portal.pool, 2_000_000_000, undefined)).toMatch(/^[\w-]{43}$/);
  const { rows } = await portal.pool.query('select from known_device where account_id = 2000000000');
  expect(rows).toEqual([]);
});
