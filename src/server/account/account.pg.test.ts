import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';
import type { Role } from '#shared/domain/access.ts';

let portal: TestPortal;
let klant: number;
beforeAll(async () => {
  portal = await testPortal({ TRUST_PROXY: 'on' });
  klant = await portal.organization('klant');
  await portal.user('beheer@portaal.nl', await portal.organization('admin'));
});
afterAll(() => portal.close());

let people = 0;
/** Adds a user account and signs it in. */
async function newPerson(organizationId = klant, role?: Role): Promise<{ email: string; cookie: string }> {
  const email = `mens-${++people}@klant.nl`;
  await portal.user(email, organizationId, role);
  return { email, cookie: await portal.login(email) };
}
const send = async (
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  cookie: string,
  payload?: object,
  headers: Record<string, string> = {},
) => {
  const answer = await portal.app.inject({
    method,
    url,
    headers: { cookie, ...headers },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
};
const status = async (cookie: string) => (await portal.get('/api/account/sessions', cookie)).statusCode;
const idOf = async (cookie: string): Promise<number> => {
  const { sessions } = (await send('GET', '/api/account/sessions', cookie)).body;
  return sessions.find(({ isOwn }: { isOwn: boolean }) => isOwn).id;
};
/** Sets a timestamp of the caller's session to the given interval ago. */
const age = async (cookie: string, column: 'last_used_at' | 'proved_at', interval: string) => {
  const id = await idOf(cookie);
  await portal.pool.query(`update session set ${column} = now() - $2::interval where id = $1`, [
    id,
    interval,
  ]);
  // Recording a use does not notify the portal. This update does, so that the portal drops its cached session.
  await portal.pool.query('update session set expires_at = expires_at where id = $1', [id]);
  await portal.untilNotified();
};
const lastUse = async (email: string) =>
  (
    await portal.pool.query(
      `select s.address, s.user_agent as device, extract(epoch from now() - s.last_used_at)::float8 as ago
       from session s join account a on a.id = s.account_id where a.email = $1`,
      [email],
    )
  ).rows[0];

test('a person’s name is shown instead of their e-mail address, and an empty name removes it (13.6b)', async () => {
  const { email, cookie } = await newPerson();
  const name = (displayName: unknown) => send('POST', '/api/account/name', cookie, { displayName });
  expect(await name('  Anna \u00a0 de  Vries ')).toMatchObject({
    status: 200,
    body: { name: 'Anna de Vries', message: 'Je heet nu Anna de Vries.' },
  });
  const me = async () => (await portal.get('/api/auth/validate-token', cookie)).json().user;
  await expect.poll(me, { timeout: 4_000 }).toMatchObject({ email, name: 'Anna de Vries' });
  const admin = await portal.login('beheer@portaal.nl');
  const shown = (await portal.get('/api/user/get', admin)).json();
  expect(shown.find((user: { email: string }) => user.email === email)).toMatchObject({
    name: 'Anna de Vries',
  });
  for (const wrong of ['baas@klant.nl', 'x'.repeat(61), 'a\u0007b', 7, undefined])
    expect((await name(wrong)).status, String(wrong)).toBe(400);
  expect((await name('baas@klant.nl')).body.message).toBe('Naam mag geen @ of onleesbaar teken hebben.');
  expect((await me()).name).toBe('Anna de Vries');
  expect((await name(' ')).body.name).toBeNull();
  await expect.poll(async () => (await me()).name, { timeout: 4_000 }).toBeNull();
  const { rows } = await portal.pool.query(
    `select data from audit where action = 'user.rename' and account_id = (select id from account where email = $1)`,
    [email],
  );
  expect(rows).toEqual([{ data: {} }, { data: {} }]);
});

test('a person sees where they are signed in, and can end one session or all others (13.6c)', async () => {
  const { email } = await newPerson();
  const signIn = async (userAgent: string, address: string) => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: PASSWORD },
      headers: { 'user-agent': userAgent, 'x-forwarded-for': address },
    });
    return String(answer.headers['set-cookie']).split(';', 1)[0] as string;
  };
  const phone = await signIn(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1',
    '203.0.113.7',
  );
  const desk = await signIn(
    'Mozilla/5.0 (Windows NT 10.0) Chrome/141.0.0.0 Safari/537.36',
    '2001:db8:1:2:3::4',
  );
  const { sessions, total } = (await send('GET', '/api/account/sessions', desk)).body;
  expect(total).toBe(3);
  expect(sessions).toMatchObject([
    { device: 'Chrome op Windows', address: '2001:db8:1:2::/64', isOwn: true },
    { device: 'Safari op iPhone', address: '203.0.113.7', isOwn: false },
    { isOwn: false },
  ]);
  expect(Date.parse(sessions[1].since)).toBeGreaterThan(Date.now() - 60_000);
  expect(Date.parse(sessions[1].lastUsed)).toBeGreaterThan(Date.now() - 60_000);

  const other = await newPerson();
  const end = (id: unknown, cookie = desk) => send('POST', '/api/account/sessions/end', cookie, { id });
  expect(await end(sessions[1].id, other.cookie)).toMatchObject({ status: 404 });
  expect(await end(2_000_000_000)).toMatchObject({
    status: 404,
    body: { message: 'Deze sessie is er niet meer.' },
  });
  expect((await end('1')).status).toBe(400);
  expect(await status(phone)).toBe(200);
  expect(await end(sessions[1].id)).toMatchObject({ status: 200 });
  await expect.poll(() => status(phone), { timeout: 4_000 }).toBe(401);

  const again = await signIn('curl/8.5.0', '198.51.100.1');
  expect(await send('POST', '/api/account/sessions/end-others', desk)).toMatchObject({
    status: 200,
    body: { message: 'Alle andere sessies zijn beëindigd.' },
  });
  await expect.poll(() => status(again), { timeout: 4_000 }).toBe(401);
  expect([await status(desk), await status(other.cookie)]).toEqual([200, 200]);
  expect((await send('POST', '/api/account/sessions/end-others', desk)).body.message).toBe(
    'Alle andere sessies zijn beëindigd.',
  );
});

test.each([
  ['that of a customer', '71 hours 59 minutes', '72 hours 1 minute', () => newPerson()],
  [
    'that of an administrator',
    '11 hours 59 minutes',
    '12 hours 1 minute',
    async () => ({ cookie: await portal.login('beheer@portaal.nl') }),
  ],
])('an idle session ends after hours without use: %s (13.6d)', async (_, before, after, signIn) => {
  const used = (await signIn()).cookie;
  await age(used, 'last_used_at', before);
  expect(await status(used)).toBe(200);
  const unused = (await signIn()).cookie;
  await age(unused, 'last_used_at', after);
  await expect.poll(() => status(unused), { timeout: 4_000 }).toBe(401);
});

const poll = async (cookie: string, headers: Record<string, string>): Promise<number> =>
  (await portal.get('/api/live', cookie, headers)).statusCode;

test('polling by an open page counts as use of the session, and the time and address of the use are stored at most once a minute (13.6d)', async () => {
  const { email, cookie } = await newPerson();
  await age(cookie, 'last_used_at', '3 hours');
  const from = { 'user-agent': 'Mozilla/5.0 Firefox/143.0', 'x-forwarded-for': '203.0.113.9' };
  expect(await poll(cookie, from)).toBe(200);
  await expect
    .poll(async () => await lastUse(email), { timeout: 4_000 })
    .toMatchObject({
      address: '203.0.113.9',
      device: 'Mozilla/5.0 Firefox/143.0',
      ago: expect.closeTo(2, -1),
    });
  await age(cookie, 'last_used_at', '50 seconds');
  expect(await poll(cookie, { ...from, 'x-forwarded-for': '203.0.113.10' })).toBe(200);
  await portal.portal.sessions.close(); // flushes buffered uses
  const { address, ago } = await lastUse(email);
  expect([address, ago > 50]).toEqual(['203.0.113.9', true]);
});

const proof = (cookie: string, password: string) => send('POST', '/api/account/proof', cookie, { password });
const cookieIn = (headers: { 'set-cookie'?: unknown }) =>
  String(headers['set-cookie']).split(';', 1)[0] as string;

test("re-authentication renews the session's token and not its expiry (13.6e)", async () => {
  const { cookie } = await newPerson();
  const id = await idOf(cookie);
  const ends = async () =>
    (await portal.pool.query('select expires_at, token_hash from session where id = $1', [id])).rows[0];
  const before = await ends();
  const proved = await proof(cookie, PASSWORD);
  expect(proved.status).toBe(200);
  const renewed = cookieIn(proved.headers);
  expect(renewed).not.toBe(cookie);
  await expect.poll(() => status(cookie), { timeout: 4_000 }).toBe(401);
  expect([await status(renewed), await idOf(renewed)]).toEqual([200, id]);
  const after = await ends();
  expect(after.expiresAt).toEqual(before.expiresAt);
  expect(after.tokenHash).not.toEqual(before.tokenHash);
  expect((await proof(cookie, PASSWORD)).status).toBe(401);
});

test('ten minutes after the password was given a dangerous action is refused until the person re-authenticates (13.6f)', async () => {
  const { email, cookie } = await newPerson();
  await age(cookie, 'proved_at', '10 minutes 1 second');
  const remove = (as: string) => send('DELETE', '/api/account', as);
  expect(await remove(cookie)).toMatchObject({
    status: 403,
    body: { code: 'proof_required', message: 'Bevestig eerst dat jij het bent.' },
  });
  expect(await status(cookie)).toBe(200);
  expect(await proof(cookie, 'a guess')).toMatchObject({
    status: 400,
    body: { message: 'Dit is niet je wachtwoord.' },
  });
  expect((await remove(cookie)).status).toBe(403);
  const renewed = cookieIn((await proof(cookie, PASSWORD)).headers);
  expect(await remove(renewed)).toMatchObject({ status: 200 });
  await expect(portal.login(email)).rejects.toThrow('bad_credentials');

  const recent = await newPerson();
  await age(recent.cookie, 'proved_at', '9 minutes 50 seconds');
  expect((await remove(recent.cookie)).status).toBe(200);
});

test('guesses at re-authentication are limited per session (13.6f)', async () => {
  const { email, cookie } = await newPerson();
  const neighbour = await portal.login(email);
  for (let n = 0; n < 9; n++) expect((await proof(cookie, 'a guess')).status).toBe(400);
  const proved = cookieIn((await proof(cookie, PASSWORD)).headers);
  for (let n = 0; n < 10; n++) expect((await proof(proved, 'a guess')).status).toBe(400);
  expect((await proof(proved, PASSWORD)).status).toBe(429);
  expect((await proof(neighbour, PASSWORD)).status).toBe(200);
});

test('a person sees the machines about which they get charging mails, and no others (13.6g)', async () => {
  const { cookie } = await newPerson();
  const serial = `ABO-${people}`;
  await portal.machine(klant, { serial, alias: 'Rups' });
  await portal.machine(klant, { serial: `${serial}-2` });
  await portal.machine(await portal.organization('ander'), { serial: `${serial}-3` });
  await send('POST', '/api/mail/subscribe', cookie, { serialNumber: serial });
  const own = { serialNumber: serial, alias: 'Rups', organization: 'klant BV' };
  const mine = async () => (await send('GET', '/api/account/subscriptions', cookie)).body;
  expect(await mine()).toEqual([own]);
  expect((await send('GET', '/api/account/subscriptions', (await newPerson()).cookie)).body).toEqual([]);
  // The person may no longer see the machine, so no mails about it go out.
  const moved = `update ownership set organization_id = (select id from organization where name = $1)
    where stream_id = (select id from stream where serial = $2)`;
  await portal.pool.query(moved, ['ander', serial]);
  expect(await mine()).toEqual([]);
  await portal.pool.query(moved, ['klant', serial]);
  await send('POST', '/api/mail/unsubscribe', cookie, { serialNumber: serial });
  expect(await mine()).toEqual([]);
});

test('a person downloads all data about themselves without secrets, and the download is audited (13.6h)', async () => {
  const { email, cookie } = await newPerson();
  const other = await newPerson();
  await send('POST', '/api/account/name', cookie, { displayName: 'Bea' });
  await portal.machine(klant, { serial: `DATA-${people}`, alias: 'Rups' });
  await send('POST', '/api/mail/subscribe', cookie, { serialNumber: `DATA-${people}` });
  await portal.pool.query(
    `with me as (select id from account where email = $1), linked as (
       insert into account_identity (account_id, issuer, subject) select id, 'https://inlog.klant.nl', 'bea' from me),
     coded as (insert into recovery_code (account_id, code_hash, salt) select id, 'kanarie-code', 'x' from me),
     asked as (insert into invitation (organization_id, email, role, invited_by, expires_at, token_hashes)
       select $2, 'genodigd@elders.nl', 'kijker', id, now() + interval '1 day', '{kanarie-link}' from me)
     insert into factor (account_id, kind, name, secret, last_step)
       select id, 'totp', 'Telefoon', 'kanarie-totp', 0 from me`,
    [email, klant],
  );
  const answer = await portal.get('/api/account/data', cookie);
  expect([answer.statusCode, answer.headers['content-disposition'], answer.headers['content-type']]).toEqual([
    200,
    'attachment; filename="mijn-gegevens.json"',
    'application/json; charset=utf-8',
  ]);
  expect(answer.json()).toMatchObject({
    account: {
      'e-mailadres': email,
      naam: 'Bea',
      organisatie: 'klant BV',
      rol: 'gebruiker',
      'herstelcodes over': 1,
    },
    'inloggen via de organisatie': [
      { inlogdienst: 'https://inlog.klant.nl', kenmerk: 'bea', gekoppeld: expect.any(String) },
    ],
    'tweede stap': [{ soort: 'totp', naam: 'Telefoon', toegevoegd: expect.any(String) }],
    uitnodigingen: [{ aan: 'genodigd@elders.nl', organisatie: 'klant BV', rol: 'kijker', afloop: null }],
    sessies: [{ adres: '127.0.0.1' }],
    'bekende browsers': [{}],
    laadupdates: [{ serienummer: `DATA-${people}`, naam: 'Rups', organisatie: 'klant BV' }],
  });
  const acts = answer.json().logboek.map(({ wat }: { wat: string }) => wat);
  expect(acts).toEqual(expect.arrayContaining(['user.rename', 'session.start']));
  expect(acts.filter((act: string) => act === 'session.start')).toHaveLength(1);
  const { rows } = await portal.pool.query(
    `select a.password_hash, encode(s.token_hash, 'hex') as token from account a join session s on s.account_id = a.id
     where a.email = $1`,
    [email],
  );
  for (const secret of [rows[0].passwordHash, rows[0].token, cookie.split('=')[1], other.email])
    expect(answer.body).not.toContain(secret);
  expect(answer.body).not.toMatch(/kanarie|6b616e61726965/); // 'kanarie' as text and in hexadecimal
  expect((await portal.get('/api/account/data', cookie)).json().logboek[0]).toMatchObject({
    wat: 'user.export',
  });
});

test('a person can delete their own account, unless they are the last who can manage others (13.6i)', async () => {
  const { email, cookie } = await newPerson();
  const answer = await send('DELETE', '/api/account', cookie);
  expect([answer.status, answer.body.message]).toEqual([200, 'Je account is verwijderd.']);
  expect(String(answer.headers['set-cookie'])).toMatch(/^werkstroom=;.*Expires=Thu, 01 Jan 1970/);
  await expect.poll(() => status(cookie), { timeout: 4_000 }).toBe(401);
  await expect(portal.login(email)).rejects.toThrow('bad_credentials');

  const admin = await portal.login('beheer@portaal.nl');
  expect(await send('DELETE', '/api/account', admin)).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  });

  const small = await portal.organization('klein');
  const [first, second] = [await newPerson(small, 'beheerder'), await newPerson(small)];
  expect(await send('DELETE', '/api/account', first.cookie)).toMatchObject({
    status: 409,
    body: { message: 'Dit is de laatste beheerder. Maak eerst iemand anders beheerder.' },
  });
  expect((await send('DELETE', '/api/account', second.cookie)).status).toBe(200);
  expect((await send('DELETE', '/api/account', first.cookie)).status).toBe(200);
});
