import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** /favicon.ico, /robots.txt: browsers and robots ask for them whether they exist or not. */
const ROOT_FILE = /^\/[^/]+\.[a-z0-9]{2,5}$/i;

/**
 * Serves the built front end: files with a hash in their name cached for ever, and index.html, never cached, for every path of a page, so
 * that the next load shows a new version. Without a build there are no pages.
 */
export async function webRoutes(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes(join(folder, 'assets'));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/*', (request, reply) => {
    // A chunk or picture that is gone is 404, not a page, and so is an unknown call. Names of machines may contain a dot.
    const path = request.url.split('?', 1)[0] ?? '';
    if (/^\/(api|tiles|assets)(\/|$)/.test(path) || ROOT_FILE.test(path)) return reply.callNotFound();
    return reply.sendFile('index.html');
  });
}
