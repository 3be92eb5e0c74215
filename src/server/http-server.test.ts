import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openTraffic } from '#server/metrics/traffic.ts';
import { createHttpServer, type HttpServer } from './http-server.ts';

const CUT_AFTER_MS = 300;
let http: HttpServer;
let agent: Agent;

/** Starts a server whose upload endpoint and other routes answer when the body is complete. */
async function start(): Promise<void> {
  const answer =
    (name: string) =>
    (incoming: IncomingMessage, response: import('node:http').ServerResponse): boolean => {
      incoming.resume().once('end', () => setTimeout(() => response.end(name), 100));
      return true;
    };
  http = createHttpServer(
    { handle: answer('endpoint'), handleExpectContinue: answer('endpoint') },
    ({ url }) => url?.startsWith('/endpoint') ?? false,
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
  test.each(['endpoint', 'rest'])(
    'when the server closes, answers of the %s in progress are sent and end their connection (INGEST-02)',
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

  test('idle connections are closed without a delay when the server closes (INGEST-02)', async () => {
    await start();
    await Promise.all([1, 2, 3].map(() => answerOf(send('/endpoint'))));
    expect(await closed()).toBeLessThan(CUT_AFTER_MS);
  });

  test.each(['/endpoint', '/rest'])(
    'when the server closes, a body for %s that never ends is aborted (INGEST-02)',
    async (path) => {
      await start();
      const sent = send(path, 'POST');
      const failed = new Promise((resolve) => sent.once('error', resolve));
      sent.write('the beginning');
      await new Promise((later) => setTimeout(later, 50));
      expect(await closed()).toBeGreaterThan(CUT_AFTER_MS * 0.9);
      expect(await failed).toMatchObject({ code: 'ECONNRESET' });
    },
  );
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
    ['/endpoint', 'GET', {}],
    ['/endpoint', 'PUT', { expect: '100-continue' }],
    ['/rest', 'GET', {}],
    ['/rest', 'HEAD', {}],
  ])('header lines of more than 16 kB get 431: %s %s %j (41.1)', async (path, method, more) => {
    await start();
    expect(await statusOf('x'.repeat(15_000), path, method, more)).toBe(200);
    expect(await statusOf('x'.repeat(16 * 1024), path, method, more)).toBe(431);
  });

  test('header lines may reach their limit together with a URL of 100 kB, which holds 200 accessories (API-01)', async () => {
    await start();
    expect(await statusOf('x'.repeat(15_000), `/rest?x=${'y'.repeat(100_000)}`, 'GET')).toBe(200);
  });
});
