import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addFirstOperatorRules } from '#server/alerts/operator-rules.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { METRICS_TOKEN } from '#server/test/security/principals/watched-app.ts';
import { api } from '#shared/contract/api.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { ensureAdministrator } from './first-start.ts';
import { hashOfToken } from './password-resets.ts';

const NEW = 'een eigen wachtwoord';
const REQUIRED = [403, { code: 'password_change_required', message: 'Kies eerst een nieuw wachtwoord.' }];

let portal: TestPortal;
let dataDir: string;
let file: string;
let made: { email: string; password: string };
const start = () => ensureAdministrator(portal.pool, { DATA_DIR: dataDir }, addFirstOperatorRules);
beforeAll(async () => {
  portal = await testPortal({ METRICS_TOKEN });
  dataDir = portal.portal.config.DATA_DIR;
  file = join(dataDir, 'first-admin.txt');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from account');
  await rm(file, { force: true });
  expect(await start()).toBe(file);
  const [email = '', password = ''] = (await readFile(file, 'utf8')).split('\n');
  made = { email, password };
});

const post = (url: string, payload: object, cookie?: string) =>
  portal.app.inject({ method: 'POST', url, payload, headers: cookie ? { cookie } : {} });
const signIn = async (password = made.password) => {
  const answer = await post('/api/auth/login', { email: made.email, password });
  const cookie = String([answer.headers['set-cookie']].flat()[0]).split(';', 1)[0] as string;
  return { status: answer.statusCode, user: answer.json().user, cookie };
};
const validated = async (cookie: string) => (await portal.get('/api/auth/validate-token', cookie)).json();

test('a sign-in with the password of first-admin.txt gets 403 for every call except choosing another password (13.10p)', async () => {
  const { status, user, cookie } = await signIn();
  expect([status, user.mustChangePassword]).toEqual([200, true]);
  const answers = new Map<string, unknown>();
  for (const [key, endpoint] of Object.entries(api as Record<string, Endpoint>)) {
    if (endpoint.access === 'public') continue;
    const [method, path] = key.split(' ') as ['GET', string];
    const url = path.replace(/:\w+/g, 'x');
    const answer = await portal.app.inject({
      method,
      url,
      headers: { cookie },
      ...(endpoint.body && { payload: {} }),
    });
    answers.set(key, [answer.statusCode, answer.json()]);
  }
  const served = [...answers].filter(([, answer]) => JSON.stringify(answer) !== JSON.stringify(REQUIRED));
  expect(answers.size).toBeGreaterThan(50);
  expect(served.map(([key]) => key)).toEqual(['POST /api/account/password']);
  // Map tiles, which no call of src/shared/contract serves, are refused too.
  expect((await portal.get('/tiles/street/1/1/0', cookie)).json()).toEqual(REQUIRED[1]);
  const metrics = { authorization: `Bearer ${METRICS_TOKEN}` };
  expect((await portal.get('/metrics', undefined, metrics)).statusCode).toBe(200);
  expect(await validated(cookie)).toMatchObject({
    isAuthenticated: true,
    user: { mustChangePassword: true },
  });
  expect((await post('/api/auth/logout', {}, cookie)).statusCode).toBe(200);
  expect(await validated(cookie)).toEqual({ isAuthenticated: false });
});

test('choosing another password opens all calls and deletes first-admin.txt (13.10p)', async () => {
  const { cookie } = await signIn();
  const same = await post('/api/account/password', { present: made.password, new: made.password }, cookie);
  expect([same.statusCode, existsSync(file)]).toEqual([400, true]);
  const answer = await post('/api/account/password', { present: made.password, new: NEW }, cookie);
  expect(answer.statusCode).toBe(200);
  expect(existsSync(file)).toBe(false);
  const own = String([answer.headers['set-cookie']].flat()[0]).split(';', 1)[0] as string;
  expect((await portal.get('/api/user/get', own)).statusCode).toBe(200);
  expect((await validated(own)).user).not.toHaveProperty('mustChangePassword');
  const again = await signIn(NEW);
  expect([again.status, again.user]).toEqual([
    200,
    expect.not.objectContaining({ mustChangePassword: true }),
  ]);
});

test('a person who also needs a second factor first chooses a password and then sets up the factor (13.10p)', async () => {
  await portal.pool.query(`update organization set requires_second_factor = true where name = 'admin'`);
  const { cookie } = await signIn();
  expect((await portal.get('/api/account/factors', cookie)).json()).toEqual(REQUIRED[1]);
  const answer = await post('/api/account/password', { present: made.password, new: NEW }, cookie);
  const own = String([answer.headers['set-cookie']].flat()[0]).split(';', 1)[0] as string;
  expect((await portal.get('/api/account/factors', own)).statusCode).toBe(200);
  expect((await portal.get('/api/user/get', own)).json().code).toBe('second-factor-setup-required');
  await portal.pool.query('update organization set requires_second_factor = false');
});

test('a user who chose the password through a mailed link may make all calls (13.10p)', async () => {
  await portal.pool.query(
    `insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until)
     select gen_random_uuid(), id, 'x', now() + interval '10 minutes', 5, $1, now() + interval '30 minutes' from account`,
    [hashOfToken('token')],
  );
  const answer = await post('/api/auth/reset-password-with-link', { token: 'token', newPassword: NEW });
  expect([answer.statusCode, existsSync(file)]).toEqual([200, false]);
  expect((await signIn(NEW)).user).not.toHaveProperty('mustChangePassword');
});

test('an administrator whose password is set by ADMIN_PASSWORD and a person who registered need not change their password (13.10p)', async () => {
  await portal.pool.query('delete from account');
  await rm(file);
  const settings = { DATA_DIR: dataDir, ADMIN_EMAIL: made.email, ADMIN_PASSWORD: 'a long password, this' };
  expect(await ensureAdministrator(portal.pool, settings, addFirstOperatorRules)).toBeUndefined();
  expect(existsSync(file)).toBe(false);
  expect((await signIn('a long password, this')).user).not.toHaveProperty('mustChangePassword');
  await portal.user('anna@klant.nl', await portal.organization('klant'));
  expect((await portal.get('/api/live', await portal.login('anna@klant.nl'))).statusCode).toBe(200);
});

test.each(['welkom01welkom01', 'werkstroom2026', 'beheer-beheer', 'Baas@klant.nl1'])(
  'an ADMIN_PASSWORD that is easy to guess (%s) stops the start (13.3h)',
  async (ADMIN_PASSWORD) => {
    await portal.pool.query('delete from account');
    const settings = { DATA_DIR: dataDir, ADMIN_EMAIL: 'baas@klant.nl', ADMIN_PASSWORD };
    await expect(ensureAdministrator(portal.pool, settings, addFirstOperatorRules)).rejects.toThrow(
      /^ADMIN_PASSWORD is too easy to guess; set another\. \(Dit /,
    );
    expect((await portal.pool.query('select from account')).rowCount).toBe(0);
  },
);

test('the next start deletes a first-admin.txt only if its password is no longer valid (13.10p)', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'werkstroom-first-'));
  for (const text of [`${made.email}\nan older password\n`, `nobody@klant.nl\n${made.password}\n`, '']) {
    await writeFile(join(elsewhere, 'first-admin.txt'), text);
    expect(
      await ensureAdministrator(portal.pool, { DATA_DIR: elsewhere }, addFirstOperatorRules),
    ).toBeUndefined();
    expect(existsSync(join(elsewhere, 'first-admin.txt'))).toBe(false);
  }
  await rm(elsewhere, { recursive: true });
  expect([await start(), existsSync(file)]).toEqual([undefined, true]);
});
