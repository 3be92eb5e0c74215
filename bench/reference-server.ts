/**
 * The server that the portal is compared with, as a separate process: a Fastify that only reads and hashes
 * uploads (PUT), and serves the bytes of a file from memory (GET /live) or returns 304.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

/** File with the bytes of GET /live, already compressed. */
const [file] = process.argv.slice(2);

const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.put('/*', (request, reply) => {
  reply.header('etag', hash('sha256', request.body as Buffer)).send();
});
if (file !== undefined) {
  const bytes = await readFile(file);
  const etag = `"${hash('sha1', bytes)}"`;
  app.get('/live', (request, reply) => {
    reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    reply.header('content-type', 'application/json; charset=utf-8').header('content-encoding', 'gzip');
    return reply.send(bytes);
  });
}
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.((app.server.address() as AddressInfo).port);
process.on('disconnect', () => process.exit(0));
