import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#web/lib/api.ts';
import { aLiveAnswer, aSeenEntry } from '#web/test/live-example.ts';
import type { LiveImage } from './live-image.ts';
import { createLiveSource, type LiveSource } from './live-source.ts';
import type { FromWorker, ToWorker } from './live-worker.ts';

const NEVER = new AbortController().signal;
const A = aLiveAnswer(aSeenEntry('A'));
const AB = aLiveAnswer(aSeenEntry('A'), aSeenEntry('B'));

/** Stands in for the network: the answer, with its ETag; 304 when the request names that ETag. */
function server(answer: { text: string; etag: string }) {
  const network = vi.fn(async (_url: string, init: { headers: Record<string, string> }) =>
    init.headers['if-none-match'] === answer.etag
      ? new Response(null, { status: 304 })
      : new Response(answer.text, { headers: { etag: answer.etag } }),
  );
  vi.stubGlobal('fetch', network);
  return network;
}

/** Stands in for the browser's worker, with the real code of ours in it: live-worker.ts on a line of its own. */
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
    postMessage: (message: FromWorker) => deliver(page, message),
  });
  vi.resetModules();
  await import('./live-worker.ts');
  return Object.assign(page, {
    postMessage: (message: ToWorker) => deliver(inside, message),
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

test.each(SOURCES)('LIVE-02 %s: first all, then 304, then the change', async (_, open) => {
  const answer = { text: A, etag: '"1"' };
  const network = server(answer);
  const source = await open();
  const { image, text } = await source.poll(undefined, true, NEVER);
  expect(image.entries).toEqual([aSeenEntry('A')]);
  expect(text).toBe(A);

  const same = await source.poll(image, true, NEVER);
  expect(same.image).toBe(image);
  expect(same.text).toBe(A);
  expect(network.mock.lastCall![1].headers).toHaveProperty('if-none-match', '"1"');

  Object.assign(answer, { text: AB, etag: '"2"' });
  const next = await source.poll(image, false, NEVER);
  expect(next.image.entries).toEqual([aSeenEntry('A'), aSeenEntry('B')]);
  expect(next.image.entries[0]).toBe(image.entries[0]);
  expect(next.text).toBeUndefined();
});

test.each(SOURCES)(
  'LIVE-02 %s: an answer that the page threw away is asked for again, whole',
  async (_, open) => {
    const answer = { text: A, etag: '"1"' };
    const network = server(answer);
    const source = await open();
    const { image } = await source.poll(undefined, false, NEVER);
    Object.assign(answer, { text: AB, etag: '"2"' });
    await source.poll(image, false, NEVER);
    const again = await source.poll(image, false, NEVER);
    expect(again.image.entries).toEqual([aSeenEntry('A'), aSeenEntry('B')]);
    expect(network.mock.lastCall![1].headers).not.toHaveProperty('if-none-match');
  },
);

test.each(SOURCES)('LIVE-02 AUTH-10 %s: a refusal comes with its status and words', async (_, open) => {
  const problem = { code: 'unauthorized', message: 'Niet ingelogd.' };
  vi.stubGlobal('fetch', async () => Response.json(problem, { status: 401 }));
  const failure = await (await open()).poll(undefined, false, NEVER).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'ApiError', status: 401, fromServer: true, ...problem });
  expect(failure).toBeInstanceOf(ApiError);
});

test.each(SOURCES)(
  'LIVE-02 %s: a poll that is given up ends with its reason, and stops the request',
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

test('APP-07 LIVE-02 the end of a session ends the worker; another user begins with nothing of the former', async () => {
  const answer = { text: A, etag: '"1"' };
  const network = server(answer);
  const workers = [await startWorker()];
  const terminated = vi.spyOn(workers[0]!, 'terminate');
  const source = createLiveSource(() => workers.shift() as Worker);
  await source.poll(undefined, false, NEVER);
  source.end();
  expect(terminated).toHaveBeenCalledOnce();
  workers.push(await startWorker());
  Object.assign(answer, { text: aLiveAnswer(aSeenEntry('B')) });
  const theirs = await source.poll(undefined, true, NEVER);
  expect(network.mock.lastCall![1].headers).not.toHaveProperty('if-none-match');
  expect(theirs.image.entries).toEqual([aSeenEntry('B')]);
  expect(theirs.text).not.toContain('"A"');
});

test('LIVE-02 MAP-13 the copy of the browser and the first answer are one: nothing is drawn twice', async () => {
  server({ text: A, etag: '"1"' });
  const entries = [aSeenEntry('A')];
  const stored: LiveImage = { entries, byKey: new Map([['A', entries[0]!]]) };
  const { image } = await createLiveSource(noWorker).poll(stored, false, NEVER);
  expect(image.entries).toBe(entries);
});
