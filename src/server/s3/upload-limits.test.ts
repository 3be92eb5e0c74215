import { afterEach, describe, expect, test } from 'vitest';
import { LOGGER_CREDENTIAL, memoryBackend, OTHER_LOGGER } from './test/memory-backend.ts';
import { openSocket, uploadHead } from './test/raw-socket.ts';
import {
  errorCodeOfAnswer,
  type RunningEndpoint,
  runUploadEndpoint,
  sendSigned,
  upload,
} from './test/running-endpoint.ts';
import { EndpointClosed, EndpointUnavailable } from './upload-backend.ts';

const DOCUMENT = '/telemetry/BM_SN0000001/snapshot.json';
const LOG = '/telemetry/BM_SN0000001/1/a.log';

let endpoint: RunningEndpoint;
afterEach(() => endpoint.close());

describe('the size of an upload', () => {
  test('documents of at most 1 MiB and log files of at most 128 MiB are accepted (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint();
    const mib = Buffer.alloc(1024 * 1024, 'x');
    expect(await upload(endpoint, DOCUMENT, mib)).toBe('200 delivered');
    expect(await upload(endpoint, DOCUMENT, Buffer.concat([mib, mib]))).toBe('400 EntityTooLarge');
    expect(await upload(endpoint, LOG, Buffer.concat([mib, mib]))).toBe('200 delivered');
    expect(await upload(endpoint, DOCUMENT, Buffer.concat([mib, Buffer.from('x')]))).toBe(
      '400 EntityTooLarge',
    );
    const socket = await openSocket(endpoint);
    socket.write(uploadHead(endpoint, LOG, 128 * 1024 * 1024 + 1));
    await socket.until(/<Code>EntityTooLarge<\/Code>/);
    expect(endpoint.backend.deliveries).toHaveLength(2);
    socket.socket.destroy();
  });

  test('a body of unknown length is measured while it arrives (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint({ documentBytes: 1000, logBytes: 2000 });
    const unknown = { 'transfer-encoding': 'chunked' };
    expect(await upload(endpoint, DOCUMENT, 'x'.repeat(1000), unknown)).toBe('200 delivered');
    expect(await upload(endpoint, DOCUMENT, 'x'.repeat(1001), unknown)).toBe('400 EntityTooLarge');
    expect(await upload(endpoint, LOG, 'x'.repeat(2001), unknown)).toBe('400 EntityTooLarge');
    await expect.poll(() => endpoint.spooled()).toEqual([]);
  });
});

describe('the load of a key', () => {
  test('a key with too many requests gets SlowDown; another key does not (INGEST-03)', async () => {
    const now = Date.now();
    endpoint = await runUploadEndpoint(
      { requestsPerSecond: 1, requestBurst: 3 },
      memoryBackend(() => now),
    );
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await upload(endpoint, DOCUMENT, 'x'));
    expect(answers).toEqual(['200 delivered', '200 delivered', '200 delivered', '503 SlowDown']);
    const other = { method: 'PUT', path: '/telemetry/B_SN0000002/a.json', body: 'x' };
    expect((await sendSigned(endpoint, other, { credential: OTHER_LOGGER })).status).toBe(200);
  });

  test("a stranger with a wrong secret cannot use up a key's requests (INGEST-03)", async () => {
    const now = Date.now();
    endpoint = await runUploadEndpoint(
      { requestsPerSecond: 1, requestBurst: 1 },
      memoryBackend(() => now),
    );
    const credential = { ...LOGGER_CREDENTIAL, secret: 'guessed' };
    for (let i = 0; i < 3; i++)
      await sendSigned(endpoint, { method: 'PUT', path: DOCUMENT, body: 'x' }, { credential });
    expect(await upload(endpoint, DOCUMENT, 'x')).toBe('200 delivered');
  });

  test('a key may upload 4 log files at once; the fifth gets SlowDown (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint();
    const sockets = await Promise.all([1, 2, 3, 4].map(() => openSocket(endpoint)));
    for (const [index, socket] of sockets.entries()) {
      socket.write(
        uploadHead(endpoint, `/telemetry/BM_SN0000001/${index}.log`, 4, { expect: '100-continue' }),
      );
      await socket.until(/100 Continue/);
    }
    expect(await upload(endpoint, LOG, 'late')).toBe('503 SlowDown');
    expect(await upload(endpoint, DOCUMENT, 'x')).toBe('200 delivered');
    for (const socket of sockets) {
      socket.write('logs');
      await socket.until(/200 OK/);
      socket.socket.destroy();
    }
    expect(await upload(endpoint, LOG, 'late')).toBe('200 delivered');
  });
});

describe('the delivery of an upload', () => {
  test('before the body of a log file is read, the quota is checked for its Content-Length, or for the maximum size if it is chunked (12.B2)', async () => {
    endpoint = await runUploadEndpoint({ logBytes: 20_000 });
    const asked: number[] = [];
    endpoint.backend.admitLog = async (_credential, bytes) => {
      asked.push(bytes);
      if (bytes > 5_000) throw new EndpointUnavailable('The quota is used.');
    };
    const socket = await openSocket(endpoint);
    socket.write(uploadHead(endpoint, LOG, 10_000, { expect: '100-continue' }));
    await socket.until(/503 Service Unavailable[\s\S]*SlowDown/);
    expect(socket.received()).not.toContain('100 Continue');
    socket.socket.destroy();
    expect(await upload(endpoint, LOG, 'x', { 'transfer-encoding': 'chunked' })).toBe('503 SlowDown');
    expect(await upload(endpoint, LOG, 'x'.repeat(4_000))).toBe('200 delivered');
    expect(await upload(endpoint, DOCUMENT, 'x'.repeat(6_000))).toBe('200 delivered');
    expect(asked).toEqual([10_000, 20_000, 4_000]);
    expect(endpoint.backend.bodies.map(({ length }) => length)).toEqual([4_000, 6_000]);
  });

  test('a failure to store gets 503 SlowDown and frees the quota (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint({ spools: { perKey: 1, total: 1 } });
    endpoint.backend.beforeDelivery = () => {
      throw new EndpointUnavailable('the database is away');
    };
    expect([
      await upload(endpoint, DOCUMENT, 'x'),
      await upload(endpoint, LOG, 'x'),
      await upload(endpoint, LOG, 'x'),
    ]).toEqual(Array.from({ length: 3 }, () => '503 SlowDown'));
    await expect.poll(() => endpoint.spooled()).toEqual([]);
    endpoint.backend.beforeDelivery = () => {};
    expect(await upload(endpoint, LOG, 'x')).toBe('200 delivered');
  });

  test('an upload while the portal stops gets 503 SlowDown without a report (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint();
    for (const Unavailable of [EndpointClosed, EndpointUnavailable]) {
      endpoint.backend.beforeDelivery = () => {
        throw new Unavailable('not now');
      };
      expect(await upload(endpoint, DOCUMENT, 'x')).toBe('503 SlowDown');
    }
    expect(endpoint.backend.problems).toMatchObject([{ err: { name: 'EndpointUnavailable' } }]);
  });

  test('an unexpected error gets 500 without its message, and is logged (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint();
    endpoint.backend.beforeDelivery = () => {
      throw new Error('secret detail');
    };
    const answer = await sendSigned(endpoint, { method: 'PUT', path: DOCUMENT, body: 'x' });
    expect([answer.status, errorCodeOfAnswer(answer)]).toEqual([500, 'InternalError']);
    expect(answer.body).not.toContain('secret detail');
    expect(endpoint.backend.problems).toMatchObject([{ err: { message: 'secret detail' } }]);
  });

  test('200 is sent after the commit, not before (INGEST-01)', async () => {
    endpoint = await runUploadEndpoint();
    let commit = (): void => {};
    const reached = new Promise<void>((arrived) => {
      endpoint.backend.beforeDelivery = () => {
        arrived();
        return new Promise((resolve) => {
          commit = resolve;
        });
      };
    });
    const socket = await openSocket(endpoint);
    socket.write(`${uploadHead(endpoint, DOCUMENT, 3)}abc`);
    await reached;
    // If the endpoint answered 200 too early, that answer would have arrived before the answer to this other request.
    expect((await sendSigned(endpoint, { method: 'HEAD', path: '/telemetry' })).status).toBe(200);
    expect(socket.received()).toBe('');
    commit();
    await socket.until(/200 OK/);
    socket.socket.destroy();
  });
});
