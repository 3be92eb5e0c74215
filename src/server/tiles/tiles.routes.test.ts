import Fastify, { type FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { registerErrorHandler } from '#server/platform/problem.ts';
import { PNG_BYTES, sendPng, startTestUpstream, type TestUpstream } from './test/upstream.ts';
import { tileRoutes } from './tiles.routes.ts';
import { createTiles } from './tiles.ts';

let upstream: TestUpstream;
let app: FastifyInstance;
let clock: { ms: number };
beforeEach(async () => {
  upstream = await startTestUpstream();
  clock = { ms: Date.UTC(2026, 8, 1) };
  const source = { urlTemplate: upstream.urlTemplate, attribution: '' };
  app = Fastify();
  registerErrorHandler(app);
  tileRoutes(
    app,
    createTiles({
      sources: { street: source, satellite: source },
      userAgent: 'test',
      now: () => clock.ms,
      timeoutMs: 200,
    }),
  );
});
afterEach(async () => {
  await app.close();
  await upstream.close();
});

test('a tile of the tile service is passed on with the time for which a browser may still keep it (MAP-02)', async () => {
  upstream.answer = (_, response) => sendPng(response, { 'cache-control': 'max-age=7200' });
  const answer = await app.inject('/tiles/street/7/65/42');
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload).toEqual(PNG_BYTES);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=7200',
    'x-content-type-options': 'nosniff',
    'x-tile-source': 'upstream',
  });
  const status = await app.inject('/tiles/status');
  expect(status.json()).toEqual({ street: 'upstream', satellite: 'upstream' });
  expect(status.headers['cache-control']).toBe('no-store');
});

test.each([
  ['is gone', (request: { socket: { destroy(): void } }) => request.socket.destroy()],
  ['does not answer', () => {}],
])('a service that %s is replaced by the built-in map, never by an error (MAP-02)', async (_, answerOf) => {
  upstream.answer = answerOf;
  for (const layer of ['street', 'satellite']) {
    const answer = await app.inject(`/tiles/${layer}/7/65/42`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60',
      'x-tile-source': 'built-in',
    });
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'png', width: 256 });
  }
  expect(upstream.asked).toHaveLength(1);
  expect((await app.inject('/tiles/status')).json()).toEqual({ street: 'built-in', satellite: 'built-in' });
});

test('the status reports that the tile service is reachable again, without a request for a tile in between (MAP-02)', async () => {
  upstream.answer = (request) => request.socket.destroy();
  expect((await app.inject('/tiles/status')).json()).toMatchObject({ street: 'built-in' });
  upstream.answer = (_, response) => sendPng(response);
  expect((await app.inject('/tiles/status')).json()).toMatchObject({ street: 'built-in' });
  clock.ms += 30_000;
  expect((await app.inject('/tiles/status')).json()).toMatchObject({ street: 'upstream' });
  expect((await app.inject('/tiles/street/7/66/42')).headers['x-tile-source']).toBe('upstream');
});

test('the built-in map has other colours for the satellite layer than for the street layer (MAP-02)', async () => {
  upstream.answer = (request) => request.socket.destroy();
  const street = await app.inject('/tiles/street/7/65/42');
  const satellite = await app.inject('/tiles/satellite/7/65/42');
  expect(street.rawPayload.equals(satellite.rawPayload)).toBe(false);
});

test.each([
  '/tiles/street/20/0/0',
  '/tiles/street/7/128/0',
  '/tiles/street/7/0/128',
  '/tiles/street/-1/0/0',
  '/tiles/street/7.0/65/42',
  '/tiles/street/7/65/42.png',
  '/tiles/street/7/0x41/42',
  '/tiles/hybrid/7/65/42',
  '/tiles/toString/7/65/42',
])('the tile %s does not exist and causes no upstream request (MAP-02)', async (url) => {
  const answer = await app.inject(url);
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: 'not_found' });
  expect(upstream.asked).toEqual([]);
});

test('tiles are refused to pages of other sites, and served to the portal’s pages and to programs (MAP-02)', async () => {
  for (const url of ['/tiles/street/7/65/42', '/tiles/status']) {
    const foreign = await app.inject({ url, headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.statusCode).toBe(403);
    expect(foreign.json()).toMatchObject({ code: 'forbidden' });
    expect(upstream.asked).toEqual([]);
  }
  const own = await app.inject({
    url: '/tiles/street/7/65/42',
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(own.statusCode).toBe(200);
});
