import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AUDIT_ROWS_SQL } from '#server/test/audited.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { openPasskeys } from './passkeys.ts';
import { type Authenticator, makeAuthenticator } from './test/authenticator.ts';
import { addAuthenticatorApp, type Browser, testBrowser } from './test/browser.ts';

let portal: TestPortal;
let customer: number;
let made = 0;

beforeAll(async () => {
  portal = await testPortal();
  customer = await portal.organization('klant');
});
afterAll(() => portal.close());
beforeEach(async () => {
  await portal.pool.query('delete from rate_limit');
});

const begin = async (own: Browser): Promise<{ token: string; options: { challenge: string } }> =>
  (await own.call('POST', '/api/account/factors/passkey')).json as never;
const confirm = (own: Browser, token: string, passkey: object) =>
  own.call('POST', '/api/account/factors/passkey/confirm', { token, factorName: 'Telefoon', passkey });
/** Asks for a challenge and presents the passkey for it. */
async function show(visitor: Browser, device: Authenticator) {
  const asked = await visitor.call('POST', '/api/auth/passkey/options');
  const passkey = device.show(asked.json.challenge as string);
  return visitor.call('POST', '/api/auth/passkey/login', { passkey });
}
const isIn = async ({ call }: Browser) =>
  (await call('GET', '/api/auth/validate-token')).json.isAuthenticated;

async function withPasskey() {
  made += 1;
  const email = `passkey-${made}@klant.nl`;
  await portal.user(email, customer);
  const own = testBrowser(portal);
  await own.login(email);
  const device = makeAuthenticator();
  const { token, options } = await begin(own);
  const added = await confirm(own, token, device.make(options.challenge));
  if (added.status !== 200) throw new Error(JSON.stringify(added.json));
  device.counter = 5;
  return { email, own, device };
}

test('a passkey signs in to its own account without a password (13.4h)', async () => {
  const { email, device } = await withPasskey();
  const visitor = testBrowser(portal);
  const { json } = await visitor.call('POST', '/api/auth/passkey/options');
  expect(json).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(json.allowCredentials ?? []).toEqual([]);
  expect(await show(visitor, device)).toMatchObject({ status: 200, json: { user: { email } } });
  expect(await isIn(visitor)).toBe(true);
  expect([...visitor.cookies.keys()].sort()).toEqual(['werkstroom', 'werkstroom-device']);
});

test('after the password, only the passkeys of that account are accepted (13.4h)', async () => {
  const { email, device } = await withPasskey();
  const other = await withPasskey();
  const visitor = testBrowser(portal);
  expect(await visitor.login(email)).toMatchObject({
    status: 401,
    json: { code: 'second-factor-required', factors: ['passkey'] },
  });
  const { json } = await visitor.call('POST', '/api/auth/passkey/options');
  expect(json.allowCredentials).toMatchObject([
    { id: device.id, type: 'public-key', transports: ['internal'] },
  ]);
  expect((await show(visitor, other.device)).status).toBe(401);
  expect(await isIn(visitor)).toBe(false);
  device.counter += 1;
  expect((await show(visitor, device)).status).toBe(200);
});

test('a passkey without user verification, of another portal, or for another challenge is refused (13.4h)', async () => {
  const { device } = await withPasskey();
  const visitor = testBrowser(portal);
  const asked = async () =>
    (await visitor.call('POST', '/api/auth/passkey/options')).json.challenge as string;
  const tried = (passkey: object) => visitor.call('POST', '/api/auth/passkey/login', { passkey });
  device.verifies = false;
  expect((await show(visitor, device)).status).toBe(401);
  device.verifies = true;
  const shown = device.show(await asked());
  await asked();
  expect((await tried(shown)).status).toBe(401);
  const foreign = makeAuthenticator('https://ander.example');
  expect((await tried({ ...foreign.show(await asked()), id: device.id, rawId: device.id })).status).toBe(401);
  const forged = device.show(await asked());
  const signature = makeAuthenticator().show('x').response.signature;
  expect((await tried({ ...forged, response: { ...forged.response, signature } })).status).toBe(401);
  // The answer with the wrong signature used up the challenge, so the right answer to it is refused too.
  expect((await tried(forged)).status).toBe(401);
  expect((await tried(makeAuthenticator().show(await asked()))).json).toEqual({
    code: 'bad_credentials',
    message: 'Inloggen met deze passkey is niet gelukt. Log in met je wachtwoord.',
  });
  expect(await isIn(visitor)).toBe(false);
  // The failed attempts did not disable the passkey.
  expect((await show(visitor, device)).status).toBe(200);
});

test('a challenge can be answered once, by the same browser, within five minutes (13.4b)', async () => {
  const { device } = await withPasskey();
  const visitor = testBrowser(portal);
  const challenge = (await visitor.call('POST', '/api/auth/passkey/options')).json.challenge as string;
  const cookie = visitor.cookies.get('werkstroom-step') as string;
  const passkey = device.show(challenge);
  const answer = (who: Browser) => who.call('POST', '/api/auth/passkey/login', { passkey });
  expect((await answer(testBrowser(portal))).status).toBe(401);
  expect((await answer(visitor)).status).toBe(200);
  const thief = testBrowser(portal);
  thief.cookies.set('werkstroom-step', cookie);
  expect(await answer(thief)).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
  expect(await isIn(thief)).toBe(false);
  const late = testBrowser(portal);
  const asked = await late.call('POST', '/api/auth/passkey/options');
  await portal.pool.query(`update sign_in_step set expires_at = now() - interval '1 second'`);
  device.counter += 1;
  const shown = device.show(asked.json.challenge as string);
  expect((await late.call('POST', '/api/auth/passkey/login', { passkey: shown })).status).toBe(401);
});

test('a passkey whose counter does not increase is refused and disabled, which is mailed and audited (13.4i)', async () => {
  const { email, own, device } = await withPasskey();
  expect((await show(testBrowser(portal), device)).status).toBe(200);
  device.counter = 3;
  const refused = await show(testBrowser(portal), device);
  expect(refused.status).toBe(401);
  expect(refused.json.message).toContain('Deze passkey is geblokkeerd');
  expect((await own.call('GET', '/api/account/factors')).json).toMatchObject({
    factors: [{ isDisabled: true }],
  });
  const { rows } = await portal.pool.query(
    `select actor, data from ${AUDIT_ROWS_SQL} where subject = $1 and action = 'factor.disable'`,
    [email],
  );
  expect(rows).toEqual([{ actor: 'sign-in', data: { name: 'Telefoon', counter: 3 } }]);
  const { rows: mails } = await portal.pool.query(
    `select data->>'subject' as subject from pgboss.job where name = 'mail' and data->>'to' = $1 order by created_on`,
    [email],
  );
  const added = { subject: 'De manier waarop je inlogt is gewijzigd' };
  expect(mails).toEqual([added, { subject: 'Een passkey van je account is geblokkeerd' }]);
  // The right device is refused as well, because the server cannot distinguish it from the copy. No second mail is sent.
  device.counter = 100;
  expect((await show(testBrowser(portal), device)).status).toBe(401);
  const { rowCount } = await portal.pool.query(
    `select from pgboss.job where name = 'mail' and data->>'to' = $1`,
    [email],
  );
  expect(rowCount).toBe(2);
  // The password alone is still not enough.
  expect((await testBrowser(portal).login(email)).json.code).toBe('second-factor-required');
});

test('one of two simultaneous answers with the same counter is refused (13.4i)', async () => {
  const { device } = await withPasskey();
  const two = [testBrowser(portal), testBrowser(portal)];
  const answers = await Promise.all(two.map((visitor) => show(visitor, device)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('a passkey of a device that keeps no counter is not treated as a copy (13.4i)', async () => {
  const { device } = await withPasskey();
  await portal.pool.query('update factor set counter = 0 where credential_id = $1', [device.id]);
  device.counter = 0;
  for (let n = 0; n < 2; n++) expect((await show(testBrowser(portal), device)).status).toBe(200);
});

test('a new passkey must answer the challenge of this account, with user verification, once (13.4h)', async () => {
  const { own, device } = await withPasskey();
  const other = (await withPasskey()).own;
  const fresh = makeAuthenticator();
  const { token, options } = await begin(own);
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Werkstroom' },
    attestation: 'none',
    excludeCredentials: [{ id: device.id }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  fresh.verifies = false;
  expect((await confirm(own, token, fresh.make(options.challenge))).status).toBe(400);
  fresh.verifies = true;
  expect((await confirm(own, token, fresh.make('another'))).status).toBe(400);
  expect((await confirm(other, token, fresh.make(options.challenge))).status).toBe(400);
  const foreign = makeAuthenticator('https://ander.example', 'ander.example');
  expect((await confirm(own, token, foreign.make(options.challenge))).status).toBe(400);
  expect((await confirm(own, token, fresh.make(options.challenge))).status).toBe(200);
  expect((await confirm(own, token, fresh.make(options.challenge))).status).toBe(409);
  const app = (await own.call('POST', '/api/account/factors/totp')).json as { token: string };
  expect((await confirm(own, app.token, fresh.make(options.challenge))).status).toBe(400);
});

test('a passkey does not sign in to a disabled organization (13.4h)', async () => {
  const { device } = await withPasskey();
  await portal.pool.query(`update organization set is_active = false where name = 'klant'`);
  expect((await show(testBrowser(portal), device)).status).toBe(403);
  await portal.pool.query('update organization set is_active = true');
});

test('passkey challenges are limited per network address (13.4h)', async () => {
  const visitor = testBrowser(portal);
  const ask = () => visitor.call('POST', '/api/auth/passkey/options', undefined, '203.0.113.7');
  for (let n = 0; n < 300; n++) if ((await ask()).status !== 200) throw new Error(`after ${n}`);
  expect((await ask()).status).toBe(429);
});

test.each([
  ['https://portaal.example.nl', true],
  ['http://localhost:3000', true],
  ['http://portaal.localhost', true],
  ['http://portaal.example.nl', false],
  ['http://127.0.0.1:3000', false],
  ['https://192.0.2.1', false],
  ['https://[2001:db8::1]', false],
])('passkeys at %s are offered: %s (13.4j)', (address, isOffered) => {
  expect(openPasskeys(address) !== undefined).toBe(isOffered);
});

test('over plain http only an authenticator app is offered (13.4j)', async () => {
  const plain = await testPortal({ PUBLIC_URL: 'http://portaal.example.nl' });
  await plain.user('anna@klant.nl', await plain.organization('klant'));
  const own = testBrowser(plain);
  await own.login('anna@klant.nl');
  expect((await own.call('GET', '/api/account/factors')).json.canHavePasskeys).toBe(false);
  for (const url of ['/api/account/factors/passkey', '/api/auth/passkey/options'])
    expect(await own.call('POST', url)).toMatchObject({
      status: 400,
      json: { message: 'Passkeys werken alleen als het portaal over https wordt bezocht.' },
    });
  await addAuthenticatorApp(own, Date.now());
  await plain.close();
});

/** Makes the sign-in old enough for dangerous acts to need re-authentication. */
async function outdated(email: string): Promise<void> {
  await portal.pool.query(
    `update session set proved_at = now() - interval '1 hour' where account_id = (select id from account where email = $1)`,
    [email],
  );
}
const removes = (own: Browser) => own.call('DELETE', '/api/account/factors?id=1');
const ways = async (own: Browser) => (await own.call('POST', '/api/account/proof/options')).json;
const prove = (own: Browser, given: object) => own.call('POST', '/api/account/proof', given);

test('the owner re-authenticates with a passkey, once per challenge (13.6k)', async () => {
  const { email, own, device } = await withPasskey();
  await outdated(email);
  await expect.poll(async () => (await removes(own)).json.code, { timeout: 4_000 }).toBe('proof_required');
  const { passkey, ...others } = (await ways(own)) as { passkey: { challenge: string } };
  expect(others).toEqual({ hasPassword: true, hasApp: false });
  expect(passkey).toMatchObject({ userVerification: 'required', allowCredentials: [{ id: device.id }] });
  const shown = device.show(passkey.challenge);
  expect(await prove(own, { passkey: shown })).toMatchObject({
    status: 200,
    json: { message: 'Bevestigd.' },
  });
  expect((await removes(own)).status).toBe(404);
  device.counter += 1;
  expect(await prove(own, { passkey: device.show(passkey.challenge) })).toMatchObject({
    status: 400,
    json: { message: 'Dit duurde te lang. Probeer het opnieuw.' },
  });
});

test('a passkey of another account or portal, or one that was copied, does not re-authenticate (13.6k)', async () => {
  const { own, device } = await withPasskey();
  const other = await withPasskey();
  const unknown = 'Deze passkey is niet van jouw account, of werkt niet meer.';
  const proveBy = async (shown: Authenticator) => {
    const { challenge } = (await ways(own)).passkey as { challenge: string };
    const { status, json } = await prove(own, { passkey: shown.show(challenge) });
    return [status, json.message];
  };
  expect(await proveBy(other.device)).toEqual([400, unknown]);
  expect(await proveBy(makeAuthenticator())).toEqual([400, unknown]);
  expect(await proveBy({ ...device, show: (c) => other.device.show(c), id: device.id })).toEqual([
    400,
    unknown,
  ]);
  expect(await proveBy(device)).toEqual([200, 'Bevestigd.']);
  device.counter = 3;
  expect(await proveBy(device)).toEqual([400, expect.stringContaining('Deze passkey is geblokkeerd')]);
  // A disabled passkey is not offered.
  expect(await ways(own)).toEqual({ hasPassword: true, hasApp: false, passkey: null });
});
