import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from './app.ts';
import { type TestPortal, testPortal } from './test/portal.ts';

let portal: TestPortal;
let folder: string;
let app: FastifyInstance;
let cookie: string;
beforeAll(async () => {
  portal = await testPortal({ PUBLIC_URL: 'https://portaal.example.nl' });
  await portal.user('admin@portaal.nl', await portal.organization('admin'));
  cookie = await portal.login('admin@portaal.nl');
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-pages-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Werkstroom</title>');
  app = await buildApp(portal.portal, folder);
});
afterAll(async () => {
  await app.close();
  await portal.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sources of a Content-Security-Policy that name no host but the portal's own. */
const OURS = ["'self'", "'none'", "'unsafe-inline'", 'data:', 'blob:'];

test.each([
  ['a page', '/machine/', 200, 'text/html; charset=utf-8'],
  ['JSON', '/api/live', 200, 'application/json; charset=utf-8'],
  ['a refusal', '/api/geen', 404, 'application/json; charset=utf-8'],
  ['CSV', '/api/log/csv', 200, 'text/csv; charset=utf-8'],
  ['the documentation', '/api/docs', 200, 'text/html; charset=utf-8'],
])(
  '%s over https has its type, its charset and every security header (API-03)',
  async (_, url, status, type) => {
    const { statusCode, headers } = await app.inject({ url, headers: { cookie } });
    expect([statusCode, headers['content-type']]).toEqual([status, type]);
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect(headers['x-content-type-options']).toBe('nosniff');
    // Neither policy sends a URL of the portal to another site.
    expect(headers['referrer-policy']).toMatch(/^(no-referrer|same-origin)$/);
    const policy = String(headers['content-security-policy']).split(';');
    for (const part of [
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(part);
    // A page's content can come from the portal only.
    const sources = policy.flatMap((part) => part.split(' ').slice(1));
    expect(sources.filter((source) => !OURS.includes(source))).toEqual([]);
    expect(headers['x-powered-by'] ?? headers.server).toBeUndefined();
  },
);

test('TRACE, which would return a request’s headers, is refused (API-03)', async () => {
  const { status, body } = await new Promise<{ status: number | undefined; body: string }>(
    (resolve, reject) => {
      request(`${portal.address}/api/live`, { method: 'TRACE', headers: { cookie } }, async (answer) =>
        resolve({ status: answer.statusCode, body: await text(answer) }),
      )
        .on('error', reject)
        .end();
    },
  );
  expect([status, body.includes(cookie)]).toEqual([404, false]);
});
