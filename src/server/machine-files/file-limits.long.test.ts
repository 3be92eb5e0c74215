import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { replaceFile } from './machine-files.store.ts';

/**
 * Bytes of the manual: more than the buffers between two sockets of one computer hold, so that a client that reads nothing stalls the
 * server.
 */
const SIZE = 12 * 1024 * 1024;

let portal: TestPortal;
afterEach(() => portal.close());

/** Starts a portal that sends one file at a time, and a client that requests a file and does not read the answer. */
async function withStalledReader(stallMs: number) {
  portal = await testPortal({}, Date.now, pino({ level: 'silent' }), { atOnce: 1, waiting: 1, stallMs });
  const own = await portal.organization('klant');
  await portal.user('a@klant.nl', own);
  const headers = { cookie: await portal.login('a@klant.nl') };
  await portal.machine(own, { serial: 'M-1' });
  const file = { name: 'x.pdf', contentType: 'application/pdf', body: Buffer.alloc(SIZE, 'x') };
  const { hash } = await replaceFile(portal.pool, { email: 'x' }, 'M-1', 'manual', file);
  const url = `${portal.address}/api/manual/M-1/${hash}`;
  const [stalled] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
  return { stalled: stalled.pause().on('error', () => {}), ask: () => fetch(url, { headers }) };
}

test('a reader that stalls is cut off, and the next in the queue is served (12.B1, API-03)', async () => {
  const { stalled, ask } = await withStalledReader(100);
  const next = await ask();
  expect(next.status).toBe(200);
  await next.body?.cancel();
  let read = 0;
  stalled.on('data', (piece: Buffer) => {
    read += piece.length;
  });
  await new Promise((closed) => stalled.on('close', closed).resume());
  expect([stalled.complete, read < SIZE]).toEqual([false, true]);
});

test('an account with a full queue of file requests gets 429, and its queued request is served (12.B1, API-03)', async () => {
  const { stalled, ask } = await withStalledReader(60_000);
  const asked = [ask(), ask()];
  const refused = await Promise.race(asked);
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '5',
    { code: 'too_many_requests', message: 'Te veel vragen tegelijk. Probeer het zo weer.' },
  ]);
  stalled.destroy();
  const answers = await Promise.all(asked);
  const served = answers.find((answer) => answer !== refused);
  expect((await served?.arrayBuffer())?.byteLength).toBe(SIZE);
});
