import { afterEach, expect, test } from 'vitest';
import { LOGGER_CREDENTIAL, memoryBackend, OTHER_LOGGER } from './test/memory-backend.ts';
import { openSocket, rawRequestHead, uploadHead } from './test/raw-socket.ts';
import {
  errorCodeOfAnswer,
  type RunningEndpoint,
  runUploadEndpoint,
  sendSigned,
  signRequest,
} from './test/running-endpoint.ts';

/** A busy computer may take seconds for 50 ms of work. */
const PATIENT = { timeout: 10_000 };
const OWN = '/telemetry/BM_SN0000001/a.json';
const OTHERS = '/telemetry/BM_SN0000002/a.json';

let endpoint: RunningEndpoint;
afterEach(() => endpoint.close());

/** Begins an upload that keeps its connection busy, because its body does not arrive. */
async function hold(path: string, credential = LOGGER_CREDENTIAL, headers: Record<string, string> = {}) {
  const socket = await openSocket(endpoint);
  socket.write(uploadHead(endpoint, path, 4, { expect: '100-continue', ...headers }, credential));
  await socket.until(/100 Continue/);
  return socket;
}

async function answerTo(path: string, credential = LOGGER_CREDENTIAL, headers: Record<string, string> = {}) {
  const answer = await sendSigned(endpoint, { method: 'PUT', path, body: 'x', headers }, { credential });
  return `${answer.status} ${errorCodeOfAnswer(answer) ?? 'delivered'}`;
}

test('a key with too many connections at once gets SlowDown; another key does not (12.B3, INGEST-03)', async () => {
  endpoint = await runUploadEndpoint({ connections: { perKey: 2, perAddress: 100 } });
  const [first, second] = [await hold(OWN), await hold(OWN)];
  expect(await answerTo(OWN)).toBe('503 SlowDown');
  expect(await answerTo(OTHERS, OTHER_LOGGER)).toBe('200 delivered');
  // The first upload ends with its answer, the second is aborted.
  first.write('done');
  await first.until(/200 OK/);
  await expect.poll(() => answerTo(OWN), PATIENT).toBe('200 delivered');
  await hold(OWN);
  second.socket.destroy();
  await expect.poll(() => answerTo(OWN), PATIENT).toBe('200 delivered');
});

test('each pipelined request on a connection counts as a connection until that connection closes (12.B3, INGEST-03)', async () => {
  let proceed = (): void => {};
  const backend = memoryBackend();
  backend.beforeDelivery = () =>
    new Promise((resolve) => {
      proceed = resolve;
    });
  endpoint = await runUploadEndpoint({ connections: { perKey: 2, perAddress: 100 } }, backend);
  const socket = await openSocket(endpoint);
  const list = rawRequestHead(
    'GET',
    '/telemetry/',
    signRequest(endpoint, { method: 'GET', path: '/telemetry/' }).headers,
  );
  // The answer to the second request waits for the answer to the first, which is never sent because the connection closes.
  socket.write(`${uploadHead(endpoint, OWN, 1)}x${list}`);
  await expect.poll(() => answerOfList(), PATIENT).toBe('503 SlowDown');
  socket.socket.destroy();
  proceed();
  await expect.poll(() => answerOfList(), PATIENT).toBe('200 delivered');
});

async function answerOfList() {
  const answer = await sendSigned(endpoint, { method: 'GET', path: '/telemetry/' });
  return `${answer.status} ${errorCodeOfAnswer(answer) ?? 'delivered'}`;
}

test('the keys of one address have a limited number of connections together (12.B3, INGEST-03)', async () => {
  endpoint = await runUploadEndpoint({ connections: { perKey: 2, perAddress: 3 } });
  await hold(OWN);
  await hold(OWN);
  const last = await hold(OTHERS, OTHER_LOGGER);
  expect(await answerTo(OTHERS, OTHER_LOGGER)).toBe('503 SlowDown');
  // X-Forwarded-For is not trusted here: the address of the connection counts.
  expect(await answerTo(OTHERS, OTHER_LOGGER, { 'x-forwarded-for': '203.0.113.9' })).toBe('503 SlowDown');
  last.socket.destroy();
  await expect.poll(() => answerTo(OTHERS, OTHER_LOGGER), PATIENT).toBe('200 delivered');
});

test('behind a proxy, connections are counted by the last address in X-Forwarded-For (12.B3, INGEST-03)', async () => {
  endpoint = await runUploadEndpoint({ connections: { perKey: 9, perAddress: 1 } }, memoryBackend(), {
    trustProxy: true,
  });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  await hold(OWN, LOGGER_CREDENTIAL, from('192.0.2.1, 198.51.100.7'));
  expect(await answerTo(OWN, LOGGER_CREDENTIAL, from('198.51.100.7'))).toBe('503 SlowDown');
  expect(await answerTo(OWN, LOGGER_CREDENTIAL, from('198.51.100.7, 192.0.2.1'))).toBe('200 delivered');
  await hold(OWN, LOGGER_CREDENTIAL, from('2001:db8::1'));
  expect(await answerTo(OWN, LOGGER_CREDENTIAL, from('2001:db8::2'))).toBe('503 SlowDown');
});

test('a request with a wrong secret does not count as a connection of its key or address (12.B3, INGEST-03)', async () => {
  endpoint = await runUploadEndpoint({ connections: { perKey: 1, perAddress: 1 }, lingerMs: 60_000 });
  const strangers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = await openSocket(endpoint);
      socket.write(uploadHead(endpoint, OWN, 1000, {}, { ...LOGGER_CREDENTIAL, secret: 'guessed' }));
      await socket.until(/SignatureDoesNotMatch/);
      return socket;
    }),
  );
  expect(await answerTo(OWN)).toBe('200 delivered');
  for (const { socket } of strangers) socket.destroy();
});
