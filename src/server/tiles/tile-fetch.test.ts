import { afterEach, beforeEach, expect, test } from 'vitest';
import { PNG_BYTES, sendPng, startTestUpstream, type TestUpstream } from './test/upstream.ts';
import { fetchTile, imageType, maxAgeOf, tileUrl, tileUserAgent } from './tile-fetch.ts';

let upstream: TestUpstream;
beforeEach(async () => {
  upstream = await startTestUpstream();
});
afterEach(() => upstream.close());

const userAgent = tileUserAgent('1.2.3', 'https://portal.example.nl');
const fetchOne = (timeoutMs = 4000) =>
  fetchTile(tileUrl({ urlTemplate: upstream.urlTemplate, attribution: '' }, { z: 7, x: 65, y: 42 }), {
    userAgent,
    timeoutMs,
  });

test('a tile is fetched from the URL of the template, with the portal’s User-Agent (MAP-02)', async () => {
  let agent: string | undefined;
  upstream.answer = (request, response) => {
    agent = request.headers['user-agent'];
    sendPng(response, { 'cache-control': 'public, max-age=7200' });
  };
  expect(await fetchOne()).toEqual({
    kind: 'image',
    image: { bytes: PNG_BYTES, type: 'image/png' },
    maxAgeSeconds: 7200,
  });
  expect(upstream.asked).toEqual(['/7/65/42.png']);
  expect(agent).toBe('Werkstroom/1.2.3 (+https://portal.example.nl)');
});

test.each([
  ['a page instead of an image', 200, 'text/html', Buffer.from('<h1>Log in</h1>'), 'failed'],
  ['a page that says it is an image', 200, 'image/png', Buffer.from('<script>'), 'failed'],
  ['an SVG, which can hold scripts', 200, 'image/svg+xml', Buffer.from('<svg/>'), 'failed'],
  ['an image that says it is a page', 200, 'text/html', PNG_BYTES, 'failed'],
  ['an empty answer', 200, 'image/png', Buffer.alloc(0), 'failed'],
  ['a refusal', 403, 'text/plain', Buffer.from('blocked'), 'failed'],
  ['too many requests', 429, 'text/plain', Buffer.from(''), 'failed'],
  ['an error', 503, 'image/png', PNG_BYTES, 'failed'],
  ['no such tile', 404, 'text/plain', Buffer.from('none'), 'absent'],
  ['a tile over 1 MiB', 200, 'image/png', Buffer.concat([PNG_BYTES, Buffer.alloc(1024 * 1024)]), 'absent'],
])('the answer of a tile service is not used as a tile: %s (MAP-02)', async (_, status, type, body, kind) => {
  upstream.answer = (_request, response) => response.writeHead(status, { 'content-type': type }).end(body);
  expect(await fetchOne()).toMatchObject({ kind });
});

test('an endless answer is cut off at 1 MiB (MAP-02)', async () => {
  let hungUp: () => void;
  const closed = new Promise<void>((resolve) => {
    hungUp = resolve;
  });
  upstream.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(PNG_BYTES);
    const chunk = Buffer.alloc(64 * 1024);
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pour).on('close', () => hungUp());
    pour();
  };
  expect(await fetchOne()).toMatchObject({ kind: 'absent' });
  await closed;
});

test('a request counts as failed if the tile is not complete within the time limit, also if a part has arrived (MAP-02)', async () => {
  upstream.answer = () => {};
  expect(await fetchOne(100)).toMatchObject({ kind: 'failed' });
  upstream.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(PNG_BYTES);
  };
  expect(await fetchOne(100)).toMatchObject({ kind: 'failed' });
});

test('a refused connection counts as failed (MAP-02)', async () => {
  await upstream.close();
  expect(await fetchOne()).toMatchObject({ kind: 'failed' });
});

test('a redirect is followed on the same host only (MAP-02)', async () => {
  const other = await startTestUpstream();
  const otherHost = new URL(
    tileUrl({ urlTemplate: other.urlTemplate, attribution: '' }, { z: 0, x: 0, y: 0 }),
  ).host;
  try {
    upstream.answer = (request, response) => {
      if (request.url === '/moved.png') sendPng(response);
      else response.writeHead(302, { location: '/moved.png' }).end();
    };
    expect(await fetchOne()).toMatchObject({ kind: 'image' });

    upstream.answer = (_, response) =>
      response.writeHead(302, { location: `http://${otherHost}/0/0/0.png` }).end();
    expect(await fetchOne()).toMatchObject({ kind: 'failed', reason: 'redirect to another host' });
    expect(other.asked).toEqual([]);

    upstream.answer = (_, response) => response.writeHead(302, { location: '/again' }).end();
    expect(await fetchOne()).toMatchObject({ kind: 'failed', reason: 'too many redirects' });
  } finally {
    await other.close();
  }
});

test.each([
  [PNG_BYTES, 'image/png'],
  [Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
  [Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1'), 'image/webp'],
  [Buffer.from('RIFF\x10\x00\x00\x00WAVEfmt ', 'latin1'), undefined],
  [Buffer.from('GIF89a'), undefined],
  [Buffer.alloc(0), undefined],
])('the type of the image that begins with %o is %s (MAP-02)', (bytes, type) => {
  expect(imageType(bytes)).toBe(type);
});

test.each([
  [{ 'cache-control': 'max-age=86400, stale-while-revalidate=604800' }, 86400],
  [{ 'cache-control': 'no-cache, max-age=86400' }, 0],
  [{ date: 'Tue, 01 Sep 2026 10:00:00 GMT', expires: 'Tue, 01 Sep 2026 11:00:00 GMT' }, 3600],
  [{ date: 'Tue, 01 Sep 2026 10:00:00 GMT', expires: '0' }, 0],
  [{}, undefined],
])('an answer with the headers %o may be kept for %s seconds (MAP-02)', (headers, seconds) => {
  expect(maxAgeOf(new Headers(headers as Record<string, string>))).toBe(seconds);
});
