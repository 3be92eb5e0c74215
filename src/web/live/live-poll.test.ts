import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { browserStore } from '#web/test/browser-store.ts';
import { aLiveAnswer, aSeenEntry } from '#web/test/live-example.ts';
import type { LiveImage } from './live-image.ts';
import {
  LIVE_KEY,
  type LiveTrouble,
  LOOK_EVERY_MS,
  lookBetween,
  pollLive,
  TROUBLE_KEY,
  untilNextLook,
} from './live-poll.ts';
import { liveStorage } from './live-storage.ts';

const NEVER = new AbortController().signal;
const ANSWER = aLiveAnswer(aSeenEntry('A'));
let logged: MockInstance;

beforeEach(() => {
  vi.stubGlobal('localStorage', browserStore());
  liveStorage.wipe();
  logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Stands in for the network: one answer per poll. */
function server(...answers: (() => Response | Promise<Response>)[]) {
  const network = vi.fn(async (_url: string, _init: RequestInit) => await answers.shift()!());
  vi.stubGlobal('fetch', network);
  return network;
}
const ok = () => new Response(ANSWER, { headers: { etag: '"1"' } });
const unchanged = () => new Response(null, { status: 304 });
const down = () => Promise.reject(new TypeError('Failed to fetch'));
const status = (code: number) => () => new Response('{"code":"x","message":"x"}', { status: code });

describe('pollLive', () => {
  const setUp = () => {
    const client = createQueryClient();
    const onSignedOut = vi.fn();
    const onObliged = vi.fn();
    const poll = async (signal = NEVER): Promise<LiveImage> => {
      const image = await pollLive(client, signal, onSignedOut, onObliged);
      client.setQueryData(LIVE_KEY, image);
      return image;
    };
    const trouble = () => client.getQueryData<LiveTrouble>(TROUBLE_KEY);
    return { client, poll, trouble, onSignedOut, onObliged };
  };

  test('LIVE-02 asks with the ETag of what it has, and 304 keeps the very same object', async () => {
    const network = server(ok, unchanged);
    const { poll } = setUp();
    const image = await poll();
    expect(image.entries).toEqual([aSeenEntry('A')]);
    expect(await poll()).toBe(image);
    const headersOf = (nth: number) => network.mock.calls[nth]![1].headers;
    expect(headersOf(0)).not.toHaveProperty('if-none-match');
    expect(headersOf(1)).toHaveProperty('if-none-match', '"1"');
  });

  test.each(['second-factor-setup-required', 'password_change_required', 'address_unconfirmed'])(
    '13.4k that something must be done first is told, and is no failing poll: %s',
    async (code) => {
      server(() => new Response(JSON.stringify({ code, message: 'x' }), { status: 403 }));
      const { poll, trouble, onSignedOut, onObliged } = setUp();
      await expect(poll()).rejects.toMatchObject({ status: 403 });
      expect(onObliged).toHaveBeenCalledOnce();
      expect(onSignedOut).not.toHaveBeenCalled();
      expect(trouble()?.failingSince).toBeUndefined();
    },
  );

  test('LIVE-02 the answer is stored under liveData', async () => {
    server(ok);
    await setUp().poll();
    expect(localStorage.getItem('liveData')).toBe(ANSWER);
  });

  test.each([
    ['no answer', down],
    ['an error', status(503)],
    ['a page that is no answer', () => new Response('<html>')],
  ])('LIVE-02 %s: the data stays, it is logged once, and told since when', async (_, failing) => {
    server(ok, failing, failing, ok);
    const { client, poll, trouble } = setUp();
    const image = await poll();
    await expect(poll()).rejects.toThrow();
    const since = trouble()!.failingSince;
    expect(since).toBeGreaterThan(0);
    await expect(poll()).rejects.toThrow();
    expect(trouble()!.failingSince).toBe(since);
    expect(client.getQueryData(LIVE_KEY)).toBe(image);
    expect(logged).toHaveBeenCalledTimes(1);
    await poll();
    expect(trouble()!.failingSince).toBeUndefined();
  });

  test('LIVE-02 a copy that does not fit is told', async () => {
    vi.stubGlobal('localStorage', browserStore(10));
    server(ok);
    const { poll, trouble } = setUp();
    await poll();
    expect(trouble()).toEqual({ failingSince: undefined, storageDropped: true });
  });

  test('AUTH-10 a session that ended on the server is told, and is no outage', async () => {
    server(status(401));
    const { poll, trouble, onSignedOut } = setUp();
    await expect(poll()).rejects.toThrow();
    expect(onSignedOut).toHaveBeenCalledOnce();
    expect(trouble()?.failingSince).toBeUndefined();
    expect(logged).not.toHaveBeenCalled();
  });

  test('APP-07 an answer that comes after the logout is not stored', async () => {
    const leave = new AbortController();
    server(() => {
      leave.abort();
      return ok();
    });
    await expect(setUp().poll(leave.signal)).rejects.toThrow();
    expect(localStorage.length).toBe(0);
  });
});

describe('lookBetween', () => {
  /** A page whose last poll was so long ago. */
  const setUp = (polledAgoMs: number) => {
    const client = createQueryClient();
    client.setQueryData(LIVE_KEY, {}, { updatedAt: Date.now() - polledAgoMs });
    const onSignedOut = vi.fn();
    return { client, onSignedOut, look: (signal = NEVER) => lookBetween(client, signal, onSignedOut) };
  };

  test('13.6c half-way between two polls a page asks whether its session is there, and hears when it is not', async () => {
    const network = server(
      () => new Response(null),
      () => new Response(null, { status: 401 }),
    );
    const { look, onSignedOut } = setUp(LOOK_EVERY_MS);
    await look();
    expect(network.mock.calls[0]).toEqual(['/api/live?session', expect.objectContaining({ method: 'HEAD' })]);
    expect(onSignedOut).not.toHaveBeenCalled();
    await look();
    expect(onSignedOut).toHaveBeenCalledOnce();
  });

  test.each([
    [100, 2_400],
    [2_500, 5_000],
    [4_000, 3_500],
    [60_000, 1_500],
  ])('13.6c %i ms after a poll the middle is %i ms away', (agoMs, untilMs) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      expect(untilNextLook(setUp(agoMs).client)).toBe(untilMs);
    } finally {
      vi.useRealTimers();
    }
  });

  test('13.6c it asks nothing just after a poll, during one, or while polls fail', async () => {
    const network = server();
    await setUp(LOOK_EVERY_MS / 2 - 100).look();
    const polling = setUp(LOOK_EVERY_MS);
    void polling.client.fetchQuery({ queryKey: LIVE_KEY, queryFn: () => new Promise(() => {}) });
    await polling.look();
    const failing = setUp(LOOK_EVERY_MS);
    failing.client.setQueryData(TROUBLE_KEY, { failingSince: 1, storageDropped: false });
    await failing.look();
    expect(network).not.toHaveBeenCalled();
  });

  test.each([
    ['no answer', down],
    ['an error', status(503)],
  ])('13.6c %s says nothing of the session', async (_, failing) => {
    server(failing);
    const { client, look, onSignedOut } = setUp(LOOK_EVERY_MS);
    await look();
    expect(onSignedOut).not.toHaveBeenCalled();
    expect(client.getQueryData(TROUBLE_KEY)).toBeUndefined();
    expect(logged).not.toHaveBeenCalled();
  });
});
