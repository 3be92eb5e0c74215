import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let clock = Date.now();
let n = 0;
let email: string;
beforeAll(async () => {
  portal = await testPortal({ PUBLIC_URL: 'http://portaal.example.nl' }, () => clock);
  await portal.organization('klant');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  clock = Date.now();
  n += 1;
  email = `Nieuw${n}@klant.nl`;
  expect((await register()).status).toBe(200);
});

const post = async (url: string, payload?: object, cookie?: string) => {
  const answer = await portal.app.inject({
    method: 'POST',
    url: `/api/auth/${url}`,
    ...(payload && { payload }),
    headers: { 'x-requested-with': 'test', ...(cookie && { cookie }) },
  });
  return { status: answer.statusCode, body: answer.json() };
};
const register = async () =>
  post('register', {
    email,
    password: PASSWORD,
    organizationCode: (await portal.pool.query(`select code from organization where name = 'klant'`)).rows[0]
      .code,
  });
const mails = async () =>
  (await readMailbox(portal.portal.config.DATA_DIR)).filter(
    ({ to }) => to.toLowerCase() === email.toLowerCase(),
  );
const tokenOf = async (count = 1): Promise<string> => {
  await expect.poll(async () => (await mails()).length, { timeout: 20_000 }).toBe(count);
  const text = (await mails())[count - 1]?.text ?? '';
  return /http:\/\/portaal\.example\.nl\/bevestigen#(\S+)/.exec(text)?.[1] as string;
};
const isConfirmed = async (cookie: string) =>
  (await portal.get('/api/auth/validate-token', cookie)).json().user?.isConfirmed;

test('a registration mails a link that confirms the address (13.2g)', async () => {
  const cookie = await portal.login(email);
  expect(await isConfirmed(cookie)).toBe(false);
  const token = await tokenOf();
  expect((await mails())[0]?.subject).toBe('Bevestig je e-mailadres');
  expect(await post('confirm-address', { token })).toEqual({
    status: 200,
    body: { message: 'Je e-mailadres is bevestigd.', email },
  });
  // The cached session is refreshed by the database's notification.
  await expect.poll(() => isConfirmed(cookie), { timeout: 4_000 }).toBe(true);
  expect((await post('confirm-address', { token })).status).toBe(200);
  const { rows } = await portal.pool.query(
    `select b.email as actor from audit x join account b on b.id = x.actor_id
     where action = 'user.confirm-address' and b.email = $1`,
    [email],
  );
  expect(rows).toEqual([{ actor: email }]);
});

test('a signed-in person can request the confirmation mail again three times in a quarter of an hour (13.2g)', async () => {
  await tokenOf();
  const cookie = await portal.login(email);
  for (let time = 0; time < 3; time++)
    expect((await post('confirm-address/send', undefined, cookie)).status).toBe(200);
  expect((await post('confirm-address/send', undefined, cookie)).status).toBe(429);
  const token = await tokenOf(4);
  expect((await post('confirm-address', { token })).status).toBe(200);
  await expect.poll(() => isConfirmed(cookie), { timeout: 4_000 }).toBe(true);
  await portal.pool.query('delete from rate_limit');
  expect((await post('confirm-address/send', undefined, cookie)).body.message).toBe(
    'Je e-mailadres is al bevestigd.',
  );
});

test('a link that has expired, has another purpose, or belongs to a deleted account confirms nothing (13.2g)', async () => {
  const token = await tokenOf();
  clock += 7 * 86_400_000 + 1;
  expect((await post('confirm-address', { token })).body.message).toMatch(/^Deze link is verlopen/);
  clock = Date.now();
  const { rows } = await portal.pool.query('select id from account where email = $1', [email]);
  for (const other of [
    portal.secrets.token('unsubscribe', `${rows[0].id} ${Date.now() + 1e6} ${email}`),
    Buffer.from(`${rows[0].id} ${Date.now() + 1e6} ${email}`).toString('base64url'),
    `${token}x`,
  ])
    expect((await post('confirm-address', { token: other })).body.message).toMatch(
      /^Deze link is niet geldig/,
    );
  expect(
    (await portal.pool.query('select confirmed_at from account where email = $1', [email])).rows,
  ).toEqual([{ confirmedAt: null }]);
  await portal.pool.query(`update account set email = 'x' || email where id = $1`, [rows[0].id]);
  expect((await post('confirm-address', { token })).body.message).toBe('Dit account bestaat niet meer.');
});

test('a password reset by mail confirms the address (13.2g)', async () => {
  await tokenOf();
  await post('forgot-password', { email });
  await expect.poll(async () => (await mails()).length, { timeout: 20_000 }).toBe(2);
  const code = /^[A-Z2-9]{4}-[A-Z2-9]{4}$/m.exec((await mails())[1]?.text ?? '')?.[0];
  const reset = await post('reset-password-with-code', { email, code, newPassword: PASSWORD });
  expect(reset.status).toBe(200);
  expect(await isConfirmed(await portal.login(email))).toBe(true);
});
