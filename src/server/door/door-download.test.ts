import { afterEach, expect, test } from 'vitest';
import { type MemoryBackend, memoryBackend } from './test/memory-backend.ts';
import { head, openSocket } from './test/raw-socket.ts';
import { type RunningDoor, runDoor, sendSigned, signed } from './test/running-door.ts';

/** GET of an object that its store gives in pieces (a raw log file). */
const path = '/telemetry/BM_SN0000001/1/a.rxd';
let door: RunningDoor;
afterEach(() => door.close());

async function runWith(size: number, pieces: () => AsyncGenerator<Uint8Array>): Promise<void> {
  const backend = memoryBackend();
  const object = { key: path, size, etag: 'e', lastModified: 0 };
  const objects: MemoryBackend['objects'] = {
    ...backend.objects,
    get: async () => ({ ...object, body: pieces() }),
  };
  door = await runDoor({}, { ...backend, objects });
}

test('INGEST-01 it comes whole; a range is answered with all of it', async () => {
  await runWith(6, async function* () {
    yield Buffer.from('abc');
    yield Buffer.from('def');
  });
  const answer = await sendSigned(door, { method: 'GET', path, headers: { range: 'bytes=1-2' } });
  expect([answer.status, answer.body, answer.headers['content-length']]).toEqual([200, 'abcdef', '6']);
  expect(answer.headers['x-amz-request-id']).toBeDefined();
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
});

test('INGEST-03 a store that fails halfway cuts the connection and is logged', async () => {
  await runWith(6, async function* () {
    yield Buffer.from('abc');
    throw new Error('the database went away');
  });
  await expect(sendSigned(door, { method: 'GET', path })).rejects.toThrow();
  await expect
    .poll(() => door.backend.problems)
    .toMatchObject([{ err: { message: 'the database went away' } }]);
});

test('INGEST-03 a client that goes away halfway stops the reading and is no failure', async () => {
  let stopped = false;
  await runWith(1e9, async function* () {
    try {
      for (;;) yield Buffer.alloc(100_000);
    } finally {
      stopped = true;
    }
  });
  const socket = await openSocket(door);
  socket.write(head('GET', path, signed(door, { method: 'GET', path }).headers));
  await socket.until(/200 OK/);
  socket.socket.destroy();
  await expect.poll(() => stopped).toBe(true);
  await sendSigned(door, { method: 'HEAD', path: '/telemetry' });
  expect([door.backend.problems, door.backend.refusals]).toEqual([[], []]);
});
