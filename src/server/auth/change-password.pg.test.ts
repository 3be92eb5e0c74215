import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { isKnownDevice } from './known-devices.ts';

const NEW = 'a newer password';
const WRONG = [400, { code: 'invalid', message: 'Je huidige wachtwoord klopt niet.' }];

let portal: TestPortal;
let n = 0;
let email: string;
let cookie: string;
beforeAll(async () => {
  portal = await testPortal();
  await portal.organization('klant');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  n += 1;
  email = `user${n}@klant.nl`;
  const { rows } = await portal.pool.query(`select id from organization where name = 'klant'`);
  await portal.user(email, rows[0].id);
  cookie = await portal.login(email);
});

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  portal.app.inject({ method: 'POST', url, payload, headers });
const change = async (present: string, next: string, as = cookie) => {
  const answer = await post('/api/account/password', { present, new: next }, { cookie: as });
  return { outcome: [answer.statusCode, answer.json()], cookies: [answer.headers['set-cookie']].flat() };
};
const cookieOf = (cookies: (string | undefined)[], name: string) =>
  cookies.find((text) => text?.startsWith(`${name}=`))?.split(';', 1)[0] as string;
const live = async (as: string) => (await portal.get('/api/live', as)).statusCode;
const login = async (password: string) => (await post('/api/auth/login', { email, password })).statusCode;

test("changing one's own password needs the present password, ends the other sessions and renews this session's token (13.3d)", async () => {
  const other = await portal.login(email);
  const { outcome, cookies } = await change(PASSWORD, NEW);
  expect(outcome).toEqual([200, { message: 'Je wachtwoord is gewijzigd.' }]);
  const own = cookieOf(cookies, 'werkstroom');
  expect(own).not.toBe(cookie);
  expect(await live(own)).toBe(200);
  for (const ended of [other, cookie]) await expect.poll(() => live(ended), { timeout: 4_000 }).toBe(401);
  expect([await login(PASSWORD), await login(NEW)]).toEqual([401, 200]);
  const { rows } = await portal.pool.query(
    `select actor, data from ${AUDIT_ROWS_SQL} where action = 'user.change-password' and subject = $1 order by id`,
    [email],
  );
  expect(rows).toEqual([{ actor: email, data: {} }]);
});

test("a password change is mailed to the account's owner (13.3d)", async () => {
  await change(PASSWORD, NEW);
  const mails = async () =>
    (await readMailbox(portal.portal.config.DATA_DIR)).filter(({ to }) => to === email);
  await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(1);
  const [mail] = await mails();
  expect(mail?.subject).toBe('Je wachtwoord is gewijzigd');
  expect(mail?.text).toContain('Was jij dit niet? Kies dan meteen zelf een nieuw wachtwoord');
});

test('a password change with a wrong present password changes nothing, and ten guesses are the limit (13.3d)', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => change('a guess', NEW)));
  expect(answers.filter(({ outcome }) => outcome[0] === 400).map(({ outcome }) => outcome)).toEqual(
    Array(10).fill(WRONG),
  );
  expect(answers.filter(({ outcome }) => outcome[0] === 429)).toHaveLength(2);
  expect((await change(PASSWORD, NEW)).outcome[0]).toBe(429);
  expect([await login(PASSWORD), await live(cookie)]).toEqual([200, 200]);
});

test.each([
  ['the same one', PASSWORD, /^Dit wachtwoord heb je nu al\./],
  ['a short one', 'kort', /^Een wachtwoord heeft minstens 8 tekens\.$/],
  ['a common one', 'Welkom01!', /^Dit is een veelgebruikt wachtwoord/],
  ['the product', 'Werkstroom1', /‘werkstroom’/],
  ['the organization', 'klant bv 2026', /‘klant bv’/],
  ['one’s own address', () => `${email.toUpperCase()}!`, /‘user\d+@klant\.nl’/],
])(
  '%s is refused as a new password with the reason, and the sessions stay (13.3c)',
  async (_, next, reason) => {
    expect((await change(PASSWORD, typeof next === 'string' ? next : next())).outcome).toEqual([
      400,
      { code: 'invalid', message: expect.stringMatching(reason) },
    ]);
    expect(await live(cookie)).toBe(200);
  },
);

test('only one of two simultaneous password changes succeeds (13.3d)', async () => {
  const both = await Promise.all([change(PASSWORD, 'password one'), change(PASSWORD, 'password two')]);
  // The second change is refused at its password check (400) or in its transaction (401), depending on the order.
  expect(both.map(({ outcome }) => outcome[0]).sort()).toEqual([
    200,
    expect.toSatisfy((status) => status === 400 || status === 401),
  ]);
});

test('after a password change only the browser that made the change still counts as known (13.3d)', async () => {
  const sign = async () => {
    const answer = await post('/api/auth/login', { email, password: PASSWORD });
    return [answer.headers['set-cookie']].flat();
  };
  const [own, other] = [await sign(), await sign()];
  const tokenOf = (cookies: (string | undefined)[]) =>
    cookieOf(cookies, 'werkstroom-device').split('=')[1] as string;
  const both = `${cookieOf(own, 'werkstroom')}; ${cookieOf(own, 'werkstroom-device')}`;
  const known = () =>
    Promise.all([own, other].map((cookies) => isKnownDevice(portal.pool, tokenOf(cookies), email)));
  expect(await known()).toEqual([true, true]);
  expect((await change(PASSWORD, NEW, both)).outcome[0]).toBe(200);
  expect(await known()).toEqual([true, false]);
});

test('a password change voids links and codes that were mailed before (13.3d)', async () => {
  await portal.pool.query(
    `insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until)
     select gen_random_uuid(), id, 'x', now() + interval '10 minutes', 5, sha256('token'), now() + interval '30 minutes'
     from account where email = $1`,
    [email],
  );
  const link = async () => (await post('/api/auth/reset-link', { token: 'token' })).statusCode;
  expect(await link()).toBe(200);
  await change(PASSWORD, NEW);
  expect(await link()).toBe(400);
});

test('a password is compared exactly as typed: blanks, capitals, accents and every character count (13.3a)', async () => {
  const chosen = `  Zevenentwintig Ééntjes ${'en nog iets '.repeat(8)}`;
  expect((await change(PASSWORD, chosen)).outcome[0]).toBe(200);
  for (const other of [
    chosen.trim(),
    chosen.toLowerCase(),
    chosen.normalize('NFD'),
    chosen.slice(0, 72),
    chosen.slice(0, -1),
  ])
    expect([other, await login(other)]).toEqual([other, 401]);
  expect(await login(chosen)).toBe(200);
});

test('a password from before the password rules still signs in (13.3a)', async () => {
  const { hashPassword } = await import('./passwords.ts');
  for (const old of ['password', 'x'.repeat(1_000)]) {
    await portal.pool.query('update account set password_hash = $2 where email = $1', [
      email,
      await hashPassword(old),
    ]);
    expect(await login(old)).toBe(200);
  }
});

test("the person's own name is refused as a password (13.3c)", async () => {
  await portal.pool.query(`update account set name = 'Philippine van Duivenbode' where email = $1`, [email]);
  expect((await change(PASSWORD, 'Duivenbode-2026')).outcome).toEqual([
    400,
    {
      code: 'invalid',
      message: expect.stringContaining('Dit wachtwoord is bijna alleen ‘duivenbode’.'),
    },
  ]);
});
