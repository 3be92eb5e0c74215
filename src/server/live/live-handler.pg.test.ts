import { type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let cookie: string;
let otherCookie: string;
const ORIGIN = 'https://elders.example';

beforeAll(async () => {
  portal = await testPortal({ PUBLIC_URL: 'https://portaal.example', ALLOWED_ORIGINS: ORIGIN });
  const own = await portal.organization('eigen');
  await portal.machine(own, { serial: 'LH-1', alias: 'Rups' });
  await portal.user('eigen@klant.nl', own);
  cookie = await portal.login('eigen@klant.nl');
  const other = await portal.organization('ander');
  await portal.user('ander@klant.nl', other);
  otherCookie = await portal.login('ander@klant.nl');
});
afterAll(() => portal.close());

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Over the line, where the handler in front of Fastify answers; `method` and headers as given. */
function ask(
  headers: Record<string, string>,
  method = 'GET',
  path = '/api/live',
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${portal.address}${path}`, { method, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      );
    });
    sent.once('error', reject).end(body);
  });
}

/** What the route of Fastify answers to the same. */
async function route(headers: Record<string, string>, path = '/api/live'): Promise<Answer> {
  const answer = await portal.app.inject({ url: path, headers });
  return {
    status: answer.statusCode,
    headers: answer.headers as IncomingHttpHeaders,
    body: answer.rawPayload,
  };
}

/** Those of the connection are not the route's. */
function comparable({ status, headers, body }: Answer) {
  const { date, connection, 'keep-alive': _keepAlive, 'transfer-encoding': _encoding, ...rest } = headers;
  return { status, headers: rest, body: body.toString('base64') };
}

describe('GET /api/live in front of Fastify answers as its route', () => {
  const cases: [string, () => Record<string, string>, string][] = [
    ['plainly', () => ({ cookie }), '/api/live'],
    ['compressed', () => ({ cookie, 'accept-encoding': 'br, gzip' }), '/api/live'],
    ['with a query', () => ({ cookie }), '/api/live?machineOrg=ander'],
    ['another organization', () => ({ cookie: otherCookie }), '/api/live'],
    [
      'among other cookies',
      () => ({ cookie: `a=b; __Host-werkstroom-device=x; ${cookie}; c=d` }),
      '/api/live',
    ],
    ['with the first of two sessions', () => ({ cookie: `${otherCookie}; ${cookie}` }), '/api/live'],
    ['without a session', () => ({}), '/api/live'],
    [
      'with a session that is unknown',
      () => ({ cookie: `__Host-werkstroom=${'x'.repeat(43)}` }),
      '/api/live',
    ],
    ['with a broken session first', () => ({ cookie: `__Host-werkstroom=%zz; ${cookie}` }), '/api/live'],
    ['with a cookie of another name', () => ({ cookie: `x${cookie}` }), '/api/live'],
    ['from an allowed origin', () => ({ cookie, origin: ORIGIN }), '/api/live'],
    ['from a strange origin', () => ({ cookie, origin: 'https://vreemd.example' }), '/api/live'],
    ['at another path', () => ({ cookie }), '/api/live/x'],
  ];
  test.each(cases)('LIVE-01 API-02 %s', async (_how, headers, path) => {
    expect(comparable(await ask(headers(), 'GET', path))).toEqual(comparable(await route(headers(), path)));
  });

  test('LIVE-01 304, whatever the client makes of the tag', async () => {
    const etag = String((await ask({ cookie })).headers.etag);
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const headers = { cookie, 'if-none-match': tag, 'accept-encoding': 'gzip' };
      const answer = await ask(headers);
      expect([answer.status, answer.body.length]).toEqual([304, 0]);
      expect(comparable(answer)).toEqual(comparable(await route(headers)));
    }
    expect((await ask({ cookie, 'if-none-match': '"x"' })).status).toBe(200);
  });

  test('LIVE-01 in front of Fastify, and with the security headers', async () => {
    let routed = 0;
    const count = portal.portal.log.child.bind(portal.portal.log);
    // Fastify makes a child logger for every request that it gets.
    portal.portal.log.child = ((...args: Parameters<typeof count>) => {
      routed += 1;
      return count(...args);
    }) as typeof portal.portal.log.child;
    await ask({ cookie, origin: ORIGIN });
    expect(routed).toBe(1);
    const answer = await ask({ cookie });
    const look = await ask({ cookie }, 'HEAD', '/api/live?session');
    expect([look.status, look.headers.etag]).toEqual([200, undefined]);
    expect(routed).toBe(1);
    portal.portal.log.child = count as typeof portal.portal.log.child;
    expect(answer.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'strict-transport-security': expect.stringContaining('max-age=31536000'),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(JSON.parse(answer.body.toString())).toHaveProperty('LH-1');
    const zipped = await ask({ cookie, 'accept-encoding': 'gzip' });
    expect(gunzipSync(zipped.body)).toEqual(answer.body);
  });

  test('API-03 other methods are the route’s', async () => {
    const answer = await ask({ cookie }, 'POST');
    expect(answer.status).toBe(404);
    const head = await ask({ cookie }, 'HEAD');
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, expect.any(String)]);
    expect((await ask({ cookie, 'content-length': '2' }, 'GET', '/api/live', '{}')).status).toBe(200);
  });

  test('API-02 a session that ends is refused at once', async () => {
    const mine = await portal.login('eigen@klant.nl');
    expect((await ask({ cookie: mine })).status).toBe(200);
    await portal.app.inject({ method: 'POST', url: '/api/auth/logout', headers: { cookie: mine } });
    expect((await ask({ cookie: mine })).status).toBe(401);
  });
});

test('LIVE-01 gzip;q=0 is a no', async () => {
  const answer = await ask({ cookie, 'accept-encoding': 'gzip;q=0, identity' });
  expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
});
