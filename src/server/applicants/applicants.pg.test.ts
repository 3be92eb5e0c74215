import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailedPortal, openMailedPortal } from '#server/mail/test/mailed-portal.ts';
import { PASSWORD, type TestPortal } from '#server/test/portal.ts';
import { waitForLockWaits } from '#server/test/waiting.ts';

let portal: TestPortal;
let mailed: MailedPortal;
let klant: number;
let admin: string;
let beheerder: string;
let code: string;
let n = 0;
let email: string;
beforeAll(async () => {
  mailed = await openMailedPortal();
  portal = mailed.portal;
  klant = await portal.organization('klant');
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  await portal.user('baas@klant.nl', klant, 'beheerder');
  await portal.user('collega@klant.nl', klant);
  await portal.organization('ander');
  await portal.user('baas@ander.nl', (await idOf('ander')) as number, 'beheerder');
  await setTo('approval');
  code = await codeOf('klant');
  admin = await portal.login('admin@portaal.nl');
  beheerder = await portal.login('baas@klant.nl');
});
afterAll(() => mailed.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  await portal.pool.query('delete from applicant');
  n += 1;
  email = `Nieuw${n}@elders.nl`;
});

const setTo = (registration: string, name = 'klant') =>
  portal.pool.query('update organization set registration = $1 where name = $2', [registration, name]);
const oneOf = async (sql: string, values: unknown[]) => (await portal.pool.query(sql, values)).rows[0];
const codeOf = async (name: string): Promise<string> =>
  (await oneOf('select code from organization where name = $1', [name]))?.code;
const idOf = async (name: string): Promise<number> =>
  (await oneOf('select id from organization where name = $1', [name]))?.id;
const post: MailedPortal['post'] = (...call) => mailed.post(...call);
const register = (payload: object = {}) =>
  post('auth/register', { email, password: PASSWORD, organizationCode: code, ...payload });
const login = (password = PASSWORD) => post('auth/login', { email, password });
const waiting = async (cookie = beheerder) => (await portal.get('/api/applicant/get', cookie)).json();
const idWaiting = async (): Promise<number> =>
  (await waiting(admin)).find((one: { email: string }) => one.email === email)?._id;
const mailsTo: MailedPortal['mailsTo'] = (to) => mailed.mailsTo(to);
const account = () => oneOf('select role, confirmed_at from account where email = $1', [email]);
const REFUSED = expect.stringContaining('Registreren is niet gelukt.');

test('a person whose registration needs approval reads that at sign-in, and can sign in once the registration is approved (13.2e)', async () => {
  await portal.pool.query('update organization set applicants_told_at = null');
  expect(await register()).toEqual({
    status: 200,
    body: { waits: true, message: expect.stringContaining('laat je toe') },
  });
  expect(await account()).toBeUndefined();
  const answer = await login();
  expect([answer.status, answer.body.message]).toEqual([
    403,
    'Je account wacht op toelating door de beheerder van je organisatie. Je krijgt een mail zodra je kunt inloggen.',
  ]);
  // Only the right password reveals that the person is an applicant, who waits for admission.
  expect(await login('a wrong password')).toEqual(
    await post('auth/login', { email: 'niemand@x.nl', password: 'a wrong password' }),
  );
  await expect.poll(() => mailsTo('baas@klant.nl').length, { timeout: 20_000 }).toBe(1);
  const [mail] = mailsTo('baas@klant.nl');
  expect(mail?.subject).toBe('Er wacht iemand op toelating bij klant BV');
  expect(mail?.text).toContain('http://portaal.example.nl/Users/');
  expect(mail?.text).not.toContain(email);
  for (const address of ['admin@portaal.nl', 'collega@klant.nl', 'baas@ander.nl'])
    expect(mailsTo(address)).toEqual([]);

  expect(await waiting()).toEqual([
    {
      _id: expect.any(Number),
      email,
      organization: 'klant',
      cleanorg: 'klant BV',
      asked: expect.any(String),
      becomesBeheerder: false,
    },
  ]);
  expect(await post('applicant/admit', { _id: await idWaiting() }, beheerder)).toEqual({
    status: 200,
    body: { message: 'Het account is gemaakt.' },
  });
  expect((await login()).status).toBe(200);
  expect(await waiting()).toEqual([]);
  await expect.poll(() => mailsTo(email).length, { timeout: 20_000 }).toBe(1);
  expect(mailsTo(email)[0]?.subject).toBe('Je bent toegelaten bij klant BV');
  const { rows } = await portal.pool.query(
    `select action, b.email as actor, data from audit x left join account b on b.id = x.actor_id
     where action in ('user.apply', 'user.admit') and x.organization_id = $1 order by x.id`,
    [klant],
  );
  expect(rows).toEqual([
    { action: 'user.apply', actor: null, data: { organization: 'klant' } },
    { action: 'user.admit', actor: 'baas@klant.nl', data: { organization: 'klant' } },
  ]);
});

test('a refused applicant gets a mail and cannot register again by code, but can be invited (13.2e)', async () => {
  await register();
  const _id = await idWaiting();
  expect(await post('applicant/refuse', { _id }, beheerder)).toEqual({
    status: 200,
    body: { message: 'De aanvraag is geweigerd.' },
  });
  expect((await login()).status).toBe(401);
  await expect.poll(() => mailsTo(email).length, { timeout: 20_000 }).toBe(1);
  expect(mailsTo(email)[0]?.text).toContain('niet toegelaten');
  expect((await register({ email: email.toUpperCase() })).body.message).toEqual(REFUSED);
  expect(await waiting()).toEqual([]);
  expect((await post('invitation/create', { email, role: 'kijker' }, beheerder)).status).toBe(200);
});

test('a beheerder can neither see, admit nor refuse the applicants of another organization (13.2e)', async () => {
  await register();
  const others = await portal.login('baas@ander.nl');
  expect(await waiting(others)).toEqual([]);
  const _id = await idWaiting();
  for (const call of ['admit', 'refuse'])
    expect((await post(`applicant/${call}`, { _id }, others)).status).toBe(404);
  expect(await waiting()).toHaveLength(1);
});

test('only one of two simultaneous decisions takes effect (13.2e)', async () => {
  await register();
  const _id = await idWaiting();
  const both = await Promise.all([
    post('applicant/admit', { _id }, beheerder),
    post('applicant/refuse', { _id }, admin),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect((await account()) !== undefined).toBe(both[0]?.status === 200);
});

test('a second application, and an application for an address with an account, get the same answer as a first application and change nothing (13.2e, 41.3)', async () => {
  const first = await register();
  expect(first.status).toBe(200);
  expect(await register({ email: email.toUpperCase(), password: 'another password' })).toEqual(first);
  expect(await register({ email: 'collega@klant.nl' })).toEqual(first);
  expect(await waiting()).toHaveLength(1);
  expect((await login()).body.message).toContain('wacht op toelating');
});

test('admitting an applicant whose address meanwhile has an account elsewhere gets the usual answer and changes no account (13.2e, 41.3)', async () => {
  await register();
  const ander = await idOf('ander');
  await portal.user(email, ander);
  expect(await post('applicant/admit', { _id: await idWaiting() }, beheerder)).toEqual({
    status: 200,
    body: { message: 'Het account is gemaakt.' },
  });
  expect(await waiting()).toEqual([]);
  expect((await login()).status).toBe(200);
  expect(await oneOf('select organization_id as id from account where email = $1', [email])).toEqual({
    id: ander,
  });
  // The owner of the account gets a mail; the audit row is in the log of the admitting organization only.
  await expect.poll(() => mailsTo(email).length, { timeout: 20_000 }).toBe(1);
  expect(mailsTo(email)[0]?.text).toContain('er al een account');
  expect(
    await oneOf(
      `select organization_id as id from audit where action = 'user.admit' order by at desc limit 1`,
      [],
    ),
  ).toEqual({ id: klant });
});

test('the first applicant of an organization waits for approval too, and the administrators are notified where there is no beheerder (13.2e, 55.70)', async () => {
  await portal.organization('leeg');
  await setTo('approval', 'leeg');
  const before = mailsTo('admin@portaal.nl').length;
  expect((await register({ organizationCode: await codeOf('leeg') })).body.waits).toBe(true);
  await expect.poll(() => mailsTo('admin@portaal.nl').length, { timeout: 20_000 }).toBe(before + 1);
  // 55.70: the list says before the admission that this person becomes beheerder.
  expect(await waiting(admin)).toEqual([expect.objectContaining({ email, becomesBeheerder: true })]);
  expect((await post('applicant/admit', { _id: await idWaiting() }, admin)).status).toBe(200);
  expect((await account()).role).toBe('beheerder');
});

test('administrators are notified of an applicant when the only beheerder never confirmed their address (13.2e, 41.2)', async () => {
  await portal.organization('half');
  await setTo('approval', 'half');
  await portal.user('baas@half.nl', await idOf('half'), 'beheerder');
  await portal.pool.query(
    `update account set must_confirm = true, confirmed_at = null where email = 'baas@half.nl'`,
  );
  const before = mailsTo('admin@portaal.nl').length;
  expect((await register({ organizationCode: await codeOf('half') })).body.waits).toBe(true);
  await expect.poll(() => mailsTo('admin@portaal.nl').length, { timeout: 20_000 }).toBe(before + 1);
  expect(mailsTo('baas@half.nl')).toEqual([]);
});

test('the first person admitted to an organization becomes its beheerder (13.2e, 41.4)', async () => {
  await portal.organization('eerste');
  await setTo('approval', 'eerste');
  await register({ organizationCode: await codeOf('eerste') });
  const _id = await idWaiting();
  const cookie = await portal.login('admin@portaal.nl');
  await portal.pool.query(
    `update session set proved_at = now() - interval '11 minutes'
     where created_at = (select max(created_at) from session)`,
  );
  const asked = await post('applicant/admit', { _id }, cookie);
  expect([asked.status, asked.body.code]).toEqual([403, 'proof_required']);
  expect(await account()).toBeUndefined();
  const again = await portal.login('admin@portaal.nl');
  expect((await post('applicant/admit', { _id }, again)).status).toBe(200);
  expect((await account()).role).toBe('beheerder');
});

test('while applicants wait, a beheerder gets at most one mail about them per hour, and at most 200 applicants can wait (13.2e)', async () => {
  await portal.pool.query('update organization set applicants_told_at = null');
  const before = mailsTo('baas@klant.nl').length;
  for (let more = 0; more < 3; more++) await register({ email: `${more}-${email}` });
  await portal.pool.query(`update organization set applicants_told_at = now() - interval '61 minutes'`);
  await register();
  await expect.poll(() => mailsTo('baas@klant.nl').length, { timeout: 20_000 }).toBe(before + 2);
  await portal.pool.query(
    `insert into applicant (organization_id, email, password_hash)
     select $1, 'vol' || n || '@x.nl', 'x' from generate_series(1, 196) n`,
    [klant],
  );
  expect((await register({ email: `te-veel-${email}` })).body.message).toEqual(REFUSED);
});

test('a code creates no account where people join by invitation only (13.2e)', async () => {
  await setTo('invitation');
  expect((await register()).body.message).toEqual(REFUSED);
  expect([await account(), await waiting()]).toEqual([undefined, []]);
  await setTo('approval');
});

test.each([
  ['its beheerder', 401],
  ['an administrator', 409],
] as const)(
  'an organization that is disabled while %s admits an applicant gets no account (13.2e)',
  async (who, status) => {
    const name = `dicht-${status}`;
    await portal.organization(name);
    await portal.user(`baas@${name}.nl`, await idOf(name), 'beheerder');
    await setTo('approval', name);
    await register({ organizationCode: await codeOf(name) });
    const cookie = who === 'an administrator' ? admin : await portal.login(`baas@${name}.nl`);
    const _id = await idWaiting();
    const client = await portal.pool.connect();
    await client.query('begin');
    await client.query('update organization set is_active = false where name = $1', [name]);
    const admitting = post('applicant/admit', { _id }, cookie);
    await waitForLockWaits(portal.pool);
    await client.query('commit');
    client.release();
    expect((await admitting).status).toBe(status);
    expect(await account()).toBeUndefined();
  },
);
