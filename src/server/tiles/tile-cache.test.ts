import { afterEach, beforeEach, expect, test } from 'vitest';
import { PNG_BYTES, sendPng, startTestUpstream, type TestUpstream } from './test/upstream.ts';
import { createTileCache, type TileCache } from './tile-cache.ts';

const HOUR_S = 3600;
const WEEK_S = 7 * 24 * HOUR_S;
const TILE = { z: 7, x: 65, y: 42 };

let upstream: TestUpstream;
let clock: { ms: number };
let cache: TileCache;
beforeEach(async () => {
  upstream = await startTestUpstream();
  clock = { ms: Date.UTC(2026, 8, 1) };
  cache = aCache();
});
afterEach(() => upstream.close());

function aCache(maxBytes?: number): TileCache {
  const source = { urlTemplate: upstream.urlTemplate, attribution: '' };
  return createTileCache({
    sources: { street: source, satellite: { ...source, urlTemplate: `${source.urlTemplate}?satellite` } },
    userAgent: 'test',
    now: () => clock.ms,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
}

test('a tile is fetched once per layer, and then served from the cache (MAP-02)', async () => {
  expect((await cache.get('street', TILE))?.bytes).toEqual(PNG_BYTES);
  await cache.get('street', TILE);
  await cache.get('satellite', TILE);
  expect(upstream.asked).toEqual(['/7/65/42.png', '/7/65/42.png?satellite']);
});

test('simultaneous requests for one tile share one fetch (MAP-02)', async () => {
  const asked = Array.from({ length: 20 }, () => cache.get('street', TILE));
  expect(await Promise.all(asked)).toHaveLength(20);
  expect(upstream.asked).toHaveLength(1);
});

test.each([
  ['without a max-age a week', {}, WEEK_S],
  ['for what upstream says', { 'cache-control': 'max-age=86400' }, 86400],
  ['for an hour at least', { 'cache-control': 'no-store' }, HOUR_S],
  ['for a week at most', { 'cache-control': 'max-age=31536000' }, WEEK_S],
])('a tile is kept %s (MAP-02)', async (_, headers, seconds) => {
  upstream.answer = (_request, response) => sendPng(response, headers as Record<string, string>);
  expect((await cache.get('street', TILE))?.maxAgeSeconds).toBe(seconds);
  clock.ms += seconds * 1000 - 1;
  await cache.get('street', TILE);
  expect(upstream.asked).toHaveLength(1);
  clock.ms += 1;
  await cache.get('street', TILE);
  expect(upstream.asked).toHaveLength(2);
});

test('the size of the cache in bytes is limited: the least recently used tile is dropped, and fetched again when requested (MAP-02)', async () => {
  cache = aCache(2 * (PNG_BYTES.length + 512));
  for (const x of [1, 2, 1, 3, 3, 1]) await cache.get('street', { z: 7, x, y: 1 });
  expect(upstream.asked).toEqual(['/7/1/1.png', '/7/2/1.png', '/7/3/1.png']);
  await cache.get('street', { z: 7, x: 2, y: 1 });
  expect(upstream.asked).toHaveLength(4);
});

test('a tile that is larger than the cache evicts no other tile (MAP-02)', async () => {
  cache = aCache(PNG_BYTES.length + 512);
  await cache.get('street', { z: 7, x: 1, y: 1 });
  upstream.answer = (_, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.concat([PNG_BYTES, PNG_BYTES]));
  await cache.get('street', { z: 7, x: 2, y: 1 });
  await cache.get('street', { z: 7, x: 1, y: 1 });
  expect(upstream.asked).toHaveLength(2);
});

test('an unreachable tile service is tried once for many requested tiles and again after 30 s, and is used again when it answers (MAP-02)', async () => {
  upstream.answer = (request) => request.socket.destroy();
  const tiles = await Promise.all([1, 2, 3, 4, 5].map((x) => cache.get('street', { z: 7, x, y: 1 })));
  expect(tiles).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(upstream.asked).toHaveLength(1);
  expect(await cache.reach('street')).toBe('out-of-reach');

  upstream.answer = (_, response) => sendPng(response);
  clock.ms += 29_999;
  expect(await cache.get('street', TILE)).toBeUndefined();
  expect(upstream.asked).toHaveLength(1);
  clock.ms += 1;
  expect(await cache.get('street', TILE)).toBeDefined();
  expect(await cache.reach('street')).toBe('reached');
});

test('an expired tile is served when the service is unreachable (MAP-02)', async () => {
  await cache.get('street', TILE);
  clock.ms += (WEEK_S + 1) * 1000;
  await upstream.close();
  expect(await cache.get('street', TILE)).toMatchObject({ bytes: PNG_BYTES, maxAgeSeconds: 0 });
});

test('a tile that the service does not have is requested once in 5 minutes, and does not count as the service being unreachable (MAP-02)', async () => {
  upstream.answer = (_, response) => response.writeHead(404).end();
  expect(await cache.get('street', TILE)).toBeUndefined();
  expect(await cache.get('street', TILE)).toBeUndefined();
  expect(upstream.asked).toHaveLength(1);
  expect(await cache.reach('street')).toBe('reached');
  clock.ms += 5 * 60_000;
  await cache.get('street', TILE);
  expect(upstream.asked).toHaveLength(2);
});

test('the check whether a tile service is reachable sends one request if that is unknown, and none if it is known (MAP-02)', async () => {
  expect(await Promise.all([cache.reach('street'), cache.reach('street')])).toEqual(['reached', 'reached']);
  expect(await cache.reach('satellite')).toBe('reached');
  expect(upstream.asked).toEqual(['/7/65/42.png']);
});

test('the portal does not start with a URL template that is no URL (MAP-02)', () => {
  const source = { urlTemplate: 'tiles/{z}/{x}/{y}', attribution: '' };
  expect(() =>
    createTileCache({ sources: { street: source, satellite: source }, userAgent: 'test' }),
  ).toThrow(TypeError);
});
