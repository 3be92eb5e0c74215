import { type AddressInfo, connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { registerErrorHandler } from './problem.ts';
import { maxBodyTimeMs, refuseSlowBodies } from './slow-body.ts';

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

async function startApp(patienceMs: number): Promise<number> {
  app = Fastify();
  registerErrorHandler(app);
  refuseSlowBodies(app, patienceMs);
  app.post('/in', async (request) => ({ got: request.body }));
  app.post('/refused', { onRequest: (_request, reply) => void reply.code(401).send('no') }, async () => '');
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/** Sends these chunks of a request; returns the answer and the time in ms until the connection closes. */
function send(port: number, chunks: readonly (readonly [afterMs: number, text: string])[]) {
  return new Promise<{ text: string; ms: number }>((resolve) => {
    const began = performance.now();
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ text, ms: performance.now() - began }));
    for (const [afterMs, chunk] of chunks) setTimeout(() => socket.writable && socket.write(chunk), afterMs);
  });
}
const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n`;

test('a body that is not complete in time gets 408, and its connection is closed (API-03, AUTH-11)', async () => {
  const port = await startApp(200);
  const { text, ms } = await send(port, [
    [0, `${head('/in', 100)}{"a"`],
    [100, ':'],
    [150, '1'],
  ]);
  expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*{"code":"too_slow"/i);
  expect(ms).toBeGreaterThan(190);
  expect(ms).toBeLessThan(1_500);
});

test('a request that is refused before its body is complete does not keep its connection open (API-03)', async () => {
  const port = await startApp(200);
  const { text, ms } = await send(port, [[0, `${head('/refused', 100)}{"a"`]]);
  expect(text).toMatch(/^HTTP\/1\.1 401 /);
  expect(ms).toBeLessThan(1_500);
});

test('a body in time is accepted, and the connection stays open (API-03)', async () => {
  const port = await startApp(200);
  const { text, ms } = await send(port, [
    [0, head('/in', 7)],
    [100, '{"a":1}'],
    [400, `${head('/in', 2, 'connection: close\r\n')}{}`],
  ]);
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
  expect(ms).toBeGreaterThan(390);
});

test.each([
  [16 * 1024, 30],
  [1024 * 1024, 30],
  [25 * 1024 * 1024, 533],
])('a body of at most %i bytes may take %i s (API-03)', (bytes, seconds) => {
  expect(Math.round(maxBodyTimeMs(bytes) / 1000)).toBe(seconds);
});
