import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { replaceFile } from './machine-files.store.ts';

/** Bytes: more than the buffers between two sockets of one machine take. */
const SIZE = 12 * 1024 * 1024;

let portal: TestPortal;
let url: string;
let cookie: string;

beforeAll(async () => {
  portal = await testPortal({}, Date.now, pino({ level: 'silent' }), { atOnce: 1, waiting: 1, stallMs: 100 });
  const own = await portal.organization('klant');
  await portal.user('a@klant.nl', own);
  cookie = await portal.login('a@klant.nl');
  await portal.machine(own, { serial: 'M-1' });
  const body = Buffer.alloc(SIZE, 'x');
  const file = { name: 'x.pdf', contentType: 'application/pdf', body };
  const { hash } = await replaceFile(portal.pool, { email: 'x' }, 'M-1', 'manual', file);
  url = `${portal.address}/api/manual/M-1/${hash}`;
});
afterAll(() => portal.close());

test('12.B1 API-03 a reader that stalls is cut, who waits in line has their turn, and the line has an end', async () => {
  const request = get(url, { headers: { cookie }, agent: false });
  const [stalled] = (await once(request, 'response')) as [IncomingMessage];
  stalled.pause();
  const answers = await Promise.all([0, 1].map(() => fetch(url, { headers: { cookie } })));
  const byStatus = answers.sort((a, b) => a.status - b.status);
  expect(byStatus.map(({ status }) => status)).toEqual([200, 429]);
  expect((await byStatus[0]?.arrayBuffer())?.byteLength).toBe(SIZE);
  expect([await byStatus[1]?.json(), byStatus[1]?.headers.get('retry-after')]).toEqual([
    { code: 'too_many_requests', message: 'Te veel vragen tegelijk. Probeer het zo weer.' },
    '5',
  ]);
  let read = 0;
  stalled.on('data', (piece: Buffer) => {
    read += piece.length;
  });
  stalled.on('error', () => {});
  await new Promise((closed) => stalled.on('close', closed).resume());
  expect([stalled.complete, read < SIZE]).toEqual([false, true]);
});
