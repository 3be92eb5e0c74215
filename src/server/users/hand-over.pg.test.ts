import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openMailedPortal } from '#server/mail/test/mailed-portal.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';

const CONFIRM = /^http:\/\/portaal\.example\.nl\/bevestigen#(\S+)$/;
const RESET = /^http:\/\/portaal\.example\.nl\/signin#reset=([\w-]{22})$/;
const NO_MAIL = 'Dit portaal verstuurt geen mail';
let portal: TestPortal;
let klant: number;
let admin: string;
let boss: string;
let n = 0;
let email: string;
beforeAll(async () => {
  portal = await testPortal({ PUBLIC_URL: 'http://portaal.example.nl' });
  klant = await portal.organization('klant');
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  await portal.user('baas@klant.nl', klant, 'beheerder');
  await portal.user('iemand@ander.nl', await portal.organization('ander'));
  admin = await portal.login('admin@portaal.nl');
  boss = await portal.login('baas@klant.nl');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  n += 1;
  email = `nieuw${n}@elders.nl`;
});

const post = async (path: string, payload: object, cookie?: string) => {
  const headers = cookie ? { cookie } : {};
  const answer = await portal.app.inject({ method: 'POST', url: `/api/${path}`, payload, headers });
  return { status: answer.statusCode, body: answer.json() };
};
const register = async (mode: 'code' | 'approval', who = email) => {
  const { rows } = await portal.pool.query(
    'update organization set registration = $2 where id = $1 returning code',
    [klant, mode],
  );
  return post('auth/register', { email: who, password: PASSWORD, organizationCode: rows[0].code });
};
const waiting = async (): Promise<number> =>
  (await portal.pool.query('select id from applicant where email = $1', [email])).rows[0].id;
const account = async (who = email) =>
  (
    await portal.pool.query(
      'select confirmed_at is not null as confirmed, must_confirm as must from account where email = $1',
      [who],
    )
  ).rows[0];
const link = (payload: object, cookie = boss) => post('user/link', payload, cookie);
const logged = async () =>
  (
    await portal.pool.query(
      `select x.action, a.email as actor, x.data from audit x left join account a on a.id = x.actor_id
       where x.action = 'user.admit' or x.action like 'user.hand-over%' order by x.id desc limit 1`,
    )
  ).rows[0];

test('without a mail server, admitting an applicant returns a link that gives the person access; the address stays unconfirmed (55.60)', async () => {
  const { body: applied } = await register('approval');
  expect(applied).toMatchObject({ waits: true, message: expect.stringContaining(NO_MAIL) });
  const answer = await post('auth/login', { email, password: PASSWORD });
  expect(answer.body.message).not.toContain('krijgt een mail');
  const admitted = await post('applicant/admit', { _id: await waiting() }, boss);
  expect(admitted.body.link).toMatch(CONFIRM);
  expect(await logged()).toMatchObject({ action: 'user.admit', data: { handedOver: true } });
  const cookie = await portal.login(email);
  expect((await portal.get('/api/live', cookie)).statusCode).toBe(403);
  const asked = await post('auth/confirm-address/send', {}, cookie);
  expect(asked.body.message).toContain(NO_MAIL);

  const token = CONFIRM.exec(admitted.body.link)?.[1];
  expect(await post('auth/confirm-address', { token })).toEqual({
    status: 200,
    body: { message: 'Je kunt nu inloggen.', email },
  });
  await portal.untilNotified();
  expect((await portal.get('/api/live', cookie)).statusCode).toBe(200);
  expect(await account()).toEqual({ confirmed: false, must: false });
});

test('admitting an applicant whose address has an account in another organization returns a link of the usual form, which does nothing (55.60)', async () => {
  await register('approval');
  const { rows } = await portal.pool.query(`select id from organization where name = 'ander'`);
  await portal.user(email, rows[0].id);
  const before = await account();
  const admitted = await post('applicant/admit', { _id: await waiting() }, boss);
  expect(admitted.body).toEqual({
    message: 'Het account is gemaakt.',
    link: expect.stringMatching(CONFIRM),
  });
  const token = CONFIRM.exec(admitted.body.link)?.[1];
  expect((await post('auth/confirm-address', { token })).status).toBe(400);
  expect(await account()).toEqual(before);
});

test('the list of users shows who has not confirmed their address; only a person who manages that user can request the link again (55.60)', async () => {
  const { body } = await register('code');
  expect(body.message).toContain(NO_MAIL);
  const listed = async () =>
    (await portal.get('/api/user/get', boss)).json().find((user: { email: string }) => user.email === email);
  expect(await listed()).toMatchObject({ mustConfirm: true });
  const other = await portal.login('iemand@ander.nl');
  expect((await link({ email, what: 'confirm' }, other)).status).toBe(403);
  const again = await link({ email, what: 'confirm' });
  expect(await logged()).toEqual({
    action: 'user.hand-over-confirmation',
    actor: 'baas@klant.nl',
    data: {},
  });
  const token = CONFIRM.exec(again.body.link)?.[1];
  expect((await post('auth/confirm-address', { token })).status).toBe(200);
  expect(await listed()).toMatchObject({ mustConfirm: false });
  expect((await link({ email, what: 'confirm' })).status).toBe(409);
});

test('a link that a beheerder passes on to a user expires after 7 days (55.60)', async () => {
  await register('code');
  const until = Date.now() - 1_000;
  const token = portal.secrets.token('confirm address, handed over', `${klant} ${until} ${email}`);
  const { status, body } = await post('auth/confirm-address', { token });
  expect([status, body.message]).toEqual([400, 'Deze link is verlopen. Vraag je beheerder om een nieuwe.']);
});

test("an administrator gets a link for a person's new password, which does not confirm the address (55.61)", async () => {
  await register('code');
  const handed = await link({ email, what: 'password' }, admin);
  const token = RESET.exec(handed.body.link)?.[1];
  expect(await logged()).toEqual({
    action: 'user.hand-over-password',
    actor: 'admin@portaal.nl',
    data: {},
  });
  const changed = await post('auth/reset-password-with-link', { token, newPassword: 'een ander wachtwoord' });
  expect(changed.status).toBe(200);
  expect(await account()).toEqual({ confirmed: false, must: true });
  expect((await post('auth/login', { email, password: 'een ander wachtwoord' })).status).toBe(200);
});

test('a new-password link is refused for another beheerder, an administrator, and a person of another organization (55.61)', async () => {
  await portal.user(`tweede${n}@klant.nl`, klant, 'beheerder');
  expect((await link({ email: `tweede${n}@klant.nl`, what: 'password' })).status).toBe(403);
  expect((await link({ email: 'iemand@ander.nl', what: 'password' })).status).toBe(404);
  expect((await link({ email: 'admin@portaal.nl', what: 'password' }, admin)).status).toBe(403);
});

test('without a mail server, the answer to a forgotten password says whom to ask for a link, and is the same for every address (55.61)', async () => {
  const known = await post('auth/forgot-password', { email: 'baas@klant.nl' });
  expect(known).toEqual(await post('auth/forgot-password', { email: 'niemand@klant.nl' }));
  expect(known.body).toEqual({
    message: 'A reset code has been sent to your email.',
    note: expect.stringContaining('Vraag je beheerder'),
  });
});

test('a portal with a mail server refuses every link to pass on (55.61)', async () => {
  const mailed = await openMailedPortal();
  const { portal: other, post: send } = mailed;
  const organization = await other.organization('klant');
  await other.user('baas@klant.nl', organization, 'beheerder');
  await other.user('iemand@klant.nl', organization);
  const cookie = await other.login('baas@klant.nl');
  for (const what of ['password', 'confirm'])
    expect((await send('user/link', { email: 'iemand@klant.nl', what }, cookie)).status).toBe(409);
  expect((await send('auth/forgot-password', { email: 'iemand@klant.nl' })).body).toEqual({
    message: 'A reset code has been sent to your email.',
  });
  await mailed.close();
});
