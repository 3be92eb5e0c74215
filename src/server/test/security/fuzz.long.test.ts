import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { busyConnections, fuzz, seedFrom } from './fuzz/campaign.ts';
import { WEBHOOK_URL } from './fuzz/names.ts';
import { recordingLog } from './fuzz/recording-log.ts';
import { hasSecrets } from './fuzz/verdict.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 10_000);
/**
 * A fixed seed gives the same requests in each run, so that a failure comes from a change of the code. FUZZ_SEED=… gives other requests.
 */
const seed = seedFrom(process.env.FUZZ_SEED ?? '20261121');
const log = recordingLog();
let portal: TestPortal;
beforeAll(async () => {
  // Each request names another client address (TRUST_PROXY), because rate limits per address would refuse nearly all requests from one.
  portal = await testPortal(
    { TRUST_PROXY: 'on', OUTBOUND_ALLOW_WEBHOOKS: WEBHOOK_URL },
    Date.now,
    log.logger,
  );
});
afterAll(() => portal.close());

/** Maximum time in ms of one turn of the event loop, including the work of the test's client, which runs in the same process. */
const MAX_HELD_MS = 300;
/** Operations that need not succeed, because they need a value from an e-mail, a device or an external identity provider. */
const NEEDS_MORE =
  /passkey|totp|oidc|factors|login\/code|confirm-address|invitation\/(look|accept)|push\/(subscribe|unsubscribe|test)/;

test(`${REQUESTS} valid and invalid requests made from the OpenAPI document cause no 5xx, no hang, no leak and no turn of the event loop over ${MAX_HELD_MS} ms (API-02, API-03, API-04)`, {
  timeout: 900_000,
}, async () => {
  const { pool, address, secrets } = portal;
  const campaign = { seed, requests: REQUESTS, connections: 4, publicUrl: portal.portal.config.PUBLIC_URL };
  const outcome = await fuzz({ address, pool, secrets }, campaign);
  const summary = [...outcome.statuses].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
  // Prints the seed, with which a person can repeat a failed run.
  process.stdout.write(
    `FUZZ_SEED=${seed}: ${REQUESTS} requests in ${outcome.seconds.toFixed(1)} s, ${summary.join(', ')}; slowest ${outcome.slowest.ms.toFixed(0)} ms: ${outcome.slowest.request.split('\n', 1)[0]}; event loop held ${outcome.held.ms.toFixed(0)} ms at most\n`,
  );

  expect(outcome.faults, `FUZZ_SEED=${seed}`).toEqual([]);
  expect(outcome.held.ms, outcome.held.requests.join('\n')).toBeLessThan(MAX_HELD_MS);
  // If all requests were refused, the test would prove little: most operations must succeed at least once.
  const possible = outcome.operations.filter((operation) => !NEEDS_MORE.test(operation));
  const done = possible.filter((operation) => outcome.succeeded.has(operation));
  expect(done.length / possible.length).toBeGreaterThan(0.8);
  expect(log.errors()).toEqual([]);
  expect(log.lines().filter(hasSecrets)).toEqual([]);
  await expect.poll(() => busyConnections(pool)).toBe(0);
  expect([pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0]);
  expect((await portal.get('/api/health')).statusCode).toBe(200);
});
