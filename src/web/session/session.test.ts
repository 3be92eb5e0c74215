import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { liveStorage } from '#web/live/live-storage.ts';
import { browserStore } from '#web/test/browser-store.ts';
import { aUser } from '#web/test/live-example.ts';
import { checkSession, expire, follow, prefetchSession, rename, signIn, signOut } from './session.ts';

const TOLD = { email: 'a@b.nl', name: null, organization: 'admin', cleanorg: 'Beheer', isBerende: false };
const USER = {
  email: 'a@b.nl',
  name: undefined,
  organization: 'admin',
  organizationName: 'Beheer',
  isLmbCustomer: false,
};

beforeEach(() => {
  vi.stubGlobal('localStorage', browserStore());
  vi.stubGlobal('sessionStorage', browserStore());
  liveStorage.wipe();
});
afterEach(() => vi.unstubAllGlobals());

/** Stands in for the network. */
const server = (answer: unknown, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer), { status }));

/** A page in which somebody worked: live data in memory and in the browser. */
function usedPage() {
  const client = createQueryClient();
  client.setQueryData(['session'], { user: USER });
  client.setQueryData(['live'], { entries: ['theirs'] });
  client.setQueryData(['machines'], ['theirs']);
  liveStorage.offer({ text: '{"A":"theirs"}', atMs: 1 });
  sessionStorage.setItem('sessionValidated', '1');
  expect(localStorage.length).toBeGreaterThan(0);
  return client;
}
function expectNothingOfTheirs(client: ReturnType<typeof usedPage>) {
  expect(localStorage.length).toBe(0);
  expect(client.getQueryData(['live'])).toBeUndefined();
  expect(client.getQueryData(['machines'])).toBeUndefined();
}

test('APP-07 after logout nothing of the session is left in the browser', async () => {
  server({ message: 'ok' });
  const client = usedPage();
  await signOut(client);
  expectNothingOfTheirs(client);
  expect(sessionStorage.length).toBe(0);
  expect(client.getQueryData(['session'])).toEqual({ signedOut: true });
});

test('APP-07 a logout that fails is told, and the session stays', async () => {
  server({ code: 'unavailable', message: 'Database weg.' }, 503);
  const client = usedPage();
  await expect(signOut(client)).rejects.toThrow('Database weg.');
  expect(client.getQueryData(['session'])).toEqual({ user: USER });
  expect(localStorage.length).toBeGreaterThan(0);
});

test('AUTH-02 who signs in sees nothing of who was here before', async () => {
  const other = { ...USER, email: 'c@d.nl' };
  server({ message: 'ok', user: { ...TOLD, email: 'c@d.nl' } });
  const client = usedPage();
  await signIn(client, 'c@d.nl', 'geheim');
  expectNothingOfTheirs(client);
  expect(client.getQueryData(['session'])).toEqual({ user: other });
});

test('AUTH-05 a refused login changes nothing', async () => {
  server({ code: 'bad_credentials', message: 'Klopt niet.' }, 401);
  const client = createQueryClient();
  await expect(signIn(client, 'c@d.nl', 'x')).rejects.toThrow('Klopt niet.');
  expect(client.getQueryData(['session'])).toBeUndefined();
});

test('AUTH-10 a session that ended with its account leaves nothing, and is not a logout on purpose', () => {
  const client = usedPage();
  expire(client);
  expectNothingOfTheirs(client);
  expect(client.getQueryData(['session'])).toEqual({});
});

test('AUTH-10 12.C7 a session that the server ended leaves nothing and says why, unless somebody signed in meanwhile', async () => {
  server({ isAuthenticated: false, message: 'Uit.' });
  const [client, another] = [usedPage(), usedPage()];
  const other = { ...USER, email: 'c@d.nl' };
  const checks = [checkSession(client), checkSession(another)];
  another.setQueryData(['session'], { user: other });
  await Promise.all(checks);
  expect(client.getQueryData(['session'])).toEqual({ why: 'Uit.' });
  expectNothingOfTheirs(client);
  expect(another.getQueryData(['session'])).toEqual({ user: other });
});

test('AUTH-10 a session ends here too when the server cannot say more', async () => {
  server({ code: 'unavailable', message: 'Database weg.' }, 503);
  const client = usedPage();
  await checkSession(client);
  expect(client.getQueryData(['session'])).toEqual({});
});

test('13.6e a session that got a new token while a call was under way goes on', async () => {
  server({ isAuthenticated: true, user: TOLD });
  const client = usedPage();
  await checkSession(client);
  expect(client.getQueryData(['session'])).toEqual({ user: USER });
  expect(client.getQueryData(['machines'])).toEqual(['theirs']);
});

test('13.6b who is called otherwise is shown so at once', () => {
  const client = usedPage();
  rename(client, 'Anna');
  expect(client.getQueryData(['session'])).toEqual({ user: { ...USER, name: 'Anna' } });
  const nobody = createQueryClient();
  rename(nobody, 'Anna');
  expect(nobody.getQueryData(['session'])).toBeUndefined();
});

test('APP-07 a logout in another tab ends this one too', () => {
  const client = usedPage();
  follow(client, 'signed-out');
  expectNothingOfTheirs(client);
  expect(client.getQueryData(['session'])).toEqual({ signedOut: true });
});

test('AUTH-02 another login in another tab makes this one ask who it is', () => {
  const client = usedPage();
  follow(client, 'signed-in');
  expectNothingOfTheirs(client);
  expect(client.getQueryData(['session'])).toBeUndefined();
});

test.each([
  ['not authenticated', { isAuthenticated: false }, {}],
  ['authenticated without a user', { isAuthenticated: true }, {}],
  ['12.C7 not any more, and why', { isAuthenticated: false, message: 'Uit.' }, { why: 'Uit.' }],
  ['authenticated', { isAuthenticated: true, user: TOLD }, { user: USER }],
])('AUTH-09 validation answers: %s', async (_, answer, expected) => {
  server(answer);
  const client = createQueryClient();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryData(['session'])).toEqual(expected));
});

test('AUTH-09 stored data goes when the session turns out not to be there', async () => {
  liveStorage.offer({ text: '{"A":"theirs"}', atMs: 1 });
  server({ isAuthenticated: false });
  prefetchSession(createQueryClient());
  await vi.waitFor(() => expect(localStorage.length).toBe(0));
});

const ANNA = aUser('anna@klant.nl');
const SESSION = ['session'];
/** A browser in which Anna looked at her machines, as a page that is loaded now finds it. */
function annasBrowser(agoMs = 60_000) {
  liveStorage.keepFor(ANNA);
  liveStorage.offer({ text: '{}', atMs: Date.now() - agoMs });
  return createQueryClient();
}
const unplugged = () => vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
const remembered = { user: ANNA, isRemembered: true };

test.each([
  ['the network is gone', unplugged],
  ['the portal fails', () => server({ code: 'internal', message: 'Stuk.' }, 500)],
  ['a proxy says that the portal is gone', () => server('<h1>Bad gateway</h1>', 502)],
])('15.8a a page that is loaded while %s is of who was last here', async (_, fail) => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const client = annasBrowser();
  fail();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryData(SESSION)).toEqual(remembered));
  expect(client.getQueryData(['live-trouble'])).toMatchObject({ failingSince: expect.any(Number) });
  expect(logged).toHaveBeenCalledTimes(1);
});

test.each([
  ['never, where nobody was', () => createQueryClient()],
  ['not 13 hours later', () => annasBrowser(13 * 3_600_000)],
])('15.8a %s', async (_, browser) => {
  const client = browser();
  unplugged();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryState(SESSION)?.status).toBe('error'));
  expect(client.getQueryData(SESSION)).toBeUndefined();
});

test.each([
  ['who signs out', async () => signOut(createQueryClient())],
  ['a sign-out in another tab', async () => follow(createQueryClient(), 'signed-out')],
  ['another login in another tab', async () => follow(createQueryClient(), 'signed-in')],
  ['the account that is deleted', async () => expire(createQueryClient())],
])('15.8b %s: nothing is shown of before', async (_, leave) => {
  annasBrowser();
  server({ message: 'ok' });
  await leave();
  const client = createQueryClient();
  unplugged();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryState(SESSION)?.status).toBe('error'));
  expect(localStorage.length).toBe(0);
});

test.each([
  ['is over', () => server({ isAuthenticated: false })],
  ['cannot be asked about after a 401', unplugged],
])('15.8b what is remembered ends as soon as the session %s', async (_, turn) => {
  const client = annasBrowser();
  client.setQueryData(SESSION, remembered);
  turn();
  await checkSession(client);
  expect(client.getQueryData(SESSION)).not.toHaveProperty('user');
  expect(localStorage.length).toBe(0);
});

test('15.8d a session that ended says so to who had one, and to nobody else', async () => {
  server({ isAuthenticated: false });
  const ended = { why: 'Je sessie is afgelopen. Log opnieuw in.' };
  const client = annasBrowser();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryData(SESSION)).toEqual(ended));
  const open = usedPage();
  await checkSession(open);
  expect(open.getQueryData(SESSION)).toEqual(ended);
});
