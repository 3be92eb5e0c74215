import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOGGER } from './test/memory-backend.ts';
import { codeOf, type RunningDoor, runDoor, send, signed } from './test/running-door.ts';

const PATH = '/telemetry/BM_SN0000001/a.json';
const INNER = 'binnen:3000';

let door: RunningDoor;
beforeEach(async () => {
  door = await runDoor();
});
afterEach(() => door.close());

/** An upload that a logger signed for one Host, as it comes with another. */
async function replaced(host: string, path = PATH, { now = door.backend.now() } = {}) {
  const request = { method: 'PUT', path, body: '{}', headers: { host } };
  const answer = await send(door, {
    ...request,
    headers: { ...signed(door, request, { now }).headers, host: INNER },
  });
  return `${answer.status} ${codeOf(answer) ?? 'delivered'}`;
}

test.each(['portaal.test', 'portaal.test:443', 'portaal.test:80'])(
  '55.34 an upload signed for %s with another Host is refused, and the report has the Host',
  async (host) => {
    expect(await replaced(host)).toBe('403 SignatureDoesNotMatch');
    expect(door.backend.refusals).toEqual([
      {
        code: 'SignatureDoesNotMatch',
        accessKey: LOGGER.accessKey,
        loggerSerial: LOGGER.loggerSerial,
        key: 'BM_SN0000001/a.json',
        host: INNER,
      },
    ]);
    expect(door.backend.deliveries).toEqual([]);
  },
);

test('55.34 an upload in virtual-host style tells it too', async () => {
  expect(await replaced('telemetry.portaal.test', '/BM_SN0000001/a.json')).toBe('403 SignatureDoesNotMatch');
  expect(door.backend.refusals).toMatchObject([{ host: INNER }]);
});

test('55.34 a wrong secret, a Host that is not ours and an upload of an hour ago say nothing of the proxy', async () => {
  const request = { method: 'PUT', path: PATH, body: '{}', headers: { host: 'portaal.test' } };
  const guessed = signed(door, request, { credential: { ...LOGGER, secret: 'guessed' } });
  expect((await send(door, { ...request, headers: { ...guessed.headers, host: INNER } })).status).toBe(403);
  expect(await replaced('elders.test')).toBe('403 SignatureDoesNotMatch');
  expect(await replaced('portaal.test', PATH, { now: door.backend.now() - 3_600_000 })).toBe(
    '403 SignatureDoesNotMatch',
  );
  expect(door.backend.refusals).toHaveLength(3);
  for (const refusal of door.backend.refusals) expect(refusal).not.toHaveProperty('host');
});

test('55.34 an upload with the Host that was signed is accepted, whatever PUBLIC_URL says', async () => {
  const request = { method: 'PUT', path: PATH, body: '{}', headers: { host: INNER } };
  expect((await send(door, { ...request, headers: signed(door, request).headers })).status).toBe(200);
  expect(door.backend.refusals).toEqual([]);
});
