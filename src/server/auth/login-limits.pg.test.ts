import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  await portal.user('anna@klant.nl', await portal.organization('klant'));
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
});

type Visit = { email?: string; password?: string; from?: string; cookie?: string };

const login = ({ email = 'anna@klant.nl', password = 'wrong', from = '192.0.2.1', cookie }: Visit) =>
  portal.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password },
    remoteAddress: from,
    headers: cookie ? { cookie } : {},
  });
const status = async (visit: Visit) => (await login(visit)).statusCode;
/** Many at once, as an attacker would. */
const often = (n: number, visit: (i: number) => Visit) =>
  Promise.all(Array.from({ length: n }, (_, i) => status(visit(i))));
const rows = async () => (await portal.pool.query('select key, count from rate_limit order by key')).rows;

/** The cookies that a browser has after signing in, but for the session. */
const deviceOf = async (from: string): Promise<string> => {
  const answer = await login({ password: PASSWORD, from });
  const [, device] = answer.headers['set-cookie'] as unknown as string[];
  return String(device).split(';', 1)[0] as string;
};

test('AUTH-11 strangers’ tries leave few rows: once an address is used up, nothing is written any more', async () => {
  await often(260, (i) => ({ email: `stranger${i}@klant.nl` }));
  const after = await rows();
  // One row for the address, and two for each of its 200 tries.
  expect(after).toHaveLength(401);
  expect(await status({ email: 'another@klant.nl' })).toBe(429);
  expect(await rows()).toEqual(after);
  expect(await status({ email: 'another@klant.nl', from: '192.0.2.2' })).toBe(401);
});

test('AUTH-11 tries of more than 15 minutes ago are cleared away by those who come later', async () => {
  await portal.pool.query(
    `insert into rate_limit select 'old ' || n, now() - interval '16 minutes', 3 from generate_series(1, 30) n`,
  );
  for (const from of ['192.0.2.1', '192.0.2.2']) await login({ from });
  expect((await rows()).filter(({ key }) => key.startsWith('old'))).toEqual([]);
});

test('AUTH-11 tries count again from nothing after 15 minutes', async () => {
  await often(10, () => ({}));
  expect(await status({ password: PASSWORD })).toBe(429);
  await portal.pool.query(`update rate_limit set window_start = now() - interval '15 minutes 1 second'`);
  expect(await status({ password: PASSWORD })).toBe(200);
});

test('AUTH-11 guesses at the same time are all counted', async () => {
  const answers = await often(40, () => ({}));
  expect(answers.filter((code) => code === 401)).toHaveLength(10);
});

test('AUTH-11 two hundred good sign-ins are no guesses', async () => {
  for (let n = 0; n < 21; n++) {
    const answers = await often(10, () => ({ password: PASSWORD }));
    expect(new Set(answers)).toEqual(new Set([200]));
  }
  expect((await rows()).filter(({ count }) => count > 0)).toEqual([]);
}, 120_000);

test('AUTH-11 a success gives back its own tries only', async () => {
  await portal.user('bad@klant.nl', await portal.organization('ander'));
  await often(5, (i) => ({ email: `x${i}@klant.nl` }));
  expect(await status({ email: 'bad@klant.nl', password: PASSWORD })).toBe(200);
  expect(await rows()).toContainEqual({ key: 'login from 192.0.2.1', count: 5 });
});

test('AUTH-11 guessing from many addresses stops, and locks nobody out who has been here before', async () => {
  const device = await deviceOf('198.51.100.1');
  await portal.pool.query('delete from rate_limit');
  const answers = await often(150, (i) => ({ from: `203.0.113.${Math.floor(i / 10)}` }));
  expect(answers.filter((code) => code === 401)).toHaveLength(100);
  expect(await status({ password: PASSWORD, from: '203.0.113.200' })).toBe(429);
  // From any address: it is the browser that is known.
  expect(await status({ password: PASSWORD, from: '203.0.113.201', cookie: device })).toBe(200);
});

test('AUTH-11 a known browser guesses no more than a stranger, and only its own account', async () => {
  const device = await deviceOf('198.51.100.1');
  const answers = await often(15, () => ({ cookie: device }));
  expect(answers.filter((code) => code === 401)).toHaveLength(10);
  await portal.pool.query('delete from rate_limit');
  await portal.user('carla@klant.nl', await portal.organization('derde'));
  const others = await often(15, () => ({ email: 'carla@klant.nl', cookie: device }));
  expect(others.filter((code) => code === 401)).toHaveLength(10);
  expect((await rows()).map(({ key }) => key)).toContain('login carla@klant.nl');
});

test('AUTH-11 a made-up device cookie is no known browser', async () => {
  const cookie = `werkstroom-device=${'A'.repeat(43)}`;
  await often(10, () => ({ cookie }));
  expect(await status({ password: PASSWORD })).toBe(429);
});

test('AUTH-11 one subscriber’s IPv6 network is one address', async () => {
  const answers = await often(20, (i) => ({ from: `2001:db8:1:2::${i.toString(16)}` }));
  expect(answers.filter((code) => code === 401)).toHaveLength(10);
});

test.each([
  ['off', '192.0.2.1', ['login from 192.0.2.1']],
  ['on', '203.0.113.9', ['login from 203.0.113.9']],
])('AUTH-11 with TRUST_PROXY %s a forged X-Forwarded-For changes nothing', async (TRUST_PROXY, _, keys) => {
  const proxied = await testPortal({ TRUST_PROXY });
  for (let n = 0; n < 3; n++) {
    await proxied.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'x@klant.nl', password: 'wrong' },
      remoteAddress: '192.0.2.1',
      // The proxy adds its visitor's address behind what the visitor made up.
      headers: { 'x-forwarded-for': `10.0.0.${n}, 10.1.1.${n}, 203.0.113.9` },
    });
  }
  const { rows: counted } = await proxied.pool.query(`select key from rate_limit where key like '% from %'`);
  expect(counted.map(({ key }) => key)).toEqual(keys);
  await proxied.close();
});

test.each([
  ['NUL', 'anna\0@klant.nl'],
  ['half a character', 'anna\ud800@klant.nl'],
  ['a line feed', 'anna@klant.nl\nx'],
  ['no @', 'anna'],
])('API-03 an e-mail with %s gets 400', async (_, email) => {
  for (const url of ['login', 'forgot-password', 'register', 'reset-password-with-code']) {
    const answer = await portal.app.inject({
      method: 'POST',
      url: `/api/auth/${url}`,
      payload: { email, password: PASSWORD, newPassword: PASSWORD, code: 'x', organizationCode: 'x' },
    });
    expect([url, answer.statusCode, answer.json().code]).toEqual([url, 400, 'invalid']);
  }
  expect(await rows()).toEqual([]);
});

test('API-03 a password with half a character gets 400', async () => {
  expect(await status({ password: 'pass\udfffword' })).toBe(400);
});
