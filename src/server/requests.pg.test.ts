import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestPortal, testPortal } from './test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

/** Returns the server's answer to these bytes, until it closes or is silent for a second. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect((portal.app.server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    const done = () => {
      clearTimeout(silence);
      socket.destroy();
      resolve(text);
    };
    // The first byte may take long on a busy machine.
    let silence = setTimeout(done, 10_000);
    socket.on('data', (piece) => {
      text += piece;
      clearTimeout(silence);
      silence = setTimeout(done, 1_000);
    });
    socket.on('error', done).on('close', done);
    socket.write(bytes);
  });
}

const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`;
const UNREADABLE = { code: 'invalid', message: 'De aanvraag is onleesbaar.' };

describe('an unreadable request gets an error of the documented shape, with the security headers', () => {
  test.each<[string, string, number, object]>([
    ['an address that cannot be decoded', get('/%zz'), 400, UNREADABLE],
    ['an address under a route that cannot be decoded', get('/api/live/%E0%A4%A'), 400, UNREADABLE],
    ['a parameter of endless length', get(`/tiles/street/1/2/${'9'.repeat(600)}`), 400, UNREADABLE],
    [
      'headers that are too large',
      get('/', `x-large: ${'x'.repeat(16 * 1024)}\r\n`),
      431,
      { code: 'too_large', message: 'De aanvraag is te groot.' },
    ],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 400, UNREADABLE],
    ['a method that does not exist', 'FOO / HTTP/1.1\r\nhost: x\r\n\r\n', 400, UNREADABLE],
    ['a broken length', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n', 400, UNREADABLE],
    [
      'two framings',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      UNREADABLE,
    ],
    [
      'a body that is no JSON',
      'POST /api/auth/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 1\r\n\r\n{',
      400,
      UNREADABLE,
    ],
  ])(
    'an unreadable request gets the documented error with the security headers: %s (API-03)',
    async (_what, bytes, status, problem) => {
      const answer = await raw(bytes);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(JSON.parse(body)).toEqual(problem);
      for (const header of [
        "content-security-policy: default-src 'self'",
        'x-content-type-options: nosniff',
        'referrer-policy: no-referrer',
        'permissions-policy: geolocation=(self), ',
        'cache-control: no-store',
        'content-type: application/json; charset=utf-8',
      ])
        expect(head.toLowerCase()).toContain(header.toLowerCase());
    },
  );

  test.each([
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n'],
    ['an upgrade', get('/', 'upgrade: websocket\r\n')],
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['an absolute address', get('http://elders.example/api/health')],
    ['rubbish behind a request', `GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n\0\0\0`],
  ])('the portal still answers after an unusual request: %s (API-03)', async (_what, bytes) => {
    await raw(bytes);
    expect((await fetch(`${portal.address}/api/health`)).status).toBe(200);
  });

  test('garbage after a request does not corrupt its answer (API-03)', async () => {
    const answer = await raw('GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n\0\0\0');
    // The client gets either the answer to the request or the error about the garbage, never the one inside the other.
    expect(answer.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThanOrEqual(1);
  });
});

describe('bodies are bounded', () => {
  const login = (bytes: number) =>
    portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'a@b.nl', password: 'x'.repeat(bytes) },
    });

  test('a sign-in of more than 16 kB is refused without reading it (AUTH-11, API-03)', async () => {
    const answer = await login(16 * 1024);
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      { code: 'too_large', message: 'De aanvraag is te groot.' },
    ]);
    expect((await login(15 * 1024)).statusCode).not.toBe(413);
  });

  test('JSON nested 33 levels deep is refused before it is parsed (API-03, 41.1)', async () => {
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      payload: `{"email":"a@b.nl","password":"x","more":${'['.repeat(32)}${']'.repeat(32)}}`,
    });
    expect([answer.statusCode, answer.json()]).toEqual([400, UNREADABLE]);
  });

  test('a sign-in without its body gets 408 after 30 s (API-03)', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const socket = connect((portal.app.server.address() as AddressInfo).port, '127.0.0.1');
    try {
      let text = '';
      socket.on('data', (piece) => {
        text += piece;
      });
      socket.write(
        'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
      );
      const patience = () => timers.mock.calls.find(([, ms]) => ms === 30_000);
      await expect.poll(patience, { timeout: 20_000 }).toBeDefined();
      patience()?.[0]();
      await expect.poll(() => text, { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      timers.mockRestore();
      socket.destroy();
    }
  });

  test('the number of connections is limited (API-03)', () => {
    expect(portal.app.server.maxConnections).toBe(20_000);
  });

  test('the server keeps idle connections longer than proxies do, so that a proxy never uses a closing one (API-03)', () => {
    expect(portal.app.server.keepAliveTimeout).toBeGreaterThan(65_000);
  });
});

describe('HEAD /api/health', () => {
  test('HEAD /api/health answers as GET does, without the body (API-03)', async () => {
    const head = await fetch(`${portal.address}/api/health`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('cache-control')).toBe('no-store');
    await portal.pool.query('alter table health rename to elsewhere');
    await new Promise((later) => setTimeout(later, 1_050));
    const ill = await fetch(`${portal.address}/api/health`, { method: 'HEAD' });
    expect(ill.status).toBe(503);
    await portal.pool.query('alter table elsewhere rename to health');
  });
});

test.each([
  ['POST', '/api/invitation/look'],
  ['POST', '/bestaat-niet'],
  ['PUT', '/api/live'],
  ['POST', '/api/machine/dbc/upload'],
])(
  'a body of a megabyte of opening brackets is refused before it is parsed: %s %s (41.1)',
  async (method, url) => {
    const body = '['.repeat(500_000) + ']'.repeat(500_000);
    const parse = vi.spyOn(JSON, 'parse');
    const answer = await portal.app.inject({
      method: method as 'POST',
      url,
      body,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    });
    const parsed = parse.mock.calls.map(([text]) => text.length);
    parse.mockRestore();
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    expect(Math.max(0, ...parsed)).toBeLessThan(body.length);
  },
);

test.each([
  ['POST', '/bestaat-niet'],
  ['PUT', '/api/live'],
  ['POST', '/api/live/'],
])('a request without a route has its body ignored: %s %s (41.1)', async (method, url) => {
  const answer = await portal.app.inject({
    method: method as 'POST',
    url,
    body: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect([answer.statusCode, answer.json()]).toEqual([404, { code: 'not_found', message: 'Niet gevonden.' }]);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
});

test.each(['/api/invitation/look', '/api/auth/oidc/invitation', '/api/mail/unsubscribe/x'])(
  'a body of an unauthenticated caller is at most 16 kB: %s (41.1)',
  async (url) => {
    const post = (bytes: number) =>
      portal.app.inject({ method: 'POST', url, payload: { token: 'x'.repeat(bytes - 12) } });
    expect((await post(16 * 1024)).statusCode).not.toBe(413);
    expect((await post(16 * 1024 + 1)).statusCode).toBe(413);
  },
);
