import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { ReaderDisconnectedError, sendChunks } from './send-chunks.ts';

const STALL_MS = 60_000;
/** Options of expect.poll, which advances the fake clock while it waits: by at most 7 s, which is less than STALL_MS. */
const PATIENT = { timeout: 7_000 };
const PART = Buffer.alloc(128 * 1024, 'x');

afterEach(() => void vi.useRealTimers());

/** Starts a server that sends an endless answer, and returns the answer and its reader. */
async function endless(failsAfter = Number.POSITIVE_INFINITY) {
  let asked = 0;
  async function* parts() {
    for (; asked < failsAfter; asked++) yield PART;
    throw new Error('no more');
  }
  let sent: Promise<unknown> = Promise.resolve();
  let response: ServerResponse | undefined;
  const server = createServer((_, answer) => {
    response = answer;
    answer.writeHead(200, { 'content-length': 1e12 });
    sent = sendChunks(answer, parts(), STALL_MS).catch((error: unknown) => error);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [reader] = (await once(request, 'response')) as [IncomingMessage];
  reader.on('error', () => {}); // cut
  return {
    reader: reader.pause(),
    response: response as ServerResponse,
    asked: () => asked,
    sent: () => sent,
    close: () => new Promise((closed) => server.close(closed).closeAllConnections()),
  };
}

test('a slow reader gets the whole answer; a reader that reads nothing for 60 s is cut off (12.B1)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { reader, response, asked, sent, close } = await endless();
  for (let minute = 0; minute < 3; minute++) {
    await expect.poll(() => response.writableLength, PATIENT).toBeGreaterThan(0);
    vi.advanceTimersByTime(STALL_MS - 15_000);
    expect(response.destroyed).toBe(false);
    const before = asked();
    reader.resume();
    await expect.poll(asked, PATIENT).toBeGreaterThan(before + 1);
    reader.pause();
  }
  // The operating system's socket buffers accept some more data, which counts as progress, so the clock is advanced repeatedly.
  await expect.poll(() => vi.advanceTimersByTime(STALL_MS) && response.destroyed, PATIENT).toBe(true);
  expect(await sent()).toBeInstanceOf(ReaderDisconnectedError);
  await close();
});

test('a client that disconnects ends the reading of chunks, and a chunk that cannot be read ends the connection (12.B1)', async () => {
  const left = await endless();
  left.reader.destroy();
  expect(await left.sent()).toBeInstanceOf(ReaderDisconnectedError);
  await left.close();
  const broken = await endless(2);
  await new Promise((closed) => broken.reader.on('close', closed).resume());
  expect([broken.reader.complete, await broken.sent()]).toEqual([false, new Error('no more')]);
  await broken.close();
});
