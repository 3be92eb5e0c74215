import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatAmzDate, sha256, signNaively } from '#server/s3/test/naive-signer.ts';
import { type FleetLogger, TestFleet } from './test/fleet.ts';

let open: TestFleet;
let behindProxy: TestFleet;
beforeAll(async () => {
  [open, behindProxy] = await Promise.all([TestFleet.open(), TestFleet.open({ TRUST_PROXY: 'on' })]);
});
afterAll(() => Promise.all([open.close(), behindProxy.close()]));

const TAKEN = '200';
const REFUSED = '400 InvalidRequest';
const HTTPS = { 'x-forwarded-proto': 'https' };

/** Returns a signed snapshot that can be sent unchanged, with additions of a proxy, or with another body. */
function signedSnapshot(fleet: TestFleet, logger: FleetLogger, payloadHash?: string) {
  const path = `/telemetry/WS_SN${logger.loggerSerial}/snapshot.json`;
  const own = JSON.stringify({ GMT_UNIX: Math.floor(fleet.clock / 1000), Soc1: 50 });
  const { headers } = signNaively({
    method: 'PUT',
    path,
    headers: { host: new URL(fleet.portal.address).host },
    payloadHash: payloadHash ?? sha256(own),
    accessKey: logger.accessKey,
    secret: logger.secret,
    timestamp: formatAmzDate(fleet.clock),
  });
  return async (added: Record<string, string> = {}, body = own): Promise<string> => {
    const answer = await fetch(fleet.portal.address + path, {
      method: 'PUT',
      headers: { ...headers, ...added },
      body,
    });
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await answer.text()) ?? [];
    return `${answer.status} ${code}`.trim();
  };
}

test.each<[string, () => TestFleet, Record<string, string>, string]>([
  ['plain http, and no proxy', () => open, {}, REFUSED],
  ['a header of the sender’s, and no proxy', () => open, HTTPS, REFUSED],
  ['a proxy that does not tell', () => behindProxy, {}, REFUSED],
  ['a proxy that was asked over http', () => behindProxy, { 'x-forwarded-proto': 'http' }, REFUSED],
  [
    'a proxy that was told https, and asked over http',
    () => behindProxy,
    { 'x-forwarded-proto': 'https, http' },
    REFUSED,
  ],
  ['a proxy that was asked over https', () => behindProxy, HTTPS, TAKEN],
])(
  'an unsigned snapshot is accepted or refused over %s (12.B6, INGEST-01)',
  async (_, on, added, expected) => {
    const fleet = on();
    const logger = await fleet.newLogger();
    expect(await signedSnapshot(fleet, logger, 'UNSIGNED-PAYLOAD')(added)).toBe(expected);
    expect(await fleet.readingsOf(logger.streamId)).toBe(expected === TAKEN ? 1 : 0);
    expect(await signedSnapshot(fleet, logger)(added)).toBe(TAKEN);
  },
);

test('a request that was intercepted on plain http can only be replayed, unchanged, for 15 minutes (12.B6, INGEST-03)', async () => {
  const logger = await open.newLogger();
  const send = signedSnapshot(open, logger);
  expect([await send(), await send()]).toEqual([TAKEN, TAKEN]);
  expect(await open.readingsOf(logger.streamId)).toBe(1);
  expect((await open.health(logger.writerId)).counters).toMatchObject({ readings: 1, duplicates: 1 });
  const other = JSON.stringify({ GMT_UNIX: Math.floor(open.clock / 1000) - 1, Soc1: 1 });
  expect(await send({}, other)).toBe('400 XAmzContentSHA256Mismatch');
  expect(await send({ 'x-amz-content-sha256': sha256(other) }, other)).toBe('403 SignatureDoesNotMatch');
  expect(await send({ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }, other)).toBe('403 SignatureDoesNotMatch');
  open.clock += 15 * 60_000 + 1_000;
  expect(await send()).toBe('403 RequestTimeTooSkewed');
  expect(await open.readingsOf(logger.streamId)).toBe(1);
});
