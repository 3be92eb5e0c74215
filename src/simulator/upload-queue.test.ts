import { expect, test, vi } from 'vitest';
import { type OutgoingFile, type UploadQueueOptions, uploadQueue } from './upload-queue.ts';

const file = (name: string): OutgoingFile => ({ key: name, body: () => name });

/** Makes an upload queue to a fake portal. While `open` is false, the portal refuses every upload. */
function portal(overrides: Partial<UploadQueueOptions> = {}) {
  const state = { open: true, received: [] as string[], failures: 0, tries: 0 };
  const queue = uploadQueue({
    put: async ({ key }) => {
      state.tries++;
      await Promise.resolve();
      if (!state.open) throw new Error('closed');
      state.received.push(key);
    },
    delivered: () => {},
    failed: () => state.failures++,
    limit: 100,
    firstRetryMs: 1,
    longestRetryMs: 4,
    ...overrides,
  });
  return { state, queue };
}

test('the queue delivers files in the order in which they were added', async () => {
  const { state, queue } = portal();
  for (const name of ['a', 'b', 'c']) queue.add(file(name));
  await vi.waitUntil(() => queue.length() === 0);
  expect(state.received).toEqual(['a', 'b', 'c']);
});

test('the queue keeps files while the portal is unreachable, and delivers them in order afterwards', async () => {
  const { state, queue } = portal();
  state.open = false;
  for (const name of ['a', 'b', 'c']) queue.add(file(name));
  await vi.waitUntil(() => state.failures >= 3);
  queue.add(file('d'));
  state.open = true;
  await vi.waitUntil(() => queue.length() === 0);
  expect(state.received).toEqual(['a', 'b', 'c', 'd']);
});

test('the queue drops the oldest files when there are too many', async () => {
  const { state, queue } = portal({ limit: 3 });
  state.open = false;
  for (const name of ['a', 'b', 'c', 'd', 'e']) queue.add(file(name));
  await vi.waitUntil(() => state.failures >= 2);
  expect(queue.length()).toBe(3);
  state.open = true;
  await vi.waitUntil(() => queue.length() === 0);
  // A file whose upload had begun may still arrive after it was dropped.
  expect(state.received.filter((name) => name !== 'a')).toEqual(['c', 'd', 'e']);
});

test('the delay between retries doubles up to a limit', async () => {
  const tries: number[] = [];
  const { state, queue } = portal({
    firstRetryMs: 10,
    longestRetryMs: 40,
    failed: () => tries.push(performance.now()),
  });
  state.open = false;
  queue.add(file('a'));
  await vi.waitUntil(() => tries.length >= 6, { timeout: 3_000 });
  const gaps = tries.slice(1).map((at, i) => at - tries[i]!);
  // Delays vary by 20 %; a busy machine may lengthen one but not shorten it (a timer may be 1 ms early).
  for (const [i, gap] of [10, 20, 40, 40, 40].entries()) expect(gaps[i]).toBeGreaterThan(0.8 * gap - 1.5);
  await queue.close(0);
});

test('closing the queue finishes the upload that is in progress, and sends nothing more', async () => {
  let cut = false;
  let started = 0;
  const { queue } = portal({
    put: (_, signal) => {
      started++;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          cut = true;
          reject(new Error('cut'));
        });
      });
    },
  });
  queue.add(file('a'));
  queue.add(file('b'));
  await queue.close(10);
  queue.add(file('c'));
  expect({ cut, started }).toEqual({ cut: true, started: 1 });
});

test('closing the queue does not wait for the delay before a retry to end', async () => {
  const { state, queue } = portal({ firstRetryMs: 60_000, longestRetryMs: 60_000 });
  state.open = false;
  queue.add(file('a'));
  await vi.waitUntil(() => state.failures === 1);
  await queue.close(60_000);
  expect(state.tries).toBe(1);
});
