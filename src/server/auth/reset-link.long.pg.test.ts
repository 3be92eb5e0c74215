import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import { removeOldResets } from './password-resets.ts';

const NEW = 'a newer password';
const USED = expect.stringMatching(/^Deze link is al gebruikt/);
const ENDED = expect.stringMatching(/^Deze link is verlopen: hij was 30 minuten geldig\./);
const UNKNOWN = expect.stringMatching(/^Deze link is niet compleet, of te oud\./);

let portal: TestPortal;
let organization: number;
let n = 0;
let email: string;
beforeAll(async () => {
  portal = await testPortal({ PUBLIC_URL: 'http://portaal.example.nl' });
  organization = await portal.organization('klant');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  n += 1;
  email = `User${n}@adres.nl`;
  await portal.user(email, organization);
});

const post = (url: string, payload: object, cookie?: string, from = '192.0.2.1') =>
  portal.app.inject({
    method: 'POST',
    url: `/api/auth/${url}`,
    payload,
    remoteAddress: from,
    headers: cookie ? { cookie } : {},
  });
const mails = async () => (await readMailbox(portal.portal.config.DATA_DIR)).filter(({ to }) => to === email);
const tokensMailed = async () =>
  (await mails()).flatMap(({ text }) => /signin#reset=([\w-]+)$/m.exec(text)?.[1] ?? []);

/** Requests a reset mail and reads its link. */
async function tokenByMail(from?: string): Promise<string> {
  const before = (await tokensMailed()).length;
  expect((await post('forgot-password', { email }, undefined, from)).statusCode).toBe(200);
  await expect.poll(async () => (await tokensMailed()).length, { timeout: 30_000 }).toBe(before + 1);
  return (await tokensMailed()).at(-1) as string;
}
const open = async (token: string) => {
  const answer = await post('reset-link', { token });
  return [answer.statusCode, answer.json()];
};
const refused = (message: unknown) => [400, { code: 'invalid', message }];
const reset = async (token: string, newPassword = NEW) => {
  const answer = await post('reset-password-with-link', { token, newPassword });
  return [answer.statusCode, answer.json()];
};
const login = async (password: string) => (await post('login', { email, password })).statusCode;

test('a reset link shows its account, sets a new password once, ends all sessions and does not sign in (13.3e, 13.3g)', async () => {
  const session = await portal.login(email);
  const token = await tokenByMail();
  expect(Buffer.from(token, 'base64url')).toHaveLength(16);
  expect(await open(token)).toEqual([200, { email }]);
  const answer = await post('reset-password-with-link', { token, newPassword: NEW });
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { message: 'Password reset successful. Please sign in with your new password.' },
  ]);
  // Setting a password does not sign in, because the sign-in may need a second factor.
  expect(String(answer.headers['set-cookie'])).not.toMatch(/werkstroom=/);
  await expect
    .poll(async () => (await portal.get('/api/live', session)).statusCode, { timeout: 4_000 })
    .toBe(401);
  expect([await login(PASSWORD), await login(NEW)]).toEqual([401, 200]);
  expect(await open(token)).toEqual(refused(USED));
  expect(await reset(token, 'a third password')).toEqual(refused(USED));
});

test("a completed password reset is mailed to the account's owner (13.3d)", async () => {
  expect((await reset(await tokenByMail()))[0]).toBe(200);
  await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(2);
  const notified = (await mails()).find(({ subject }) => subject === 'Je wachtwoord is gewijzigd');
  expect(notified?.text).toMatch(
    /is gewijzigd, op \d\d-\d\d-\d\d, \d\d:\d\d\. Op andere apparaten ben je uitgelogd\./,
  );
  expect(notified?.text).not.toContain(NEW);
});

test('a reset link is valid for 30 minutes and then says that it has expired (13.3e)', async () => {
  const token = await tokenByMail();
  const age = (minutes: number) =>
    portal.pool.query(`update password_reset set link_until = link_until - make_interval(mins => $1)`, [
      minutes,
    ]);
  await age(29);
  expect((await open(token))[0]).toBe(200);
  await age(1);
  expect(await open(token)).toEqual(refused(ENDED));
  expect(await reset(token)).toEqual(refused(ENDED));
  expect(await login(PASSWORD)).toBe(200);
  await removeOldResets(portal.pool);
  expect(await open(token)).toEqual(refused(ENDED));
  await age(24 * 60);
  await removeOldResets(portal.pool);
  expect(await open(token)).toEqual(refused(UNKNOWN));
});

test.each(['A'.repeat(22), 'x', '…', '%00', "' or true --"])(
  'a malformed reset link says that it is unknown: %s (13.3e)',
  async (token) => {
    expect(await open(token)).toEqual(refused(UNKNOWN));
    expect(await reset(token)).toEqual(refused(UNKNOWN));
  },
);

test('one reset link used twice at the same time sets one password (13.3e)', async () => {
  const token = await tokenByMail();
  const both = await Promise.all([reset(token, 'password one'), reset(token, 'password two')]);
  expect(both.map(([status]) => status).sort()).toEqual([200, 400]);
});

test('a second request for a reset keeps the first link valid, and using either link voids the other (13.3f)', async () => {
  const first = await tokenByMail();
  const second = await tokenByMail();
  expect(await open(first)).toEqual([200, { email }]);
  expect((await reset(first))[0]).toBe(200);
  expect(await open(second)).toEqual(refused(USED));
  // A new link can be requested.
  expect((await reset(await tokenByMail(), 'a third password'))[0]).toBe(200);
});

test('requests and guesses of strangers void no reset link, and at most five mails go out (13.3f)', async () => {
  const token = await tokenByMail();
  for (let i = 0; i < 12; i++) {
    await portal.pool.query('delete from rate_limit');
    expect((await post('forgot-password', { email }, undefined, `203.0.113.${i}`)).statusCode).toBe(200);
    await post('reset-password-with-code', { email, code: `AAAA-AAA${i}`, newPassword: NEW });
  }
  const undone = async () =>
    (
      await portal.pool.query(
        `select 1 from pgboss.job where name = 'password-reset' and data->>'email' = $1 and state <> 'completed'`,
        [email.toLowerCase()],
      )
    ).rowCount;
  await expect.poll(undone, { timeout: 30_000 }).toBe(0);
  expect(await tokensMailed()).toHaveLength(5);
  expect((await reset(token))[0]).toBe(200);
});

test('a password that is little more than the organization’s name is refused after the right reset link or code, which stay valid (13.3c)', async () => {
  const token = await tokenByMail();
  const code = /^[A-Z2-9]{4}-[A-Z2-9]{4}$/m.exec((await mails()).at(-1)?.text ?? '')?.[0] as string;
  const own = expect.stringContaining('bijna alleen ‘klant bv’');
  expect(await reset(token, 'Klant BV 2026')).toEqual(refused(own));
  const byCode = async (typed: string, newPassword: string) => {
    const answer = await post('reset-password-with-code', { email, code: typed, newPassword });
    return [answer.statusCode, answer.json()];
  };
  for (let i = 0; i < 6; i++) expect(await byCode(code, 'Klant BV 2026')).toEqual(refused(own));
  // Without the code, the answer does not reveal the account's organization.
  const wrong = 'Failed to reset password. Please check the code and try again.';
  expect(await byCode('AAAA-AAAA', 'Klant BV 2026')).toEqual(refused(wrong));
  expect((await byCode(code, NEW))[0]).toBe(200);
});

test("a common password and the account's own address are refused before the link is looked up (13.3b)", async () => {
  const token = await tokenByMail();
  for (const newPassword of ['password', '12345678', 'welkom01', 'werkstroom', email]) {
    expect((await reset(token, newPassword))[0]).toBe(400);
    const byCode = { email, code: 'AAAA-AAAA', newPassword };
    const answer = await post('reset-password-with-code', byCode);
    expect([newPassword, answer.json().message]).not.toEqual([
      newPassword,
      expect.stringMatching(/^Failed to reset/),
    ]);
  }
  expect((await reset(token))[0]).toBe(200);
});

test('the database holds only the hash of a reset link’s token (13.3e)', async () => {
  const token = await tokenByMail();
  const { rows } = await portal.pool.query(
    `select (select string_agg(p::text, ' ') from password_reset p) as resets,
       (select string_agg(j::text, ' ') from pgboss.job j where name = 'password-reset') as jobs`,
  );
  for (const text of [rows[0].resets, rows[0].jobs]) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
    expect(text).not.toContain(Buffer.from(token).toString('hex'));
  }
});
