import { afterEach, expect, test } from 'vitest';
import { referencedBufferBytes } from '#server/test/held-bytes.ts';
import { openSocket, rawRequestHead } from './test/raw-socket.ts';
import { type RunningEndpoint, runUploadEndpoint, signRequest, upload } from './test/running-endpoint.ts';

/** A busy computer may take seconds for 50 ms of work. */
const PATIENT = { timeout: 10_000 };
const MIB = 1024 * 1024;
const DOCUMENT = '/telemetry/BM_SN0000001/snapshot.json';

let endpoint: RunningEndpoint;
afterEach(() => endpoint?.close());

/** Returns the head of an aws-chunked upload that declares `decoded` bytes. */
function chunkedHead(decoded: number, framing: Readonly<Record<string, string>>): string {
  const headers = { 'x-amz-decoded-content-length': String(decoded), ...framing };
  const payloadHash = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
  return rawRequestHead(
    'PUT',
    DOCUMENT,
    signRequest(endpoint, { method: 'PUT', path: DOCUMENT, headers }, { payloadHash }).headers,
  );
}

test.each([
  ['content-length says more than the decoded length', { 'content-length': '1000' }],
  ['nobody knows how much comes', { 'transfer-encoding': 'chunked' }],
])('memory is reserved for the largest body that can arrive: %s (12.B3, INGEST-03)', async (_, framing) => {
  endpoint = await runUploadEndpoint({ documentBytes: 1000, memory: { perKey: 1000, total: 1000 } });
  const socket = await openSocket(endpoint);
  socket.write(chunkedHead(1, { ...framing, expect: '100-continue' }));
  await socket.until(/100 Continue/);
  expect(await upload(endpoint, DOCUMENT, 'x')).toBe('503 SlowDown');
  socket.socket.destroy();
  await expect.poll(() => upload(endpoint, DOCUMENT, 'x'), PATIENT).toBe('200 delivered');
});

test('a hundred uploads that declare 1 byte and send 1 MiB are refused while they arrive (12.B3, INGEST-03)', async () => {
  endpoint = await runUploadEndpoint({ lingerMs: 60_000 });
  const body = Buffer.alloc(MIB, 'x');
  body.write(`${(MIB - 100).toString(16)}\r\n`);
  const before = referencedBufferBytes();
  const answers = Array.from({ length: 100 }, async () => {
    const socket = await openSocket(endpoint);
    socket.write(chunkedHead(1, { 'content-length': String(MIB) }));
    // The last byte is never sent: the upload stays open.
    await new Promise((sent) => socket.socket.write(body.subarray(0, MIB - 1), sent));
    return /<Code>(\w+)<\/Code>/.exec(await socket.until(/<Code>\w+<\/Code>/))?.[1];
  });
  const codes = new Set(await Promise.all(answers));
  expect([...codes].sort()).toEqual(['IncompleteBody', 'SlowDown']);
  await expect.poll(() => referencedBufferBytes() - before, PATIENT).toBeLessThan(8 * MIB);
});
