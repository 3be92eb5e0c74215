import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailedPortal, openMailedPortal } from '#server/mail/test/mailed-portal.ts';
import { PASSWORD, type TestPortal } from '#server/test/portal.ts';
import { api } from '#shared/contract/api.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';

let mailed: MailedPortal;
let portal: TestPortal;
let admin: string;
let n = 0;
let email: string;
beforeAll(async () => {
  mailed = await openMailedPortal();
  portal = mailed.portal;
  await portal.organization('klant');
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  admin = await portal.login('admin@portaal.nl');
});
afterAll(() => mailed.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
  n += 1;
  email = `nieuw${n}@elders.nl`;
});

const codeOf = async (name: string): Promise<string> =>
  (await portal.pool.query('select code from organization where name = $1', [name])).rows[0].code;
const setTo = (registration: string) =>
  portal.pool.query(`update organization set registration = $1 where name = 'klant'`, [registration]);
async function register(name = 'klant') {
  const body = { email, password: PASSWORD, organizationCode: await codeOf(name) };
  return (await mailed.post('auth/register', body)).body;
}
const userOf = async (cookie: string) => (await portal.get('/api/auth/validate-token', cookie)).json().user;

/** Returns the problem code of a call without input; undefined when the call is served or refused for its input. */
async function refusalOf(key: string, cookie: string): Promise<string | undefined> {
  const [method, path = ''] = key.split(' ') as ['GET', string];
  const url = path.replaceAll(/:\w+/g, '1');
  const { statusCode, body } = await portal.app.inject({ method, url, headers: { cookie } });
  return statusCode === 403 ? (JSON.parse(body).code as string) : undefined;
}
const withSession = Object.entries<Endpoint>(api).filter(([, { access }]) => access === 'session');
const ACT = [
  'POST /api/auth/confirm-address/send',
  'DELETE /api/account',
  'POST /api/account/sessions/end-others',
];

/** Calls of the page 'Mijn account', listed here rather than read from the contract. */
const OWN_ACCOUNT = [
  'DELETE /api/account',
  'DELETE /api/account/factors',
  'GET /api/account/data',
  'GET /api/account/factors',
  'GET /api/account/oidc',
  'GET /api/account/sessions',
  'GET /api/account/subscriptions',
  'POST /api/account/factors/passkey',
  'POST /api/account/factors/passkey/confirm',
  'POST /api/account/factors/recovery-codes',
  'POST /api/account/factors/rename',
  'POST /api/account/factors/totp',
  'POST /api/account/factors/totp/confirm',
  'POST /api/account/name',
  'POST /api/account/oidc/link',
  'POST /api/account/oidc/unlink',
  'POST /api/account/password',
  'POST /api/account/proof',
  'POST /api/account/proof/options',
  'POST /api/account/sessions/end',
  'POST /api/account/sessions/end-others',
  'POST /api/auth/confirm-address/send',
];

test('an account that was registered with an organization’s code can only use the calls of the person’s own account until its address is confirmed (13.2g)', async () => {
  await setTo('code');
  expect(await register()).toMatchObject({ waits: false });
  const cookie = await portal.login(email);
  expect(await userOf(cookie)).toMatchObject({ email, isConfirmed: false, mustConfirm: true });
  const served: string[] = [];
  for (const [key] of withSession) {
    if (ACT.includes(key)) served.push(key);
    else if ((await refusalOf(key, cookie)) !== 'address_unconfirmed') served.push(key);
  }
  expect(served.sort()).toEqual(OWN_ACCOUNT);
  const tile = await portal.get('/tiles/street/5/16/10', cookie);
  expect([tile.statusCode, tile.json().code]).toEqual([403, 'address_unconfirmed']);
  expect((await portal.get('/api/live', cookie)).json()).toEqual({
    code: 'address_unconfirmed',
    message: 'Bevestig eerst je e-mailadres, met de link in de mail die je van ons kreeg.',
  });

  await expect.poll(() => mailed.mailsTo(email).length, { timeout: 20_000 }).toBe(1);
  expect(await mailed.post('auth/confirm-address/send', {}, cookie)).toMatchObject({ status: 200 });
  await expect.poll(() => mailed.mailsTo(email).length, { timeout: 20_000 }).toBe(2);
  const text = mailed.mailsTo(email).at(-1)?.text ?? '';
  expect(text).toContain('Pas daarna zie je in het portaal iets van de organisatie.');
  const token = /bevestigen#(\S+)/.exec(text)?.[1] as string;
  expect((await mailed.post('auth/confirm-address', { token })).status).toBe(200);
  await portal.untilNotified();
  expect(await userOf(cookie)).not.toHaveProperty('mustConfirm');
  for (const [key] of withSession)
    if (!ACT.includes(key)) expect(await refusalOf(key, cookie)).not.toBe('address_unconfirmed');
});

test("an admitted applicant's account must be confirmed too; invited and older accounts need not (13.2g)", async () => {
  await setTo('approval');
  expect(await register()).toMatchObject({ waits: true });
  const { rows } = await portal.pool.query('select id from applicant where email = $1', [email]);
  expect((await mailed.post('applicant/admit', { _id: rows[0].id }, admin)).status).toBe(200);
  expect(await userOf(await portal.login(email))).toMatchObject({ mustConfirm: true });

  const before = `voorheen${n}@klant.nl`;
  await portal.user(
    before,
    (await portal.pool.query(`select id from organization where name = 'klant'`)).rows[0].id,
  );
  await portal.pool.query('update account set confirmed_at = null where email = $1', [before]);
  const cookie = await portal.login(before);
  expect(await userOf(cookie)).toMatchObject({ isConfirmed: false });
  expect(await userOf(cookie)).not.toHaveProperty('mustConfirm');
  expect((await portal.get('/api/live', cookie)).statusCode).toBe(200);
});

test('a password reset by mail confirms the address of an account that was registered by code (13.2g)', async () => {
  await setTo('code');
  await register();
  const cookie = await portal.login(email);
  expect((await portal.get('/api/live', cookie)).statusCode).toBe(403);
  await mailed.post('auth/forgot-password', { email });
  const codeIn = () => {
    const texts = mailed.mailsTo(email).map(({ text }) => /^[A-Z2-9]{4}-[A-Z2-9]{4}$/m.exec(text ?? '')?.[0]);
    return texts.find((code) => code !== undefined);
  };
  await expect.poll(codeIn, { timeout: 20_000 }).toBeDefined();
  const reset = { email, code: codeIn(), newPassword: PASSWORD };
  expect((await mailed.post('auth/reset-password-with-code', reset)).status).toBe(200);
  expect((await portal.get('/api/live', await portal.login(email))).statusCode).toBe(200);
});

test('registrations in a new organization need approval, and an administrator admits the first person, who becomes beheerder (13.2h)', async () => {
  const made = await portal.get('/api/organization/create?name=vers&clean=Vers%20BV', admin);
  expect(made.json()).toMatchObject({ name: 'vers', registration: 'approval' });
  expect(await register('vers')).toMatchObject({ waits: true });
  await expect
    .poll(() => mailed.mailsTo('admin@portaal.nl').some(({ subject }) => subject?.includes('Vers BV')), {
      timeout: 20_000,
    })
    .toBe(true);
  const waiting = (await portal.get('/api/applicant/get', admin)).json();
  const { _id } = waiting.find((one: { organization: string }) => one.organization === 'vers');
  expect((await mailed.post('applicant/admit', { _id }, admin)).status).toBe(200);
  expect(await userOf(await portal.login(email))).toMatchObject({ role: 'beheerder', mustConfirm: true });
});
