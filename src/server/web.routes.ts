import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Pattern for files such as /favicon.ico and /robots.txt: browsers and robots request them whether they exist or not. */
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
    // An absent chunk or picture, and an unknown call, get 404 instead of a page. The path of a page may contain a dot, because a
    // machine's name may, so a dot alone does not mark a file.
    const path = request.url.split('?', 1)[0] ?? '';
    if (/^\/(api|tiles|assets)(\/|$)/.test(path) || ROOT_FILE.test(path)) return reply.callNotFound();
    return reply.sendFile('index.html');
  });
}
