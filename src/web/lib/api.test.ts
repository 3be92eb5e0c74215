import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ApiKey } from '#shared/contract/api.ts';
import {
  ApiError,
  call,
  failureText,
  isOutage,
  noAnswer,
  send,
  setReauthentication,
  unreadable,
} from './api.ts';

/** Stands in for the network, our only way out. */
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

describe('call', () => {
  test('AUTH-10 sends the cookie and the body as JSON, and answers what came', async () => {
    const network = answerWith('{"message":"ok","user":{"email":"a@b.nl"}}');
    const answer = await call('POST /api/auth/login', { body: { email: 'a@b.nl', password: 'geheim' } });
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

  test('13.8b proves its origin by itself: a GET over plain http has no more than a Referer, which may be taken away', async () => {
    const network = answerWith('{"message":"ok"}');
    await call('GET /api/machine/config/create', { query: { serienummer: 'S-1' } });
    expect(network.mock.calls[0]?.[1].headers).toMatchObject({ 'x-requested-with': 'werkstroom' });
  });

  test('AUTH-05 a refusal carries the code and the words of the server', async () => {
    answerWith('{"code":"bad_credentials","message":"Klopt niet."}', { status: 401 });
    const error = await failure(call('GET /api/auth/validate-token'));
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
  ])('AUTH-05 %s is no word of the server', async (_, body, status) => {
    answerWith(body, { status });
    const error = await failure(call('GET /api/auth/validate-token'));
    expect(error).toMatchObject({ status, code: 'internal', fromServer: false });
  });

  test('LIVE-02 no answer at all is an outage, in Dutch', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    const error = await failure(call('GET /api/live'));
    expect(error).toMatchObject({ status: 0, code: 'network', message: 'Geen verbinding met het portaal.' });
    expect(isOutage(error)).toBe(true);
  });

  test('LIVE-02 who gives up gets the reason, not an outage', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new DOMException('', 'AbortError')));
    const reason = new Error('left the page');
    await expect(call('GET /api/live', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

test.each([
  [503, 'unavailable', true],
  [500, 'internal', true],
  [401, 'unauthenticated', false],
  [429, 'too_many_requests', false],
] as const)('AUTH-09 status %i, %s: an outage is %s', (status, code, expected) => {
  expect(isOutage(new ApiError(status, { code, message: '' }, true))).toBe(expected);
});

test('API-01 path parameters and query are encoded; what is undefined is left out', async () => {
  const network = answerWith('{}');
  const key = 'GET /api/machine/:serialNumber/x' as ApiKey;
  await send(key, { params: { serialNumber: 'A/1 ?' }, query: { start: '1+2', end: undefined } });
  expect(network.mock.calls[0]![0]).toBe('/api/machine/A%2F1%20%3F/x?start=1%2B2');
});

const refused = (message: string) => new ApiError(401, { code: 'bad_credentials', message }, true);
const FALLBACK = 'Login failed. Please check your credentials.';

test.each([
  ['the words of the server', refused('Klopt niet.'), 'Klopt niet.'],
  ['a server without words', refused(''), FALLBACK],
  ['an answer that cannot be read', unreadable(502), FALLBACK],
  ['no answer', noAnswer(), `${FALLBACK} Geen verbinding met het portaal.`],
  ['anything else', new TypeError('x'), FALLBACK],
])('AUTH-05 a failed call shows %s', (_, error, text) => {
  expect(failureText(error, FALLBACK)).toBe(text);
});

describe('what cannot be undone', () => {
  afterEach(() => setReauthentication(undefined));
  const removal = () => call('DELETE /api/account');
  const wanted = () =>
    new Response('{"code":"proof_required","message":"Bevestig eerst dat jij het bent."}', { status: 403 });
  /** The first answers in their order, then the last one for ever. */
  const answers = (...each: (() => Response)[]) => {
    const network = vi.fn(async () => (each.length > 1 ? each.shift()! : each[0]!)());
    vi.stubGlobal('fetch', network);
    return network;
  };

  test('13.6f is sent once more when the person showed that it is them', async () => {
    const network = answers(wanted, () => new Response('{"message":"ok"}'));
    const ask = vi.fn(async () => true);
    setReauthentication(ask);
    expect(await removal()).toEqual({ message: 'ok' });
    expect([ask.mock.calls.length, network.mock.calls.length]).toEqual([1, 2]);
  });

  test('13.6f is sent no third time', async () => {
    const network = answers(wanted);
    setReauthentication(async () => true);
    expect((await failure(removal())).code).toBe('proof_required');
    expect(network.mock.calls.length).toBe(2);
  });

  test('13.6f is not sent again when the person did not, or nobody can ask', async () => {
    const network = answers(wanted);
    setReauthentication(async () => false);
    expect((await failure(removal())).message).toBe('Bevestig eerst dat jij het bent.');
    setReauthentication(undefined);
    expect((await failure(removal())).status).toBe(403);
    expect(network.mock.calls.length).toBe(2);
  });

  test('13.6f another refusal asks nobody', async () => {
    answerWith('{"code":"forbidden","message":"Geen toegang."}', { status: 403 });
    const ask = vi.fn(async () => true);
    setReauthentication(ask);
    expect((await failure(removal())).code).toBe('forbidden');
    expect(ask).not.toHaveBeenCalled();
  });
});
