import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, noAnswer } from './api.ts';
import { ASKS_AGAIN, createQueryClient, healQueries, RETRY_MS } from './query-client.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const fault = new ApiError(500, { code: 'internal', message: 'Stuk.' }, true);
const refusal = new ApiError(403, { code: 'forbidden', message: 'Geen toegang.' }, true);
const badGateway = new ApiError(502, { code: 'internal', message: '' }, false);

/** Somebody looks at a question that fails. `counts.asked`: how often it was. */
function looked(error: Error, { isOut = false, meta = {} } = {}) {
  const client = createQueryClient(() => isOut);
  const counts = { asked: 0, failure: error as Error | undefined };
  const queryFn = async () => {
    counts.asked += 1;
    if (counts.failure) throw counts.failure;
    return 'answer';
  };
  const leave = new QueryObserver(client, { queryKey: ['q'], queryFn, meta }).subscribe(() => undefined);
  return { client, counts, leave };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test.each([
  ['without an answer', noAnswer()],
  ['with a proxy’s that the portal is gone', badGateway],
])('15.8e a question that ended %s is asked again every 5 s until it is answered', async (_, error) => {
  const { client, counts } = looked(error);
  await pass(3 * RETRY_MS + 10);
  expect(counts.asked).toBe(4);
  counts.failure = undefined;
  await pass(RETRY_MS);
  expect(client.getQueryData(['q'])).toBe('answer');
  await pass(60_000);
  expect(counts.asked).toBe(5);
});

test('15.8e what the portal itself fails at is asked for ever more rarely', async () => {
  const { counts } = looked(fault);
  const asked: number[] = [];
  for (const ms of [4_990, 5_000, 10_000, 20_000, 40_000]) {
    await pass(ms);
    asked.push(counts.asked);
  }
  expect(asked).toEqual([1, 2, 3, 4, 5]);
});

test('15.8e a refusal is not asked again, nor what nobody looks at any more, nor what asks by itself', async () => {
  const refused = looked(refusal);
  const left = looked(noAnswer());
  const own = looked(noAnswer(), { meta: ASKS_AGAIN });
  await pass(0);
  left.leave();
  await pass(60_000);
  expect([refused.counts.asked, left.counts.asked, own.counts.asked]).toEqual([1, 1, 1]);
});

test('15.8e while the portal is known to be out of reach nothing is asked; once it is back, at once', async () => {
  const { client, counts } = looked(noAnswer(), { isOut: true });
  await pass(60_000);
  expect(counts.asked).toBe(1);
  counts.failure = undefined;
  healQueries(client);
  await pass(0);
  expect(client.getQueryData(['q'])).toBe('answer');
});

test('15.8e a question that still waits for an answer of before the outage is asked anew', async () => {
  const client = createQueryClient();
  let asked = 0;
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    asked += 1;
    if (asked > 1) return Promise.resolve('answer');
    return new Promise<string>((_, failed) => {
      signal.addEventListener('abort', () => failed(signal.reason));
    });
  };
  new QueryObserver(client, { queryKey: ['q'], queryFn }).subscribe(() => undefined);
  await pass(60_000);
  healQueries(client);
  await pass(0);
  expect([asked, client.getQueryData(['q'])]).toEqual([2, 'answer']);
});
