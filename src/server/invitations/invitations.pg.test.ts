import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailedPortal, openMailedPortal } from '#server/mail/test/mailed-portal.ts';
import { PASSWORD, type TestPortal } from '#server/test/portal.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';
import { expireInvitations } from './invitations.store.ts';

let portal: TestPortal;
let mailed: MailedPortal;
let klant: number;
let ander: number;
let admin: string;
let beheerder: string;
let n = 0;
let email: string;
beforeAll(async () => {
  mailed = await openMailedPortal();
  portal = mailed.portal;
  klant = await portal.organization('klant');
  ander = await portal.organization('ander');
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  await portal.user('baas@klant.nl', klant, 'beheerder');
  admin = await portal.login('admin@portaal.nl');
  beheerder = await portal.login('baas@klant.nl');
});
afterAll(() => mailed.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  n += 1;
  email = `Nieuw${n}@elders.nl`;
});

const post: MailedPortal['post'] = (...call) => mailed.post(...call);
const invite = (payload: object = {}, cookie = beheerder) =>
  post('invitation/create', { email, role: 'gebruiker', ...payload }, cookie);
const accept = (token: string, password = PASSWORD) => post('invitation/accept', { token, password });
const listed = async (cookie = beheerder) => (await portal.get('/api/invitation/get', cookie)).json();
const mailsTo: MailedPortal['mailsTo'] = (to) => mailed.mailsTo(to);
const mailTo = async (to = email, count = 1) => {
  await expect.poll(() => mailsTo(to).length, { timeout: 20_000 }).toBe(count);
  return mailsTo(to)[count - 1] as ReturnType<MailedPortal['mailsTo']>[number];
};
/** Returns the token after the '#' in the link of the newest mail. */
const tokenOf = async (count = 1): Promise<string> => {
  const { text } = await mailTo(email, count);
  return /http:\/\/portaal\.example\.nl\/uitnodiging#(\S+)/.exec(text)?.[1] as string;
};
const account = async (of = email) =>
  (
    await portal.pool.query(
      `select a.role, o.name, a.confirmed_at is not null as confirmed
       from account a join organization o on o.id = a.organization_id where a.email = $1`,
      [of],
    )
  ).rows;
const SENT = { status: 200, body: { message: 'De uitnodiging wordt verstuurd.' } };

test('the mailed link of an invitation creates the account in the organization with the role, once (13.2c)', async () => {
  expect(await invite({ role: 'kijker' })).toEqual(SENT);
  const token = await tokenOf();
  expect(Buffer.from(token, 'base64url')).toHaveLength(16);
  expect(await post('invitation/look', { token })).toEqual({
    status: 200,
    body: { email, cleanorg: 'klant BV', role: 'kijker', provider: null },
  });
  expect(await accept(token)).toEqual({ status: 200, body: { message: 'Je account is gemaakt.', email } });
  expect(await account()).toEqual([{ role: 'kijker', name: 'klant', confirmed: true }]);
  await portal.login(email);
  for (const again of [await accept(token), await post('invitation/look', { token })])
    expect([again.status, again.body.message]).toEqual([
      404,
      "Deze uitnodiging is al gebruikt. Log in, of kies 'Wachtwoord Vergeten?'.",
    ]);
  const { rows } = await portal.pool.query(
    `select action, b.email as actor, data, x.organization_id = $1 as "isTheirs"
     from audit x left join account b on b.id = x.actor_id where action like 'invitation.%' order by x.id`,
    [klant],
  );
  expect(rows).toEqual([
    {
      action: 'invitation.create',
      actor: 'baas@klant.nl',
      data: { organization: 'klant', role: 'kijker' },
      isTheirs: true,
    },
    {
      action: 'invitation.accept',
      actor: email,
      data: { organization: 'klant', role: 'kijker' },
      isTheirs: true,
    },
  ]);
});

test('the database holds no token of an invitation, and no address once it has ended (13.2c)', async () => {
  await invite();
  const token = await tokenOf();
  const stored = async () =>
    JSON.stringify(
      (
        await portal.pool.query('select * from invitation i, pgboss.job j where j.name = $1', [
          'invitation-mail',
        ])
      ).rows,
    );
  expect(await stored()).not.toContain(token);
  expect(await stored()).toContain(email);
  await accept(token);
  const { rows } = await portal.pool.query(
    `select email, ended_as from invitation where ended_as is not null`,
  );
  expect(rows.every((row) => row.email === null)).toBe(true);
});

test('an invitation is listed with its inviter for people who manage users, until it is accepted or revoked (13.2c)', async () => {
  await invite();
  await invite({ organization: 'ander', email: 'x@elders.nl' }, admin);
  const mine = (await listed()).find((one: { email: string }) => one.email === email);
  expect(mine).toEqual({
    _id: expect.any(Number),
    email,
    organization: 'klant',
    cleanorg: 'klant BV',
    role: 'gebruiker',
    by: 'baas@klant.nl',
    expires: expect.any(String),
    mailFailed: false,
    limit: null,
  });
  const days = (Date.parse(mine.expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThanOrEqual(7);
  // An invitation of another organization is neither seen nor revoked.
  expect((await listed()).map((one: { organization: string }) => one.organization)).not.toContain('ander');
  const others = (await listed(admin)).find((one: { email: string }) => one.email === 'x@elders.nl');
  expect((await post('invitation/revoke', { _id: others._id }, beheerder)).status).toBe(404);

  const token = await tokenOf();
  expect(await post('invitation/revoke', { _id: mine._id }, beheerder)).toEqual({
    status: 200,
    body: { message: 'De uitnodiging is ingetrokken.' },
  });
  expect((await accept(token)).body.message).toBe('Deze uitnodiging is ingetrokken.');
  expect((await post('invitation/revoke', { _id: mine._id }, beheerder)).status).toBe(404);
  expect(await account()).toEqual([]);
});

test.each<[string, () => Promise<unknown>, number, string]>([
  [
    'expired',
    () =>
      portal.pool.query(`update invitation set expires_at = now() - interval '1 second' where email = $1`, [
        email,
      ]),
    404,
    'Deze uitnodiging is verlopen. Vraag om een nieuwe.',
  ],
  [
    'of an organization that was disabled meanwhile',
    () => portal.pool.query(`update organization set is_active = false where id = $1`, [klant]),
    409,
    'klant BV is uitgeschakeld: niemand kan er inloggen.',
  ],
  [
    'of an organization that was deleted meanwhile',
    () => portal.pool.query('delete from invitation where email = $1', [email]), // as deleting the organization does
    404,
    'Deze link is niet geldig. Kopieer hem helemaal, of vraag om een nieuwe uitnodiging.',
  ],
  [
    'for an address that has an account by now',
    () => portal.user(email, ander),
    409,
    'Er is al een account met dit e-mailadres. Log daarmee in, of laat je op een ander adres uitnodigen.',
  ],
])('a link that is %s creates no account and says why (13.2c)', async (_, spoil, status, message) => {
  await invite();
  const token = await tokenOf();
  await spoil();
  const before = (await portal.pool.query('select count(*) as n from account')).rows[0].n;
  const { status: got, body } = await accept(token);
  expect([got, body.message]).toEqual([status, message]);
  expect((await portal.pool.query('select count(*) as n from account')).rows[0].n).toBe(before);
  await portal.pool.query('update organization set is_active = true where id = $1', [klant]);
  beheerder = await portal.login('baas@klant.nl');
});

test.each(['x', 'A'.repeat(22), '=', 'uitnodiging#x'])(
  '%s is not a link of the portal (13.2c)',
  async (token) => {
    expect((await accept(token)).status).toBe(404);
    expect((await post('invitation/look', { token })).status).toBe(404);
  },
);

test('deleting an organization deletes its invitations (13.2c)', async () => {
  await portal.organization('weg');
  await invite({ organization: 'weg' }, admin);
  const token = await tokenOf();
  const answer = await portal.app.inject({
    method: 'DELETE',
    url: '/api/organization/delete/?name=weg',
    headers: { cookie: admin, 'x-requested-with': 'test' },
  });
  expect(answer.statusCode).toBe(200);
  expect((await accept(token)).status).toBe(404);
});

test('one of two simultaneous acceptances creates the account, and the other gets the answer of a used link (13.2c)', async () => {
  await invite();
  const token = await tokenOf();
  const both = await Promise.all([
    accept(token, 'het ene wachtwoord'),
    accept(token, 'het andere wachtwoord'),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(both.find(({ status }) => status === 404)?.body.message).toMatch(/al gebruikt/);
  expect(await account()).toHaveLength(1);
});

test('a second invitation sends another link and voids the former link (13.2c)', async () => {
  await invite();
  const first = await tokenOf();
  await invite({ role: 'beheerder', email: email.toUpperCase() });
  const second = await tokenOf(2);
  expect((await accept(first)).status).toBe(404);
  expect(
    (await listed()).filter((one: { email: string }) => one.email.toLowerCase() === email.toLowerCase()),
  ).toHaveLength(1);
  expect((await accept(second)).status).toBe(200);
  expect(await account(email.toUpperCase())).toMatchObject([{ role: 'beheerder' }]);
});

test('both links work when the mail of an invitation is sent twice because its delivery was uncertain (13.2c)', async () => {
  await invite();
  const { _id } = (await listed()).find((one: { email: string }) => one.email === email);
  const first = await tokenOf();
  await portal.portal.invitationMails.queue(portal.pool, _id);
  const second = await tokenOf(2);
  expect(second).not.toBe(first);
  for (const token of [first, second]) expect((await post('invitation/look', { token })).status).toBe(200);
  expect((await accept(first)).status).toBe(200);
  expect((await accept(second)).body.message).toMatch(/al gebruikt/);
});

test('inviting a person with an account of another organization gets the usual answer, and that person gets a mail without a link (13.2d)', async () => {
  await portal.user(email, ander);
  expect(await invite()).toEqual(SENT);
  expect((await listed()).map((one: { email: string }) => one.email)).toContain(email);
  const { text, subject } = await mailTo();
  expect(subject).toBe('Uitnodiging voor klant BV');
  expect(text).toContain('er al een account');
  expect(text).not.toContain('uitnodiging#');
  expect(text).not.toContain('ander BV');
  expect(await account()).toEqual([{ role: 'gebruiker', name: 'ander', confirmed: true }]);
});

test('inviting the address of an account that the inviter sees is refused, and the answer names the organization of that account (13.2d)', async () => {
  await portal.user(email, klant);
  const own = await invite({ email: email.toUpperCase() });
  expect([own.status, own.body.message]).toEqual([
    409,
    `${email.toUpperCase()} heeft al een account bij klant BV.`,
  ]);
  expect((await invite({ organization: 'ander' }, admin)).status).toBe(409);
  expect(mailsTo(email)).toEqual([]);
});

test.each<[string, object, 'beheerder' | 'admin', number]>([
  ['a role of admin by a beheerder', { role: 'administrator' }, 'beheerder', 400],
  ['a role that there is not', { role: 'baas' }, 'beheerder', 400],
  ['a customer’s role in admin', { role: 'beheerder', organization: 'admin' }, 'admin', 400],
  ['an organization that there is not', { organization: 'geen' }, 'admin', 404],
  ['no address', { email: 'geen' }, 'beheerder', 400],
  ['two addresses', { email: 'a@b.nl,c@d.nl' }, 'beheerder', 400],
])('inviting with %s is refused (13.2c)', async (_, payload, who, status) => {
  const before = await listed(admin);
  expect((await invite(payload, who === 'admin' ? admin : beheerder)).status).toBe(status);
  expect(await listed(admin)).toEqual(before);
});

test('a beheerder always invites into their own organization, whatever the call names (13.2c)', async () => {
  expect(await invite({ organization: 'ander' })).toEqual(SENT);
  expect((await listed(admin)).find((one: { email: string }) => one.email === email).organization).toBe(
    'klant',
  );
});

test('an administrator invites into any organization, admin included (13.2c)', async () => {
  expect(await invite({ role: 'technicus', organization: 'admin' }, admin)).toEqual(SENT);
  await accept(await tokenOf());
  expect(await account()).toEqual([{ role: 'technicus', name: 'admin', confirmed: true }]);
});

test('inviting into a disabled organization is refused (13.2c)', async () => {
  await portal.organization('uit');
  await portal.pool.query(`update organization set is_active = false where name = 'uit'`);
  const { status, body } = await invite({ organization: 'uit' }, admin);
  expect([status, body.message]).toEqual([
    409,
    'Deze organisatie is uitgeschakeld: niemand kan er inloggen.',
  ]);
});

test('an invitation by a person who loses the role while the call runs is refused (13.2c)', async () => {
  await portal.user(`chef${n}@klant.nl`, klant, 'beheerder');
  const cookie = await portal.login(`chef${n}@klant.nl`);
  const client = await portal.pool.connect();
  await client.query('begin');
  await client.query(`update account set role = 'kijker' where email = $1`, [`chef${n}@klant.nl`]);
  const inviting = invite({}, cookie);
  await waitForLockWaits(portal.pool);
  await client.query('commit');
  client.release();
  expect((await inviting).status).toBe(401);
  expect((await listed(admin)).map((one: { email: string }) => one.email)).not.toContain(email);
});

test('mails of invitations are limited per address and per inviter (13.2c)', async () => {
  for (let time = 0; time < 5; time++) expect(await invite()).toEqual(SENT);
  expect((await invite()).status).toBe(429);
  expect(await invite({ email: `ander${n}@elders.nl` })).toEqual(SENT);
});

test('the second of two simultaneous invitations is refused when the organization may have only one more open invitation (13.2c)', async () => {
  const small = await portal.organization(`vol${n}`);
  await portal.pool.query(
    `insert into invitation (organization_id, email, role, expires_at)
     select $1, 'open' || g || '@elders.nl', 'gebruiker', now() + interval '1 day' from generate_series(1, 499) as g`,
    [small],
  );
  // Blocks both requests at their audit row, so that they run at the same time.
  const held = await portal.pool.connect();
  await held.query('begin; lock table audit in share mode');
  const both = Promise.all(
    ['een', 'twee'].map((name) => invite({ email: `${name}${n}@elders.nl`, organization: `vol${n}` }, admin)),
  );
  await waitForLockWaits(portal.pool, 2);
  await held.query('commit');
  held.release();
  expect((await both).map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('the outcome of an invitation is deleted a month after it would have expired (13.2c)', async () => {
  await invite();
  const token = await tokenOf();
  await accept(token);
  await portal.pool.query(
    `update invitation set expires_at = now() - interval '29 days' where ended_as = 'accepted'`,
  );
  await expireInvitations(portal.pool);
  expect((await accept(token)).body.message).toMatch(/al gebruikt/);
  await portal.pool.query(
    `update invitation set expires_at = now() - interval '31 days' where ended_as = 'accepted'`,
  );
  await expireInvitations(portal.pool);
  expect((await accept(token)).body.message).toMatch(/niet geldig/);
});

test('the password of an invited person follows the rules, and a refused one leaves the link valid (13.2c)', async () => {
  await invite();
  const token = await tokenOf();
  expect((await accept(token, 'kort')).status).toBe(400);
  expect((await accept(token)).status).toBe(200);
});
