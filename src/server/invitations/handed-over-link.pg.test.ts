import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMailbox } from '#server/mail/test/mailbox.ts';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';

const LINK = /^http:\/\/portaal\.example\.nl\/uitnodiging#([\w-]{22})$/;
let portal: TestPortal;
let ander: number;
let boss: string;
let n = 0;
let email: string;
beforeAll(async () => {
  portal = await testPortal({ PUBLIC_URL: 'http://portaal.example.nl' });
  ander = await portal.organization('ander');
  await portal.user('baas@klant.nl', await portal.organization('klant'), 'beheerder');
  boss = await portal.login('baas@klant.nl');
});
afterAll(() => portal.close());
beforeEach(() => {
  n += 1;
  email = `nieuw${n}@elders.nl`;
});

const post = async (path: string, payload: object, cookie?: string) => {
  const headers = cookie ? { cookie } : {};
  const answer = await portal.app.inject({
    method: 'POST',
    url: `/api/invitation/${path}`,
    payload,
    headers,
  });
  return { status: answer.statusCode, body: answer.json() };
};
/** Invites a person, and returns the token of the link in the answer. */
const handed = async (): Promise<string> => {
  const { status, body } = await post('create', { email, role: 'kijker' }, boss);
  expect([status, body]).toEqual([
    200,
    {
      message: 'Dit portaal verstuurt geen mail. Geef de link zelf door.',
      link: expect.stringMatching(LINK),
    },
  ]);
  return LINK.exec(body.link)?.[1] as string;
};
const account = async () => {
  const { rows } = await portal.pool.query(
    `select a.role, o.name, a.confirmed_at is not null as confirmed, a.must_confirm as must
     from account a join organization o on o.id = a.organization_id where a.email = $1`,
    [email],
  );
  return rows;
};

test('without a mail server the inviter gets the invitation’s link, and the account that is created by that link has no confirmed address (55.32)', async () => {
  const token = await handed();
  expect((await post('look', { token })).body).toMatchObject({ email, role: 'kijker' });
  expect((await post('accept', { token, password: PASSWORD })).status).toBe(200);
  expect(await account()).toEqual([{ role: 'kijker', name: 'klant', confirmed: false, must: false }]);
  const cookie = await portal.login(email);
  expect((await portal.get('/api/live', cookie)).statusCode).toBe(200);
  expect((await post('accept', { token, password: PASSWORD })).status).toBe(404);
});

test('an invitation’s link in a mail that was written to a file confirms the address (55.32)', async () => {
  await handed();
  const mails = async () =>
    (await readMailbox(portal.portal.config.DATA_DIR)).filter(({ to }) => to === email);
  await expect.poll(async () => (await mails()).length, { timeout: 20_000 }).toBe(1);
  const token = /uitnodiging#(\S+)/.exec((await mails())[0]?.text ?? '')?.[1];
  expect((await post('accept', { token, password: PASSWORD })).status).toBe(200);
  expect(await account()).toMatchObject([{ name: 'klant', confirmed: true }]);
});

test('the link of an invitation is neither stored nor listed, and the audit log records only that it was handed over (55.32)', async () => {
  const token = await handed();
  expect((await portal.get('/api/invitation/get', boss)).body).not.toContain(token);
  const { rows: stored } = await portal.pool.query('select * from invitation');
  expect(JSON.stringify(stored)).not.toContain(token);
  const { rows } = await portal.pool.query(
    `select data from audit where action = 'invitation.create' order by id desc limit 1`,
  );
  expect(rows).toEqual([{ data: { organization: 'klant', role: 'kijker', handedOver: true } }]);
});

test('a second invitation voids the link of the first one (55.32)', async () => {
  const before = await handed();
  const after = await handed();
  expect((await post('look', { token: before })).status).toBe(404);
  expect((await post('look', { token: after })).status).toBe(200);
});

test('the link to invite an address that has an account in another organization looks like any other, and creates and changes no account (55.32)', async () => {
  await portal.user(email, ander);
  const token = await handed();
  const { status, body } = await post('accept', { token, password: 'een ander wachtwoord' });
  expect([status, body.message]).toEqual([409, expect.stringContaining('Er is al een account')]);
  expect(await account()).toEqual([{ role: 'gebruiker', name: 'ander', confirmed: true, must: false }]);
  // The account keeps its own password.
  await portal.login(email);
});

test('an inviter gets no link for an existing account that they may see, and a caller who may not invite gets no link at all (55.32)', async () => {
  await portal.pool.query(`update organization set registration = 'code'`);
  const { rows } = await portal.pool.query(`select id from organization where name = 'klant'`);
  await portal.user(email, rows[0].id);
  expect((await post('create', { email, role: 'kijker' }, boss)).status).toBe(409);
  const user = await portal.login(email);
  const other = await post('create', { email: `x${email}`, role: 'kijker' }, user);
  expect([other.status, other.body.link]).toEqual([403, undefined]);
});
