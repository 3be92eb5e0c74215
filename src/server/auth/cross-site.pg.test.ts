import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let cookie: string;
beforeAll(async () => {
  portal = await testPortal({ ALLOWED_ORIGINS: 'https://eigen.example' });
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  cookie = await portal.login('admin@portaal.nl');
});
afterAll(() => portal.close());

test.each([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'none' }, 403],
  [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }, 200],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
  [{ 'sec-fetch-site': 'same-origin' }, 200],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ referer: 'https://evil.example/page' }, 403],
  [{ referer: 'rubbish' }, 403],
  [{ origin: 'http://localhost:3000' }, 200],
  [{ referer: 'http://localhost:3000/signin' }, 200],
  // The sender chooses the Host header, so it does not make an origin trusted.
  [{ origin: 'http://localhost:80', host: 'localhost:80' }, 403],
  [{ origin: 'http://evil.example', host: 'evil.example' }, 403],
  [{ referer: 'http://portaal.nl/signin', host: 'portaal.nl' }, 403],
  [{ 'x-requested-with': 'curl' }, 200],
  [{ 'x-requested-with': 'x', 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'x-requested-with': 'x', 'sec-fetch-site': 'none' }, 403],
  [{ 'x-requested-with': 'x', origin: 'https://evil.example' }, 403],
  [{ 'x-requested-with': 'x', referer: 'https://evil.example/page' }, 403],
  [{ 'x-requested-with': 'x', referer: 'rubbish' }, 403],
  [{ 'x-requested-with': '' }, 403],
] as [Record<string, string>, number][])(
  'a call that changes state with the headers %j gets %i (API-04, 13.8a)',
  async (headers, status) => {
    const sent = { cookie, 'x-requested-with': '', ...headers };
    const answer = await portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers: sent });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['cache-control']).toBe('no-store');
  },
);

/** Sends exactly these headers; fetch would add its own. */
const raw = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const asked = request(portal.address + path, { method, headers }, async (answer) =>
      resolve({ status: answer.statusCode, text: await text(answer) }),
    );
    asked.on('error', reject).end(body);
  });

test('a GET that changes state is refused over plain http if it has the session cookie but no header that names its origin, as from an image on another site (13.8a)', async () => {
  const path = '/api/organization/create?name=buurman&clean=Buurman';
  const names = async () => (await portal.pool.query('select name from organization')).rows;
  const before = await names();
  cookie = await portal.login('admin@portaal.nl');
  const refused = await raw('GET', path, { cookie });
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    403,
    {
      code: 'forbidden',
      message:
        'Deze aanvraag zegt niet waar hij vandaan komt. Stuur vanuit een script de header X-Requested-With mee, met een waarde naar keuze.',
    },
  ]);
  expect(await names()).toEqual(before);
  // With the header X-Requested-With the call is served, and creates an organization.
  expect((await raw('GET', path, { cookie, 'X-Requested-With': 'curl' })).status).toBe(200);
  expect((await names()).length).toBe(before.length + 1);
});

test('a call with any cookie must prove its origin, and a call without a cookie need not (13.8a)', async () => {
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'admin@portaal.nl', password: PASSWORD });
  const login = (headers: Record<string, string>) =>
    raw('POST', '/api/auth/login', { ...json, ...headers }, body);
  expect((await login({})).status).toBe(200);
  expect((await login({ cookie: `werkstroom-device=${'A'.repeat(43)}` })).status).toBe(403);
  // A sign-in must prove its origin too: otherwise another site could sign a browser in to an account of the attacker.
  expect((await login({ origin: 'https://evil.example' })).status).toBe(403);
  // A request of another site without an Origin header can only be that of a form, and forms cannot send JSON.
  const form = await raw('POST', '/api/auth/login', { 'content-type': 'text/plain' }, body);
  expect(form.status).toBe(400);
});

test('a cross-origin script needs a preflight for X-Requested-With, which only ALLOWED_ORIGINS pass (13.8a)', async () => {
  const preflight = (origin: string) =>
    portal.app.inject({
      method: 'OPTIONS',
      url: '/api/organization/create',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-requested-with',
      },
    });
  const ours = (await preflight('https://eigen.example')).headers;
  expect(ours['access-control-allow-origin']).toBe('https://eigen.example');
  expect(ours['access-control-allow-headers']).toBe('x-requested-with');
  const foreign = (await preflight('https://evil.example')).headers;
  expect(foreign['access-control-allow-origin']).toBeUndefined();
});
