import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';

const MB = 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 'A');

let portal: TestPortal;
let user: string;

beforeAll(async () => {
  portal = await testPortal();
  await portal.user('gebruiker@klant.nl', await portal.organization('klant'));
  user = await portal.login('gebruiker@klant.nl');
});
afterAll(() => portal.close());

/** Returns how many bytes the buffers of this process hold. The test's client and the server both run in this process. */
const bufferedBytes = (): number => {
  const { arrayBuffers, external, heapUsed } = process.memoryUsage();
  return arrayBuffers + external + heapUsed;
};

/**
 * Sends `bytes` bytes, or stops when the server has read nothing for half a second.
 * @returns the largest number of bytes that this process buffered while sending
 */
async function write(upload: ClientRequest, bytes: number): Promise<number> {
  let most = 0;
  let stalled = false;
  for (let sent = 0; sent < bytes && !upload.destroyed && !stalled; sent += CHUNK.length) {
    if (!upload.write(CHUNK)) {
      stalled = await Promise.race<boolean>([
        once(upload, 'drain').then((): boolean => false),
        once(upload, 'close').then((): boolean => false),
        wait(500, true),
      ]);
    }
    most = Math.max(most, bufferedBytes());
  }
  return most;
}

test.each([
  ['no user', false, 401, 'Content-Length'],
  ['no user, in chunks', false, 401, 'chunked'],
  ['a user', true, 403, 'Content-Length'],
] as const)(
  'an upload of 30 MB by %s is refused after its first chunk, and its body is never buffered (API-02, MEDIT-09)',
  async (_, signedIn, status, framing) => {
    const upload = request(`${portal.address}/api/manual/upload`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(framing === 'chunked' ? {} : { 'content-length': 30 * MB }),
        ...(signedIn && { ...SCRIPT_HEADERS, cookie: user }),
      },
    });
    upload.on('error', () => {}); // the server may close the connection
    const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
    upload.write('{"name":"x","serial":"S-1","file":"data:application/pdf;base64,');
    // The server answers after the first chunk of the body.
    await write(upload, CHUNK.length);
    const [answer] = await answered;
    expect(answer.statusCode).toBe(status);
    expect(JSON.parse(await text(answer))).toMatchObject({ message: expect.stringMatching(/\w/) });

    // A client that continues to send does not fill the server's memory.
    globalThis.gc?.();
    const before = bufferedBytes();
    const most = await write(upload, 29 * MB);
    expect(most - before).toBeLessThan(12 * MB);
    upload.destroy();
  },
  // If the server waited for the whole body, this test would get no answer and time out.
  30_000,
);
