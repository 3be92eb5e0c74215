import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOGGER_CREDENTIAL } from './test/memory-backend.ts';
import {
  errorCodeOfAnswer,
  type RunningEndpoint,
  runUploadEndpoint,
  sendRawRequest,
  signRequest,
} from './test/running-endpoint.ts';

const PATH = '/telemetry/BM_SN0000001/a.json';
const INNER = 'binnen:3000';

let endpoint: RunningEndpoint;
beforeEach(async () => {
  endpoint = await runUploadEndpoint();
});
afterEach(() => endpoint.close());

/** Signs an upload for `host`, and sends it with the Host INNER, like a proxy that replaces the header. Returns status and error code. */
async function replaced(host: string, path = PATH, { now = endpoint.backend.now() } = {}) {
  const request = { method: 'PUT', path, body: '{}', headers: { host } };
  const answer = await sendRawRequest(endpoint, {
    ...request,
    headers: { ...signRequest(endpoint, request, { now }).headers, host: INNER },
  });
  return `${answer.status} ${errorCodeOfAnswer(answer) ?? 'delivered'}`;
}

test.each(['portaal.test', 'portaal.test:443', 'portaal.test:80'])(
  'an upload signed for %s that arrives with another Host is refused, and the refusal is reported with the Host that arrived (55.34)',
  async (host) => {
    expect(await replaced(host)).toBe('403 SignatureDoesNotMatch');
    expect(endpoint.backend.refusals).toEqual([
      {
        code: 'SignatureDoesNotMatch',
        accessKey: LOGGER_CREDENTIAL.accessKey,
        loggerSerial: LOGGER_CREDENTIAL.loggerSerial,
        key: 'BM_SN0000001/a.json',
        host: INNER,
      },
    ]);
    expect(endpoint.backend.deliveries).toEqual([]);
  },
);

test('the refusal of an upload in virtual-host style is reported with the Host that arrived too (55.34)', async () => {
  expect(await replaced('telemetry.portaal.test', '/BM_SN0000001/a.json')).toBe('403 SignatureDoesNotMatch');
  expect(endpoint.backend.refusals).toMatchObject([{ host: INNER }]);
});

test('a refusal for a wrong secret, a foreign Host or an upload of an hour ago does not report that a proxy replaced the Host (55.34)', async () => {
  const request = { method: 'PUT', path: PATH, body: '{}', headers: { host: 'portaal.test' } };
  const guessed = signRequest(endpoint, request, { credential: { ...LOGGER_CREDENTIAL, secret: 'guessed' } });
  expect(
    (await sendRawRequest(endpoint, { ...request, headers: { ...guessed.headers, host: INNER } })).status,
  ).toBe(403);
  expect(await replaced('elders.test')).toBe('403 SignatureDoesNotMatch');
  expect(await replaced('portaal.test', PATH, { now: endpoint.backend.now() - 3_600_000 })).toBe(
    '403 SignatureDoesNotMatch',
  );
  expect(endpoint.backend.refusals).toHaveLength(3);
  for (const refusal of endpoint.backend.refusals) expect(refusal).not.toHaveProperty('host');
});

test('an upload with the signed Host is accepted, whatever PUBLIC_URL is (55.34)', async () => {
  const request = { method: 'PUT', path: PATH, body: '{}', headers: { host: INNER } };
  expect(
    (await sendRawRequest(endpoint, { ...request, headers: signRequest(endpoint, request).headers })).status,
  ).toBe(200);
  expect(endpoint.backend.refusals).toEqual([]);
});
