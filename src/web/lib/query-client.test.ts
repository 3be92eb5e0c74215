import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, noAnswerError } from './api.ts';
import { createQueryClient, RETRY_MS, repeatFailedQueries, SELF_RETRYING_META } from './query-client.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const serverError = new ApiError(500, { code: 'internal', message: 'Stuk.' }, true);
const refusal = new ApiError(403, { code: 'forbidden', message: 'Geen toegang.' }, true);
const badGateway = new ApiError(502, { code: 'internal', message: '' }, false);

/** Observes a query that fails. `counts.asked`: number of requests. */
function observe(error: Error, { isOutageKnown = false, meta = {} } = {}) {
  const client = createQueryClient(() => isOutageKnown);
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
  ['without an answer', noAnswerError()],
  ['with a bad gateway of a proxy', badGateway],
])('a query that ended %s is repeated every 5 s until it succeeds (15.8e)', async (_, error) => {
  const { client, counts } = observe(error);
  await pass(3 * RETRY_MS + 10);
  expect(counts.asked).toBe(4);
  counts.failure = undefined;
  await pass(RETRY_MS);
  expect(client.getQueryData(['q'])).toBe('answer');
  await pass(60_000);
  expect(counts.asked).toBe(5);
});

test('a query that the portal answers with an error is repeated at growing intervals (15.8e)', async () => {
  const { counts } = observe(serverError);
  const asked: number[] = [];
  for (const ms of [4_990, 5_000, 10_000, 20_000, 40_000]) {
    await pass(ms);
    asked.push(counts.asked);
  }
  expect(asked).toEqual([1, 2, 3, 4, 5]);
});

test('a refused query, an unobserved query and a query that retries itself are not repeated (15.8e)', async () => {
  const refused = observe(refusal);
  const left = observe(noAnswerError());
  const own = observe(noAnswerError(), { meta: SELF_RETRYING_META });
  await pass(0);
  left.leave();
  await pass(60_000);
  expect([refused.counts.asked, left.counts.asked, own.counts.asked]).toEqual([1, 1, 1]);
});

test('a failed query is not repeated during a known outage, and is repeated as soon as the outage ends (15.8e)', async () => {
  const { client, counts } = observe(noAnswerError(), { isOutageKnown: true });
  await pass(60_000);
  expect(counts.asked).toBe(1);
  counts.failure = undefined;
  repeatFailedQueries(client);
  await pass(0);
  expect(client.getQueryData(['q'])).toBe('answer');
});

test('a query that was sent before the outage and still waits is repeated after it (15.8e)', async () => {
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
  repeatFailedQueries(client);
  await pass(0);
  expect([asked, client.getQueryData(['q'])]).toEqual([2, 'answer']);
});
