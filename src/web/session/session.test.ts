import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { liveStorage } from '#web/live/live-storage.ts';
import { fakeBrowserStorage } from '#web/test/browser-store.ts';
import { aUser } from '#web/test/live-example.ts';
import {
  applySessionChange,
  checkSession,
  forgetDeletedAccount,
  prefetchSession,
  setSessionUserName,
  signIn,
  signOut,
} from './session.ts';

const ANSWER = { email: 'a@b.nl', name: null, organization: 'admin', cleanorg: 'Beheer', isBerende: false };
const USER = {
  email: 'a@b.nl',
  name: undefined,
  organization: 'admin',
  organizationName: 'Beheer',
  isLmbCustomer: false,
};

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeBrowserStorage());
  vi.stubGlobal('sessionStorage', fakeBrowserStorage());
  liveStorage.wipe();
});
afterEach(() => vi.unstubAllGlobals());

/** Replaces `fetch` by a function that returns this response. */
const server = (answer: unknown, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer), { status }));

/** A page with a signed-in user's live data in memory and in the browser's storage. */
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

test('a logout leaves nothing of the session in the browser (APP-07)', async () => {
  server({ message: 'ok' });
  const client = usedPage();
  await signOut(client);
  expectNothingOfTheirs(client);
  expect(sessionStorage.length).toBe(0);
  expect(client.getQueryData(['session'])).toEqual({ signedOut: true });
});

test('a logout that fails rejects, and the session stays (APP-07)', async () => {
  server({ code: 'unavailable', message: 'Database weg.' }, 503);
  const client = usedPage();
  await expect(signOut(client)).rejects.toThrow('Database weg.');
  expect(client.getQueryData(['session'])).toEqual({ user: USER });
  expect(localStorage.length).toBeGreaterThan(0);
});

test('a sign-in removes the data of the previous user (AUTH-02)', async () => {
  const other = { ...USER, email: 'c@d.nl' };
  server({ message: 'ok', user: { ...ANSWER, email: 'c@d.nl' } });
  const client = usedPage();
  await signIn(client, 'c@d.nl', 'geheim');
  expectNothingOfTheirs(client);
  expect(client.getQueryData(['session'])).toEqual({ user: other });
});

test('a refused login changes nothing (AUTH-05)', async () => {
  server({ code: 'bad_credentials', message: 'Klopt niet.' }, 401);
  const client = createQueryClient();
  await expect(signIn(client, 'c@d.nl', 'x')).rejects.toThrow('Klopt niet.');
  expect(client.getQueryData(['session'])).toBeUndefined();
});

test('after the account is deleted, no data of the user stays in the browser, and signedOut is not set (AUTH-10)', () => {
  const client = usedPage();
  forgetDeletedAccount(client);
  expectNothingOfTheirs(client);
  expect(client.getQueryData(['session'])).toEqual({});
});

test('after the server ended a session, the user’s data are removed and the reason is shown, unless another user signed in meanwhile (AUTH-10, 12.C7)', async () => {
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

test('a session ends after a 401 even if the call that asks for the reason fails (AUTH-10)', async () => {
  server({ code: 'unavailable', message: 'Database weg.' }, 503);
  const client = usedPage();
  await checkSession(client);
  expect(client.getQueryData(['session'])).toEqual({});
});

test('a session stays after a 401 if the server says that it is valid, as after a change of its token (13.6e)', async () => {
  server({ isAuthenticated: true, user: ANSWER });
  const client = usedPage();
  await checkSession(client);
  expect(client.getQueryData(['session'])).toEqual({ user: USER });
  expect(client.getQueryData(['machines'])).toEqual(['theirs']);
});

test('a new name of the signed-in user is shown at once (13.6b)', () => {
  const client = usedPage();
  setSessionUserName(client, 'Anna');
  expect(client.getQueryData(['session'])).toEqual({ user: { ...USER, name: 'Anna' } });
  const signedOut = createQueryClient();
  setSessionUserName(signedOut, 'Anna');
  expect(signedOut.getQueryData(['session'])).toBeUndefined();
});

test('a logout in another tab ends the session of this tab too (APP-07)', () => {
  const client = usedPage();
  applySessionChange(client, 'signed-out');
  expectNothingOfTheirs(client);
  expect(client.getQueryData(['session'])).toEqual({ signedOut: true });
});

test('a login in another tab makes this tab validate its session again (AUTH-02)', () => {
  const client = usedPage();
  applySessionChange(client, 'signed-in');
  expectNothingOfTheirs(client);
  expect(client.getQueryData(['session'])).toBeUndefined();
});

test.each([
  ['not authenticated', { isAuthenticated: false }, {}],
  ['authenticated without a user', { isAuthenticated: true }, {}],
  ['not authenticated, with a reason (12.C7)', { isAuthenticated: false, message: 'Uit.' }, { why: 'Uit.' }],
  ['authenticated', { isAuthenticated: true, user: ANSWER }, { user: USER }],
])('the validation of a session ends or keeps the session: %s (AUTH-09)', async (_, answer, expected) => {
  server(answer);
  const client = createQueryClient();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryData(['session'])).toEqual(expected));
});

test('stored data is deleted when the server knows no session (AUTH-09)', async () => {
  liveStorage.offer({ text: '{"A":"theirs"}', atMs: 1 });
  server({ isAuthenticated: false });
  prefetchSession(createQueryClient());
  await vi.waitFor(() => expect(localStorage.length).toBe(0));
});

const ANNA = aUser('anna@klant.nl');
const SESSION = ['session'];
/** A browser whose storage holds Anna's live data. */
function annasBrowser(agoMs = 60_000) {
  liveStorage.setOwner(ANNA);
  liveStorage.offer({ text: '{}', atMs: Date.now() - agoMs });
  return createQueryClient();
}
const unplugged = () => vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
const remembered = { user: ANNA, isRemembered: true };

test.each([
  ['the network is gone', unplugged],
  ['the portal fails', () => server({ code: 'internal', message: 'Stuk.' }, 500)],
  ['a proxy says that the portal is gone', () => server('<h1>Bad gateway</h1>', 502)],
])('a page that is loaded while %s shows the data of the last user (15.8a)', async (_, fail) => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const client = annasBrowser();
  fail();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryData(SESSION)).toEqual(remembered));
  expect(client.getQueryData(['live-poll-state'])).toMatchObject({ failingSince: expect.any(Number) });
  expect(logged).toHaveBeenCalledTimes(1);
});

test.each([
  ['no user was signed in', () => createQueryClient()],
  ['the stored data is 13 hours old', () => annasBrowser(13 * 3_600_000)],
])('an outage shows no stored data when %s (15.8a)', async (_, browser) => {
  const client = browser();
  unplugged();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryState(SESSION)?.status).toBe('error'));
  expect(client.getQueryData(SESSION)).toBeUndefined();
});

test.each([
  ['a sign-out', async () => signOut(createQueryClient())],
  ['a sign-out in another tab', async () => applySessionChange(createQueryClient(), 'signed-out')],
  ['another login in another tab', async () => applySessionChange(createQueryClient(), 'signed-in')],
  ['the deletion of the account', async () => forgetDeletedAccount(createQueryClient())],
])('%s removes the stored data (15.8b)', async (_, endSession) => {
  annasBrowser();
  server({ message: 'ok' });
  await endSession();
  const client = createQueryClient();
  unplugged();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryState(SESSION)?.status).toBe('error'));
  expect(localStorage.length).toBe(0);
});

test.each([
  ['has ended', () => server({ isAuthenticated: false })],
  ['cannot be validated after a 401', unplugged],
])('the remembered user is removed as soon as the session %s (15.8b)', async (_, changeServer) => {
  const client = annasBrowser();
  client.setQueryData(SESSION, remembered);
  changeServer();
  await checkSession(client);
  expect(client.getQueryData(SESSION)).not.toHaveProperty('user');
  expect(localStorage.length).toBe(0);
});

test('a user who was signed in gets the text that the session has ended, after a reload and on an open page (15.8d)', async () => {
  server({ isAuthenticated: false });
  const ended = { why: 'Je sessie is afgelopen. Log opnieuw in.' };
  const client = annasBrowser();
  prefetchSession(client);
  await vi.waitFor(() => expect(client.getQueryData(SESSION)).toEqual(ended));
  const open = usedPage();
  await checkSession(open);
  expect(open.getQueryData(SESSION)).toEqual(ended);
});
