import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** /favicon.ico and /robots.txt, which browsers and robots request whether they exist or not. */
const ROOT_FILE = /^\/[^/]+\.[a-z0-9]{2,5}$/i;

/**
 * Serves the built front end: files with a hash in their name may be cached for ever; every path of a page gets index.html, which
 * is never cached, so that the next load has the new version. Without a build there are no pages.
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
    // A missing asset and an unknown call are 404, not a page. Machine names may contain a dot.
    const path = request.url.split('?', 1)[0] ?? '';
    if (/^\/(api|tiles|assets)(\/|$)/.test(path) || ROOT_FILE.test(path)) return reply.callNotFound();
    return reply.sendFile('index.html');
  });
}
