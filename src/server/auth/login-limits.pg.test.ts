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
});

test('AUTH-11 a success gives back its own tries only', async () => {
  await portal.user('bad@klant.nl', await portal.organization('ander'));
  await often(5, (i) => ({ email: `x${i}@klant.nl` }));
  expect(await status({ email: 'bad@klant.nl', password: PASSWORD })).toBe(200);
  expect(await rows()).toContainEqual({ key: 'login from 192.0.2.1', count: 5 });
});

/** ms that it takes, and what it answers. */
async function timed(visit: Visit): Promise<[status: number, ms: number]> {
  const began = performance.now();
  return [await status(visit), performance.now() - began];
}
/** Strangers have guessed at an account, from wherever. */
const guessed = (email: string, times: number) =>
  portal.pool.query('insert into rate_limit values ($1, now(), $2)', [`login ${email}`, times]);

test('AUTH-11 13.7a guesses from many addresses never stop the right password: a known browser does not notice, a new one waits', async () => {
  const device = await deviceOf('198.51.100.1');
  await portal.pool.query('delete from rate_limit');
  const answers = await often(150, (i) => ({ from: `203.0.113.${Math.floor(i / 10)}` }));
  expect(answers.filter((code) => code === 401).length).toBeGreaterThanOrEqual(100);
  const [elsewhere, here] = await Promise.all([
    timed({ password: PASSWORD, from: '203.0.113.200' }),
    // From any address: it is the browser that is known.
    timed({ password: PASSWORD, from: '203.0.113.1', cookie: device }),
  ]);
  expect([elsewhere[0], here[0]]).toEqual([200, 200]);
  expect(elsewhere[1]).toBeGreaterThan(2_990);
  expect(elsewhere[1]).toBeLessThan(15_000);
  // Whatever else the machine is busy with.
  expect(elsewhere[1] - here[1]).toBeGreaterThan(1_500);
});

test('AUTH-11 13.7b guessing is not free: of an account that many guess at, an address has three tries, each of which waits', async () => {
  await guessed('anna@klant.nl', 100);
  const answers = await Promise.all(Array.from({ length: 8 }, () => timed({})));
  expect(answers.map(([code]) => code).sort()).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
  expect(answers.filter(([code, ms]) => code === 401 && ms < 2_990)).toEqual([]);
  // Another account’s are as ever.
  const other = async () => (await timed({ email: 'other@klant.nl' }))[1];
  // Soon by itself: only a machine that is busy for a moment has it wait.
  await expect.poll(other).toBeLessThan(2_500);
});

test('AUTH-11 13.7b waiting tells nobody which accounts exist', async () => {
  for (const email of ['anna@klant.nl', 'nobody@klant.nl']) await guessed(email, 100);
  const waited = await Promise.all(
    ['anna@klant.nl', 'nobody@klant.nl'].map((email, n) => timed({ email, from: `192.0.2.${n + 10}` })),
  );
  expect(waited.map(([code, ms]) => [code, ms > 2_990])).toEqual(Array(2).fill([401, true]));
});

test('AUTH-11 13.7b a right password gives back what it counted, and the ninety-nine before it go on counting', async () => {
  await guessed('anna@klant.nl', 99);
  expect((await timed({ password: PASSWORD }))[0]).toBe(200);
  expect(await rows()).toContainEqual({ key: 'login anna@klant.nl', count: 99 });
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
  ['off', '203.0.113.9', ['login from 192.0.2.1']],
  ['on', '203.0.113.9', ['login from 203.0.113.9']],
  ['on', '[2001:db8:1:2::9]:49152', ['login from 2001:db8:1:2::/64']],
  ['on', '198.51.100.7:80', ['login from 198.51.100.7']],
])(
  'AUTH-11 13.7e with TRUST_PROXY %s a forged X-Forwarded-For changes nothing, nor does a port',
  async (TRUST_PROXY, visitor, keys) => {
    const proxied = await testPortal({ TRUST_PROXY });
    for (let n = 0; n < 3; n++) {
      await proxied.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email: 'x@klant.nl', password: 'wrong' },
        remoteAddress: '192.0.2.1',
        // The proxy adds its visitor's address behind what the visitor made up.
        headers: { 'x-forwarded-for': `10.0.0.${n}, 10.1.1.${n}, ${visitor}` },
      });
    }
    const { rows: counted } = await proxied.pool.query(
      `select key from rate_limit where key like '% from %'`,
    );
    expect(counted.map(({ key }) => key)).toEqual(keys);
    await proxied.close();
  },
);

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
