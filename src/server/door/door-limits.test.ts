import { afterEach, describe, expect, test } from 'vitest';
import { DoorUnavailable } from './door-world.ts';
import { LOGGER, memoryWorld, OTHER_LOGGER } from './test/memory-world.ts';
import { head, openSocket } from './test/raw-socket.ts';
import { codeOf, type RunningDoor, runDoor, sendSigned, signed } from './test/running-door.ts';

const DOCUMENT = '/telemetry/BM_SN0000001/snapshot.json';
const LOG = '/telemetry/BM_SN0000001/1/a.log';

let door: RunningDoor;
afterEach(() => door.close());

const put = async (path: string, body: string | Buffer, headers: Record<string, string> = {}) => {
  const answer = await sendSigned(door, { method: 'PUT', path, body, headers });
  return `${answer.status} ${codeOf(answer) ?? 'delivered'}`;
};

/** The head of a signed upload, to be followed by a body in pieces. */
const openHead = (
  path: string,
  length: number,
  more: Record<string, string> = {},
  credential = LOGGER,
): string => {
  const request = { method: 'PUT', path, headers: { 'content-length': String(length), ...more } };
  return head('PUT', path, signed(door, request, { payloadHash: 'UNSIGNED-PAYLOAD', credential }).headers);
};

describe('size', () => {
  test('INGEST-03 documents up to 1 MiB, log files up to 128 MiB', async () => {
    door = await runDoor();
    const mib = Buffer.alloc(1024 * 1024, 'x');
    expect(await put(DOCUMENT, mib)).toBe('200 delivered');
    expect(await put(DOCUMENT, Buffer.concat([mib, mib]))).toBe('400 EntityTooLarge');
    expect(await put(LOG, Buffer.concat([mib, mib]))).toBe('200 delivered');
    expect(await put(DOCUMENT, Buffer.concat([mib, Buffer.from('x')]))).toBe('400 EntityTooLarge');
    const socket = await openSocket(door);
    socket.write(openHead(LOG, 128 * 1024 * 1024 + 1));
    await socket.until(/<Code>EntityTooLarge<\/Code>/);
    expect(door.world.deliveries).toHaveLength(2);
    socket.socket.destroy();
  });

  test('INGEST-03 a body of unknown length is counted while it comes', async () => {
    door = await runDoor({ documentBytes: 1000, logBytes: 2000 });
    const unknown = { 'transfer-encoding': 'chunked' };
    expect(await put(DOCUMENT, 'x'.repeat(1000), unknown)).toBe('200 delivered');
    expect(await put(DOCUMENT, 'x'.repeat(1001), unknown)).toBe('400 EntityTooLarge');
    expect(await put(LOG, 'x'.repeat(2001), unknown)).toBe('400 EntityTooLarge');
    await expect.poll(() => door.spooled()).toEqual([]);
  });
});

describe('Expect: 100-continue', () => {
  const expecting = { expect: '100-continue' };

  test('INGEST-01 the body is asked for once all else is right', async () => {
    door = await runDoor();
    const socket = await openSocket(door);
    socket.write(openHead(DOCUMENT, 3, expecting));
    await socket.until(/^HTTP\/1.1 100 Continue\r\n\r\n/);
    socket.write('abc');
    expect(await socket.until(/200 OK[\s\S]*\r\n\r\n/)).toContain('etag: "900150983cd24fb0d6963f7d28e17f72"');
    socket.socket.destroy();
  });

  test.each([
    ['an unknown key', DOCUMENT, 3, { ...LOGGER, accessKey: 'STRANGER' }, 'InvalidAccessKeyId'],
    ['a wrong secret', DOCUMENT, 3, { ...LOGGER, secret: 'guessed' }, 'SignatureDoesNotMatch'],
    ['too large', DOCUMENT, 2_000_000, LOGGER, 'EntityTooLarge'],
    ['another’s folder', '/telemetry/X_SN0000002/a.log', 3, LOGGER, 'AccessDenied'],
  ])('INGEST-03 %s is refused before the body', async (_, path, length, credential, code) => {
    door = await runDoor();
    const socket = await openSocket(door);
    socket.write(openHead(path, length, expecting, credential));
    const received = await socket.closed();
    expect(received).toContain(`<Code>${code}</Code>`);
    expect(received).not.toContain('100 Continue');
  });
});

describe('connections', () => {
  test('INGEST-03 a refused small upload keeps its connection, and the next one passes', async () => {
    door = await runDoor();
    const socket = await openSocket(door);
    socket.write(`${openHead('/telemetry/X_SN0000002/a.json', 3)}abc`);
    await socket.until(/<\/Error>$/);
    socket.write(`${head('GET', '/telemetry/%zz', { host: door.host })}`);
    await socket.until(/InvalidURI[\s\S]*<\/Error>$/);
    socket.write(`${openHead(DOCUMENT, 3)}abc`);
    await socket.until(/HTTP\/1.1 200 OK/);
    expect(socket.received()).not.toMatch(/connection: close/i);
    socket.socket.destroy();
  });

  test('INGEST-03 a refused large upload hears why, also when it reads only after sending', async () => {
    door = await runDoor({ lingerMs: 60_000 });
    const socket = await openSocket(door);
    socket.socket.pause();
    socket.write(openHead('/telemetry/X_SN0000002/a.log', 20_000_000));
    await new Promise((sent) => socket.socket.write(Buffer.alloc(20_000_000), sent));
    socket.socket.resume();
    const received = await socket.closed();
    expect(received).toMatch(/connection: close/i);
    expect(received).toContain('<Code>AccessDenied</Code>');
    expect(socket.errors).toEqual([]);
  });

  test('INGEST-03 a refused upload that never ends is cut off', async () => {
    door = await runDoor({ lingerMs: 50 });
    const socket = await openSocket(door);
    socket.write(`${openHead('/telemetry/X_SN0000002/a.log', 5_000_000)}abc`);
    expect(await socket.closed()).toContain('<Code>AccessDenied</Code>');
  });

  test.each([DOCUMENT, LOG])(
    'INGEST-03 %s: a client that stalls is told so, and nothing stays',
    async (path) => {
      door = await runDoor({ stallMs: 50, lingerMs: 50 });
      const socket = await openSocket(door);
      socket.write(`${openHead(path, 1000)}abc`);
      expect(await socket.closed()).toContain('<Code>RequestTimeout</Code>');
      expect(door.world.deliveries).toEqual([]);
      await expect.poll(() => door.spooled()).toEqual([]);
      expect(door.world.refusals).toMatchObject([{ code: 'RequestTimeout', loggerSerial: '0000001' }]);
    },
  );

  test('INGEST-03 a body that drips is a stall too', async () => {
    door = await runDoor({ stallMs: 100, slowestBytesPerSecond: 1_000_000, lingerMs: 50 });
    const socket = await openSocket(door);
    socket.write(openHead(LOG, 100_000));
    const drip = setInterval(() => socket.write('x'), 10);
    expect(await socket.closed()).toContain('<Code>RequestTimeout</Code>');
    clearInterval(drip);
  });

  test('INGEST-01 a slow client that keeps sending is waited for, longer than the longest silence', async () => {
    door = await runDoor({ stallMs: 400, slowestBytesPerSecond: 1 });
    const socket = await openSocket(door);
    const started = performance.now();
    socket.write(openHead(LOG, 1000));
    const drip = setInterval(() => socket.write('x'.repeat(50)), 40); // 20 pieces: 800 ms
    await socket.until(/200 OK/);
    clearInterval(drip);
    expect(performance.now() - started).toBeGreaterThan(400);
    socket.socket.destroy();
  });

  test.each([DOCUMENT, LOG])('INGEST-03 %s: a client that goes away leaves nothing', async (path) => {
    door = await runDoor({ spools: { perKey: 1, total: 1 }, memory: { perKey: 1000, total: 1000 } });
    const socket = await openSocket(door);
    socket.write(`${openHead(path, 1000)}abc`);
    // Its place is taken once another one is refused:
    await expect.poll(() => put(path, 'x'.repeat(1000))).toBe('503 SlowDown');
    const delivered = door.world.deliveries.length;
    socket.socket.destroy();
    await expect.poll(() => put(path, 'x'.repeat(1000))).toBe('200 delivered');
    expect(door.world.deliveries.length).toBe(delivered + 1);
    await expect.poll(() => door.spooled()).toEqual([]);
    expect(door.world.problems).toEqual([]);
  });
});

describe('load', () => {
  test('INGEST-03 a key that asks too much is slowed down; another key is not', async () => {
    const now = Date.now();
    door = await runDoor(
      { requestsPerSecond: 1, requestBurst: 3 },
      memoryWorld(() => now),
    );
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await put(DOCUMENT, 'x'));
    expect(answers).toEqual(['200 delivered', '200 delivered', '200 delivered', '503 SlowDown']);
    const other = { method: 'PUT', path: '/telemetry/B_SN0000002/a.json', body: 'x' };
    expect((await sendSigned(door, other, { credential: OTHER_LOGGER })).status).toBe(200);
  });

  test('INGEST-03 a stranger with a wrong secret cannot use up a key’s share', async () => {
    const now = Date.now();
    door = await runDoor(
      { requestsPerSecond: 1, requestBurst: 1 },
      memoryWorld(() => now),
    );
    const credential = { ...LOGGER, secret: 'guessed' };
    for (let i = 0; i < 3; i++)
      await sendSigned(door, { method: 'PUT', path: DOCUMENT, body: 'x' }, { credential });
    expect(await put(DOCUMENT, 'x')).toBe('200 delivered');
  });

  test('INGEST-03 log files at once: 4 per key, the fifth is slowed down', async () => {
    door = await runDoor();
    const sockets = await Promise.all([1, 2, 3, 4].map(() => openSocket(door)));
    for (const [index, socket] of sockets.entries()) {
      socket.write(openHead(`/telemetry/BM_SN0000001/${index}.log`, 4, { expect: '100-continue' }));
      await socket.until(/100 Continue/);
    }
    expect(await put(LOG, 'late')).toBe('503 SlowDown');
    expect(await put(DOCUMENT, 'x')).toBe('200 delivered');
    for (const socket of sockets) {
      socket.write('logs');
      await socket.until(/200 OK/);
      socket.socket.destroy();
    }
    expect(await put(LOG, 'late')).toBe('200 delivered');
  });
});

describe('delivery', () => {
  test('INGEST-03 nothing can be stored now: 503 SlowDown, and the place is free again', async () => {
    door = await runDoor({ spools: { perKey: 1, total: 1 } });
    door.world.beforeDelivery = () => {
      throw new DoorUnavailable('the database is away');
    };
    expect([await put(DOCUMENT, 'x'), await put(LOG, 'x'), await put(LOG, 'x')]).toEqual(
      Array.from({ length: 3 }, () => '503 SlowDown'),
    );
    await expect.poll(() => door.spooled()).toEqual([]);
    door.world.beforeDelivery = () => {};
    expect(await put(LOG, 'x')).toBe('200 delivered');
  });

  test('INGEST-03 a defect of ours: 500 without its message, logged', async () => {
    door = await runDoor();
    door.world.beforeDelivery = () => {
      throw new Error('secret detail');
    };
    const answer = await sendSigned(door, { method: 'PUT', path: DOCUMENT, body: 'x' });
    expect([answer.status, codeOf(answer)]).toEqual([500, 'InternalError']);
    expect(answer.body).not.toContain('secret detail');
    expect(door.world.problems).toMatchObject([{ err: { message: 'secret detail' } }]);
  });

  test('INGEST-01 200 is sent after the commit, not before', async () => {
    door = await runDoor();
    let commit = (): void => {};
    const reached = new Promise<void>((arrived) => {
      door.world.beforeDelivery = () => {
        arrived();
        return new Promise((resolve) => {
          commit = resolve;
        });
      };
    });
    const socket = await openSocket(door);
    socket.write(`${openHead(DOCUMENT, 3)}abc`);
    await reached;
    // Another exchange through the same door, so that an early 200 would have had its time.
    expect((await sendSigned(door, { method: 'HEAD', path: '/telemetry' })).status).toBe(200);
    expect(socket.received()).toBe('');
    commit();
    await socket.until(/200 OK/);
    socket.socket.destroy();
  });
});
