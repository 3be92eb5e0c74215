import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ApiKey } from '#shared/contract/api.ts';
import {
  ApiError,
  callApi,
  failureText,
  isOutage,
  noAnswerError,
  sendRequest,
  setReauthentication,
  unreadableAnswerError,
} from './api.ts';

/** Replaces `fetch` by a mock that resolves with this response. Returns the mock. */
const answerWith = (body: string, init?: ResponseInit) => {
  const network = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, init));
  vi.stubGlobal('fetch', network);
  return network;
};
const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};
afterEach(() => vi.unstubAllGlobals());

describe('callApi', () => {
  test('sends the cookie and the body as JSON, and resolves with the answer (AUTH-10)', async () => {
    const network = answerWith('{"message":"ok","user":{"email":"a@b.nl"}}');
    const answer = await callApi('POST /api/auth/login', { body: { email: 'a@b.nl', password: 'geheim' } });
    expect(answer.user.email).toBe('a@b.nl');
    const [url, init] = network.mock.calls[0]!;
    expect(url).toBe('/api/auth/login');
    expect(init).toMatchObject({
      method: 'POST',
      credentials: 'include',
      body: '{"email":"a@b.nl","password":"geheim"}',
    });
    expect(init.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  test('sends a header that proves the call’s origin, because a GET over plain http has only a Referer, which may be removed (13.8b)', async () => {
    const network = answerWith('{"message":"ok"}');
    await callApi('GET /api/machine/config/create', { query: { serienummer: 'S-1' } });
    expect(network.mock.calls[0]?.[1].headers).toMatchObject({ 'x-requested-with': 'werkstroom' });
  });

  test("rejects with the server's code and message (AUTH-05)", async () => {
    answerWith('{"code":"bad_credentials","message":"Klopt niet."}', { status: 401 });
    const error = await failure(callApi('GET /api/auth/validate-token'));
    expect(error).toMatchObject({
      status: 401,
      code: 'bad_credentials',
      message: 'Klopt niet.',
      fromServer: true,
    });
  });

  test.each([
    ['a proxy page', '<h1>Bad gateway</h1>', 502],
    ['an empty answer', '', 500],
    ['JSON of another shape', '{"error":"x"}', 400],
    ['JSON null', 'null', 404],
    ['a page where an answer should be', '<!doctype html>', 200],
  ])('does not take %s for a message of the server (AUTH-05)', async (_, body, status) => {
    answerWith(body, { status });
    const error = await failure(callApi('GET /api/auth/validate-token'));
    expect(error).toMatchObject({ status, code: 'internal', fromServer: false });
  });

  test('rejects with a Dutch outage message when the server does not respond (LIVE-02)', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    const error = await failure(callApi('GET /api/live'));
    expect(error).toMatchObject({ status: 0, code: 'network', message: 'Geen verbinding met het portaal.' });
    expect(isOutage(error)).toBe(true);
  });

  test("rejects an aborted call with the signal's reason (LIVE-02)", async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new DOMException('', 'AbortError')));
    const reason = new Error('left the page');
    await expect(callApi('GET /api/live', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

test.each([
  [503, 'unavailable', true],
  [500, 'internal', true],
  [401, 'unauthenticated', false],
  [429, 'too_many_requests', false],
] as const)('for status %i with code %s, isOutage returns %s (AUTH-09)', (status, code, expected) => {
  expect(isOutage(new ApiError(status, { code, message: '' }, true))).toBe(expected);
});

test('path parameters and query are encoded, and undefined values are left out (API-01)', async () => {
  const network = answerWith('{}');
  const key = 'GET /api/machine/:serialNumber/x' as ApiKey;
  await sendRequest(key, { params: { serialNumber: 'A/1 ?' }, query: { start: '1+2', end: undefined } });
  expect(network.mock.calls[0]![0]).toBe('/api/machine/A%2F1%20%3F/x?start=1%2B2');
});

const refused = (message: string) => new ApiError(401, { code: 'bad_credentials', message }, true);
const FALLBACK = 'Login failed. Please check your credentials.';

test.each([
  ['the message of the server', refused('Klopt niet.'), 'Klopt niet.'],
  ['the fallback for an empty message', refused(''), FALLBACK],
  ['the fallback for an unreadable answer', unreadableAnswerError(502), FALLBACK],
  [
    'the fallback and the cause for no answer',
    noAnswerError(),
    `${FALLBACK} Geen verbinding met het portaal.`,
  ],
  ['the fallback for any other error', new TypeError('x'), FALLBACK],
])('a failed call shows %s (AUTH-05)', (_, error, text) => {
  expect(failureText(error, FALLBACK)).toBe(text);
});

describe('a call that needs re-authentication', () => {
  afterEach(() => setReauthentication(undefined));
  const removal = () => callApi('DELETE /api/account');
  const required = () =>
    new Response('{"code":"proof_required","message":"Bevestig eerst dat jij het bent."}', { status: 403 });
  /** Replaces `fetch` by a mock that resolves with the responses one after the other, then always with the last. Returns the mock. */
  const answers = (...each: (() => Response)[]) => {
    const network = vi.fn(async () => (each.length > 1 ? each.shift()! : each[0]!)());
    vi.stubGlobal('fetch', network);
    return network;
  };

  test('the call is sent once more after the user re-authenticated (13.6f)', async () => {
    const network = answers(required, () => new Response('{"message":"ok"}'));
    const ask = vi.fn(async () => true);
    setReauthentication(ask);
    expect(await removal()).toEqual({ message: 'ok' });
    expect([ask.mock.calls.length, network.mock.calls.length]).toEqual([1, 2]);
  });

  test('the call is not sent a third time if it is refused again (13.6f)', async () => {
    const network = answers(required);
    setReauthentication(async () => true);
    expect((await failure(removal())).code).toBe('proof_required');
    expect(network.mock.calls.length).toBe(2);
  });

  test('the call is not sent again if the user cancelled or no dialog is registered (13.6f)', async () => {
    const network = answers(required);
    setReauthentication(async () => false);
    expect((await failure(removal())).message).toBe('Bevestig eerst dat jij het bent.');
    setReauthentication(undefined);
    expect((await failure(removal())).status).toBe(403);
    expect(network.mock.calls.length).toBe(2);
  });

  test('a call that is refused for another reason does not ask for re-authentication (13.6f)', async () => {
    answerWith('{"code":"forbidden","message":"Geen toegang."}', { status: 403 });
    const ask = vi.fn(async () => true);
    setReauthentication(ask);
    expect((await failure(removal())).code).toBe('forbidden');
    expect(ask).not.toHaveBeenCalled();
  });
});
