import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { createQueryClient } from '#web/lib/query-client.ts';
import { fakeBrowserStorage } from '#web/test/browser-store.ts';
import { aFleetEntry, aLiveAnswer } from '#web/test/live-example.ts';
import {
  checkSessionBetweenPolls,
  HALF_POLL_MS,
  LIVE_KEY,
  type LivePollState,
  POLL_STATE_KEY,
  pollLive,
  untilNextSessionCheck,
} from './live-poll.ts';
import type { LiveSnapshot } from './live-snapshot.ts';
import { liveStorage } from './live-storage.ts';

const NEVER = new AbortController().signal;
const ANSWER = aLiveAnswer(aFleetEntry('A'));
let logged: MockInstance;

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeBrowserStorage());
  liveStorage.wipe();
  logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Replaces `fetch`: each poll gets the next of these responses. */
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
    const poll = async (signal = NEVER): Promise<LiveSnapshot> => {
      const image = await pollLive(client, signal, onSignedOut, onObliged);
      client.setQueryData(LIVE_KEY, image);
      return image;
    };
    const pollState = () => client.getQueryData<LivePollState>(POLL_STATE_KEY);
    return { client, poll, pollState, onSignedOut, onObliged };
  };

  test('sends the ETag of the last answer, and returns the same live data object after a 304 (LIVE-02)', async () => {
    const network = server(ok, unchanged);
    const { poll } = setUp();
    const image = await poll();
    expect(image.entries).toEqual([aFleetEntry('A')]);
    expect(await poll()).toBe(image);
    const headersOf = (nth: number) => network.mock.calls[nth]![1].headers;
    expect(headersOf(0)).not.toHaveProperty('if-none-match');
    expect(headersOf(1)).toHaveProperty('if-none-match', '"1"');
  });

  test.each(['second-factor-setup-required', 'password_change_required', 'address_unconfirmed'])(
    'calls onObliged, and reports no outage, after a 403 with the code %s (13.4k)',
    async (code) => {
      server(() => new Response(JSON.stringify({ code, message: 'x' }), { status: 403 }));
      const { poll, pollState, onSignedOut, onObliged } = setUp();
      await expect(poll()).rejects.toMatchObject({ status: 403 });
      expect(onObliged).toHaveBeenCalledOnce();
      expect(onSignedOut).not.toHaveBeenCalled();
      expect(pollState()?.failingSince).toBeUndefined();
    },
  );

  test('stores the answer under liveData (LIVE-02)', async () => {
    server(ok);
    await setUp().poll();
    expect(localStorage.getItem('liveData')).toBe(ANSWER);
  });

  test.each([
    ['no answer', down],
    ['an error', status(503)],
    ['a page that is no answer', () => new Response('<html>')],
  ])(
    'keeps the live data after %s, logs the failure once, and remembers since when polls fail (LIVE-02)',
    async (_, failing) => {
      server(ok, failing, failing, ok);
      const { client, poll, pollState } = setUp();
      const image = await poll();
      await expect(poll()).rejects.toThrow();
      const since = pollState()!.failingSince;
      expect(since).toBeGreaterThan(0);
      await expect(poll()).rejects.toThrow();
      expect(pollState()!.failingSince).toBe(since);
      expect(client.getQueryData(LIVE_KEY)).toBe(image);
      expect(logged).toHaveBeenCalledTimes(1);
      await poll();
      expect(pollState()!.failingSince).toBeUndefined();
    },
  );

  test('sets storageDropped when the live data do not fit in the browser’s storage (LIVE-02)', async () => {
    vi.stubGlobal('localStorage', fakeBrowserStorage(10));
    server(ok);
    const { poll, pollState } = setUp();
    await poll();
    expect(pollState()).toEqual({ failingSince: undefined, storageDropped: true });
  });

  test('calls onSignedOut, and reports no outage, after a 401 (AUTH-10)', async () => {
    server(status(401));
    const { poll, pollState, onSignedOut } = setUp();
    await expect(poll()).rejects.toThrow();
    expect(onSignedOut).toHaveBeenCalledOnce();
    expect(pollState()?.failingSince).toBeUndefined();
    expect(logged).not.toHaveBeenCalled();
  });

  test('does not store an answer that arrives after the logout (APP-07)', async () => {
    const leave = new AbortController();
    server(() => {
      leave.abort();
      return ok();
    });
    await expect(setUp().poll(leave.signal)).rejects.toThrow();
    expect(localStorage.length).toBe(0);
  });
});

describe('checkSessionBetweenPolls', () => {
  /** A page whose last poll was `polledAgoMs` ago. */
  const setUp = (polledAgoMs: number) => {
    const client = createQueryClient();
    client.setQueryData(LIVE_KEY, {}, { updatedAt: Date.now() - polledAgoMs });
    const onSignedOut = vi.fn();
    return {
      client,
      onSignedOut,
      check: (signal = NEVER) => checkSessionBetweenPolls(client, signal, onSignedOut),
    };
  };

  test('checks the session half-way between two polls, and calls onSignedOut when the session has ended (13.6c)', async () => {
    const network = server(
      () => new Response(null),
      () => new Response(null, { status: 401 }),
    );
    const { check, onSignedOut } = setUp(HALF_POLL_MS);
    await check();
    expect(network.mock.calls[0]).toEqual(['/api/live?session', expect.objectContaining({ method: 'HEAD' })]);
    expect(onSignedOut).not.toHaveBeenCalled();
    await check();
    expect(onSignedOut).toHaveBeenCalledOnce();
  });

  test.each([
    [100, 2_400],
    [2_500, 5_000],
    [4_000, 3_500],
    [60_000, 1_500],
  ])('the session check is due, %i ms after a poll, in %i ms (13.6c)', (agoMs, untilMs) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      expect(untilNextSessionCheck(setUp(agoMs).client)).toBe(untilMs);
    } finally {
      vi.useRealTimers();
    }
  });

  test('sends nothing just after a poll, during a poll, or while polls fail (13.6c)', async () => {
    const network = server();
    await setUp(HALF_POLL_MS / 2 - 100).check();
    const polling = setUp(HALF_POLL_MS);
    void polling.client.fetchQuery({ queryKey: LIVE_KEY, queryFn: () => new Promise(() => {}) });
    await polling.check();
    const failing = setUp(HALF_POLL_MS);
    failing.client.setQueryData(POLL_STATE_KEY, { failingSince: 1, storageDropped: false });
    await failing.check();
    expect(network).not.toHaveBeenCalled();
  });

  test.each([
    ['no answer', down],
    ['an error', status(503)],
  ])('ignores %s to its request (13.6c)', async (_, failing) => {
    server(failing);
    const { client, check, onSignedOut } = setUp(HALF_POLL_MS);
    await check();
    expect(onSignedOut).not.toHaveBeenCalled();
    expect(client.getQueryData(POLL_STATE_KEY)).toBeUndefined();
    expect(logged).not.toHaveBeenCalled();
  });
});
