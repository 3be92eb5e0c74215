import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#web/lib/api.ts';
import { aFleetEntry, aLiveAnswer } from '#web/test/live-example.ts';
import type { LiveSnapshot } from './live-snapshot.ts';
import { createLiveSource, type LiveSource } from './live-source.ts';
import type { LiveWorkerMessage, LiveWorkerRequest } from './live-worker.ts';

const NEVER = new AbortController().signal;
const A = aLiveAnswer(aFleetEntry('A'));
const AB = aLiveAnswer(aFleetEntry('A'), aFleetEntry('B'));

/** Replaces `fetch`: responds with an ETag, or with 304 if the request has that ETag. */
function server(answer: { text: string; etag: string }) {
  const network = vi.fn(async (_url: string, init: { headers: Record<string, string> }) =>
    init.headers['if-none-match'] === answer.etag
      ? new Response(null, { status: 304 })
      : new Response(answer.text, { headers: { etag: answer.etag } }),
  );
  vi.stubGlobal('fetch', network);
  return network;
}

/** Replaces the browser's worker, and runs the real live-worker.ts in it. */
async function startWorker(): Promise<Worker> {
  const page = new EventTarget();
  const inside = new EventTarget();
  let ended = false;
  const deliver = (to: EventTarget, data: unknown): void => {
    const copy = structuredClone(data);
    setTimeout(() => !ended && to.dispatchEvent(new MessageEvent('message', { data: copy })));
  };
  vi.stubGlobal('self', {
    addEventListener: inside.addEventListener.bind(inside),
    postMessage: (message: LiveWorkerMessage) => deliver(page, message),
  });
  vi.resetModules();
  await import('./live-worker.ts');
  return Object.assign(page, {
    postMessage: (message: LiveWorkerRequest) => deliver(inside, message),
    terminate: () => {
      ended = true;
    },
  }) as unknown as Worker;
}
const noWorker = (): Worker => {
  throw new DOMException('refused', 'SecurityError');
};
const brokenWorker = (): Worker => {
  const page = new EventTarget();
  const postMessage = () => void setTimeout(() => page.dispatchEvent(new Event('error')));
  return Object.assign(page, { postMessage, terminate: () => undefined }) as unknown as Worker;
};

afterEach(() => vi.unstubAllGlobals());

const SOURCES: [string, () => Promise<LiveSource>][] = [
  [
    'in the worker',
    async () => {
      const worker = await startWorker();
      return createLiveSource(() => worker);
    },
  ],
  ['where no worker starts', async () => createLiveSource(noWorker)],
  ['after the worker broke', async () => createLiveSource(brokenWorker)],
];

test.each(SOURCES)('%s: polls return all, then unchanged, then changed data (LIVE-02)', async (_, open) => {
  const answer = { text: A, etag: '"1"' };
  const network = server(answer);
  const source = await open();
  const { image, text } = await source.poll(undefined, true, NEVER);
  expect(image.entries).toEqual([aFleetEntry('A')]);
  expect(text).toBe(A);

  const same = await source.poll(image, true, NEVER);
  expect(same.image).toBe(image);
  expect(same.text).toBe(A);
  expect(network.mock.lastCall![1].headers).toHaveProperty('if-none-match', '"1"');

  Object.assign(answer, { text: AB, etag: '"2"' });
  const next = await source.poll(image, false, NEVER);
  expect(next.image.entries).toEqual([aFleetEntry('A'), aFleetEntry('B')]);
  expect(next.image.entries[0]).toBe(image.entries[0]);
  expect(next.text).toBeUndefined();
});

test.each(SOURCES)(
  '%s: an answer that the page discarded is fetched again completely (LIVE-02)',
  async (_, open) => {
    const answer = { text: A, etag: '"1"' };
    const network = server(answer);
    const source = await open();
    const { image } = await source.poll(undefined, false, NEVER);
    Object.assign(answer, { text: AB, etag: '"2"' });
    await source.poll(image, false, NEVER);
    const again = await source.poll(image, false, NEVER);
    expect(again.image.entries).toEqual([aFleetEntry('A'), aFleetEntry('B')]);
    expect(network.mock.lastCall![1].headers).not.toHaveProperty('if-none-match');
  },
);

test.each(SOURCES)(
  '%s: a refusal rejects with its status and message (LIVE-02, AUTH-10)',
  async (_, open) => {
    const problem = { code: 'unauthorized', message: 'Niet ingelogd.' };
    vi.stubGlobal('fetch', async () => Response.json(problem, { status: 401 }));
    const failure = await (await open()).poll(undefined, false, NEVER).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ApiError', status: 401, fromServer: true, ...problem });
    expect(failure).toBeInstanceOf(ApiError);
  },
);

test.each(SOURCES)(
  '%s: an aborted poll rejects with the reason of the abort, and aborts the request (LIVE-02)',
  async (_, open) => {
    const stop = new AbortController();
    let request: AbortSignal | undefined;
    vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
      request = signal;
      return new Promise((_done, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
    });
    const poll = (await open()).poll(undefined, false, stop.signal);
    await vi.waitFor(() => expect(request).toBeDefined());
    stop.abort(new Error('enough'));
    await expect(poll).rejects.toThrow('enough');
    await vi.waitFor(() => expect(request!.aborted).toBe(true));
  },
);

test('the end of a session terminates the worker, and another user gets no data of the former user (APP-07, LIVE-02)', async () => {
  const answer = { text: A, etag: '"1"' };
  const network = server(answer);
  const workers = [await startWorker()];
  const terminated = vi.spyOn(workers[0]!, 'terminate');
  const source = createLiveSource(() => workers.shift() as Worker);
  await source.poll(undefined, false, NEVER);
  source.end();
  expect(terminated).toHaveBeenCalledOnce();
  workers.push(await startWorker());
  Object.assign(answer, { text: aLiveAnswer(aFleetEntry('B')) });
  const theirs = await source.poll(undefined, true, NEVER);
  expect(network.mock.lastCall![1].headers).not.toHaveProperty('if-none-match');
  expect(theirs.image.entries).toEqual([aFleetEntry('B')]);
  expect(theirs.text).not.toContain('"A"');
});

test('a first answer that equals the stored copy keeps the copy’s objects, so that nothing is drawn twice (LIVE-02, MAP-13)', async () => {
  server({ text: A, etag: '"1"' });
  const entries = [aFleetEntry('A')];
  const stored: LiveSnapshot = { entries, byKey: new Map([['A', entries[0]!]]) };
  const { image } = await createLiveSource(noWorker).poll(stored, false, NEVER);
  expect(image.entries).toBe(entries);
});
