import { afterEach, describe, expect, test } from 'vitest';
import { LOGGER_CREDENTIAL } from './test/memory-backend.ts';
import { openSocket, rawRequestHead, uploadHead } from './test/raw-socket.ts';
import { type RunningEndpoint, runUploadEndpoint, upload } from './test/running-endpoint.ts';

const DOCUMENT = '/telemetry/BM_SN0000001/snapshot.json';
const LOG = '/telemetry/BM_SN0000001/1/a.log';

let endpoint: RunningEndpoint;
afterEach(() => endpoint.close());

describe('Expect: 100-continue', () => {
  const expecting = { expect: '100-continue' };

  test('the endpoint answers 100 Continue once all checks that need no body have passed (INGEST-01)', async () => {
    endpoint = await runUploadEndpoint();
    const socket = await openSocket(endpoint);
    socket.write(uploadHead(endpoint, DOCUMENT, 3, expecting));
    await socket.until(/^HTTP\/1.1 100 Continue\r\n\r\n/);
    socket.write('abc');
    expect(await socket.until(/200 OK[\s\S]*\r\n\r\n/)).toContain('etag: "900150983cd24fb0d6963f7d28e17f72"');
    socket.socket.destroy();
  });

  test.each([
    ['an unknown key', DOCUMENT, 3, { ...LOGGER_CREDENTIAL, accessKey: 'STRANGER' }, 'InvalidAccessKeyId'],
    ['a wrong secret', DOCUMENT, 3, { ...LOGGER_CREDENTIAL, secret: 'guessed' }, 'SignatureDoesNotMatch'],
    ['too large', DOCUMENT, 2_000_000, LOGGER_CREDENTIAL, 'EntityTooLarge'],
    ['another’s folder', '/telemetry/X_SN0000002/a.log', 3, LOGGER_CREDENTIAL, 'AccessDenied'],
  ])(
    'an upload is refused before its body is sent: %s (INGEST-03)',
    async (_, path, length, credential, code) => {
      endpoint = await runUploadEndpoint();
      const socket = await openSocket(endpoint);
      socket.write(uploadHead(endpoint, path, length, expecting, credential));
      const received = await socket.closed();
      expect(received).toContain(`<Code>${code}</Code>`);
      expect(received).not.toContain('100 Continue');
    },
  );
});

describe('connections', () => {
  test('a refused small upload keeps its connection, and the next one succeeds (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint();
    const socket = await openSocket(endpoint);
    socket.write(`${uploadHead(endpoint, '/telemetry/X_SN0000002/a.json', 3)}abc`);
    await socket.until(/<\/Error>$/);
    socket.write(`${rawRequestHead('GET', '/telemetry/%zz', { host: endpoint.host })}`);
    await socket.until(/InvalidURI[\s\S]*<\/Error>$/);
    socket.write(`${uploadHead(endpoint, DOCUMENT, 3)}abc`);
    await socket.until(/HTTP\/1.1 200 OK/);
    expect(socket.received()).not.toMatch(/connection: close/i);
    socket.socket.destroy();
  });

  test('a client of a refused large upload gets the reason, even when it reads only after sending (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint({ lingerMs: 60_000 });
    const socket = await openSocket(endpoint);
    socket.socket.pause();
    socket.write(uploadHead(endpoint, '/telemetry/X_SN0000002/a.log', 20_000_000));
    await new Promise((sent) => socket.socket.write(Buffer.alloc(20_000_000), sent));
    socket.socket.resume();
    const received = await socket.closed();
    expect(received).toMatch(/connection: close/i);
    expect(received).toContain('<Code>AccessDenied</Code>');
    expect(socket.errors).toEqual([]);
  });

  test('the connection of a refused upload that never ends is closed after the answer (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint({ lingerMs: 50 });
    const socket = await openSocket(endpoint);
    socket.write(`${uploadHead(endpoint, '/telemetry/X_SN0000002/a.log', 5_000_000)}abc`);
    expect(await socket.closed()).toContain('<Code>AccessDenied</Code>');
  });

  test.each([DOCUMENT, LOG])(
    'a client that stalls while it uploads %s gets RequestTimeout, and nothing is delivered or left in the spool (INGEST-03)',
    async (path) => {
      endpoint = await runUploadEndpoint({ stallMs: 50, lingerMs: 50 });
      const socket = await openSocket(endpoint);
      socket.write(`${uploadHead(endpoint, path, 1000)}abc`);
      expect(await socket.closed()).toContain('<Code>RequestTimeout</Code>');
      expect(endpoint.backend.deliveries).toEqual([]);
      await expect.poll(() => endpoint.spooled()).toEqual([]);
      expect(endpoint.backend.refusals).toMatchObject([{ code: 'RequestTimeout', loggerSerial: '0000001' }]);
    },
  );

  test('an upload below the minimum rate gets RequestTimeout (INGEST-03)', async () => {
    endpoint = await runUploadEndpoint({ stallMs: 1000, slowestBytesPerSecond: 1_000_000, lingerMs: 50 });
    const socket = await openSocket(endpoint);
    socket.write(uploadHead(endpoint, LOG, 100_000));
    const drip = setInterval(() => socket.write('x'), 10);
    expect(await socket.closed()).toContain('<Code>RequestTimeout</Code>');
    clearInterval(drip);
  });

  test('an upload by a slow client that keeps sending may take longer than the idle timeout (INGEST-01)', async () => {
    endpoint = await runUploadEndpoint({ stallMs: 1000, slowestBytesPerSecond: 1 });
    const socket = await openSocket(endpoint);
    const started = performance.now();
    socket.write(uploadHead(endpoint, LOG, 30));
    let pieces = 0;
    const drip = setInterval(() => {
      socket.write('x');
      if (++pieces === 30) clearInterval(drip);
    }, 50);
    await socket.until(/200 OK/);
    expect(performance.now() - started).toBeGreaterThan(1000);
    socket.socket.destroy();
  });

  test.each([DOCUMENT, LOG])(
    'a client that disconnects while it uploads %s frees its quota, and leaves nothing in the spool (INGEST-03)',
    async (path) => {
      endpoint = await runUploadEndpoint({
        spools: { perKey: 1, total: 1 },
        memory: { perKey: 1000, total: 1000 },
      });
      const socket = await openSocket(endpoint);
      socket.write(`${uploadHead(endpoint, path, 1000)}abc`);
      // The open upload uses up the quota, so another upload is refused until the client disconnects.
      await expect.poll(() => upload(endpoint, path, 'x'.repeat(1000))).toBe('503 SlowDown');
      const delivered = endpoint.backend.deliveries.length;
      socket.socket.destroy();
      await expect.poll(() => upload(endpoint, path, 'x'.repeat(1000))).toBe('200 delivered');
      expect(endpoint.backend.deliveries.length).toBe(delivered + 1);
      await expect.poll(() => endpoint.spooled()).toEqual([]);
      expect(endpoint.backend.problems).toEqual([]);
    },
  );
});
