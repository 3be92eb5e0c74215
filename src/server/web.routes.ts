import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Pattern for files such as /favicon.ico and /robots.txt: browsers and robots request them whether they exist or not. */
const ROOT_FILE = /^\/[^/]+\.[a-z0-9]{2,5}$/i;

/**
 * Serves the built front end. Browsers may cache files with a hash in their name for ever, but not index.html, the answer for every path
 * of a page, so that the next load of a page shows a new version. Adds no route if the front end is not built.
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
    // A request for an absent script or picture, or for an unknown call, gets 404 instead of a page. A dot in the path does not mark a
    // file: the path of a page may contain the name of a machine, and that name may contain a dot.
    const path = request.url.split('?', 1)[0] ?? '';
    if (/^\/(api|tiles|assets)(\/|$)/.test(path) || ROOT_FILE.test(path)) return reply.callNotFound();
    return reply.sendFile('index.html');
  });
}
