import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openTraffic } from '#server/metrics/traffic.ts';
import { createHttpServer, type HttpServer } from './http-server.ts';

const CUT_AFTER_MS = 300;
let http: HttpServer;
let agent: Agent;

/** `/upload endpoint…` is the upload endpoint's; it and the rest answer when the body is in. */
async function start(): Promise<void> {
  const answer =
    (name: string) =>
    (incoming: IncomingMessage, response: import('node:http').ServerResponse): boolean => {
      incoming.resume().once('end', () => setTimeout(() => response.end(name), 100));
      return true;
    };
  http = createHttpServer(
    { handle: answer('door'), handleExpectContinue: answer('door') },
    ({ url }) => url?.startsWith('/door') ?? false,
    answer('rest'),
    openTraffic(),
    (response) => response.writeHead(431).end(),
    CUT_AFTER_MS,
  );
  await new Promise<void>((done) => http.server.listen(0, '127.0.0.1', done));
  agent = new Agent({ keepAlive: true, maxSockets: 10 });
}
afterEach(() => {
  agent.destroy();
  http.server.closeAllConnections();
});

function send(path: string, method = 'GET'): ClientRequest {
  const { port } = http.server.address() as AddressInfo;
  return request({ port, host: '127.0.0.1', path, method, agent });
}

const answerOf = (sent: ClientRequest): Promise<{ body: string; connection: string | undefined }> =>
  new Promise((resolve, reject) => {
    sent.once('error', reject).once('response', (response) => {
      let body = '';
      response.on('data', (bytes) => {
        body += bytes;
      });
      response.once('end', () => resolve({ body, connection: response.headers.connection }));
    });
    sent.end();
  });

const closed = (): Promise<number> => {
  const began = performance.now();
  return new Promise((resolve) => {
    http.server.close(() => resolve(performance.now() - began));
    http.beginClosing();
  });
};

describe('closing', () => {
  test.each(['door', 'rest'])(
    'answers of the %s that are under way go out, and end their connection (INGEST-02)',
    async (who) => {
      await start();
      expect((await answerOf(send(`/${who}`))).connection).toBe('keep-alive');
      const underWay = answerOf(send(`/${who}`));
      await new Promise((later) => setTimeout(later, 30));
      const end = closed();
      expect(await underWay).toEqual({ body: who, connection: 'close' });
      expect(await end).toBeLessThan(CUT_AFTER_MS);
    },
  );

  test('connections that wait for nothing are closed at once (INGEST-02)', async () => {
    await start();
    await Promise.all([1, 2, 3].map(() => answerOf(send('/door'))));
    expect(await closed()).toBeLessThan(CUT_AFTER_MS);
  });

  test.each(['/door', '/rest'])('a body of %s that never ends is cut (INGEST-02)', async (path) => {
    await start();
    const sent = send(path, 'POST');
    const failed = new Promise((resolve) => sent.once('error', resolve));
    sent.write('the beginning');
    await new Promise((later) => setTimeout(later, 50));
    expect(await closed()).toBeGreaterThan(CUT_AFTER_MS * 0.9);
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('header lines', () => {
  const statusOf = (header: string, path: string, method: string, more = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { port } = http.server.address() as AddressInfo;
      const headers = { 'user-agent': header, ...more };
      request({ port, host: '127.0.0.1', path, method, headers })
        .once('error', reject)
        .once('response', (response) => resolve(response.resume().statusCode))
        .end();
    });

  test.each([
    ['/door', 'GET', {}],
    ['/door', 'PUT', { expect: '100-continue' }],
    ['/rest', 'GET', {}],
    ['/rest', 'HEAD', {}],
  ])('get 431 when they take more than 16 kB: %s %s %j (41.1)', async (path, method, more) => {
    await start();
    expect(await statusOf('x'.repeat(15_000), path, method, more)).toBe(200);
    expect(await statusOf('x'.repeat(16 * 1024), path, method, more)).toBe(431);
  });

  test('may be as long beside an address of 100 kB, which holds 200 accessories (API-01)', async () => {
    await start();
    expect(await statusOf('x'.repeat(15_000), `/rest?x=${'y'.repeat(100_000)}`, 'GET')).toBe(200);
  });
});
