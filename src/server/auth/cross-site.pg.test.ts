import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
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
  [{ origin: 'http://localhost:80', host: 'localhost:80' }, 200],
  [{ referer: 'http://portaal.nl/signin', host: 'portaal.nl' }, 200],
  [{}, 200],
] as [Record<string, string>, number][])('API-04 sent with %j answer %i', async (headers, status) => {
  const answer = await portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['cache-control']).toBe('no-store');
});
