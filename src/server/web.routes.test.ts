import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webRoutes } from './web.routes.ts';

let folder: string;
let app: FastifyInstance;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), 'the page');
  await writeFile(join(folder, 'logo.svg'), 'a logo');
  await writeFile(join(folder, 'assets/app-1a2b.js'), 'a chunk');
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('none'));
  await webRoutes(app, folder);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['/', 200, 'the page'],
  ['/machine/HB.2000', 200, 'the page'],
  ['/machine/edit/HB.js', 200, 'the page'],
  ['/machine/a.b.css?x=/y.z', 200, 'the page'],
  ['/lmb-logging/7.70', 200, 'the page'],
  ['/Users/', 200, 'the page'],
  ['/logboek', 200, 'the page'],
  ['/logo.svg', 200, 'a logo'],
  ['/assets/app-1a2b.js', 200, 'a chunk'],
  ['/assets/app-gone.js', 404, 'none'],
  ['/assets', 404, 'none'],
  ['/api/unknown', 404, 'none'],
  ['/api', 404, 'none'],
  ['/tiles/x', 404, 'none'],
  ['/favicon.ico', 404, 'none'],
  ['/robots.txt', 404, 'none'],
])('a reload of %s answers %i (APP-03)', async (url, status, body) => {
  const answer = await app.inject(url);
  expect([answer.statusCode, answer.body]).toEqual([status, body]);
});
