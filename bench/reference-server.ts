/**
 * What the portal is compared with, as a process of its own: Fastify that only reads and hashes (PUT), that serves
 * given bytes from memory (GET /live) or says that nothing changed (304), and does nothing else. And, on another port,
 * Node's own server, which reads and hashes too.
 */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
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
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-encoding', 'gzip')
      .send(bytes);
  });
}

const bare = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.setHeader('etag', hash('sha256', Buffer.concat(chunks)));
    response.end();
  });
}).listen(0, '127.0.0.1');

await Promise.all([app.listen({ host: '127.0.0.1', port: 0 }), once(bare, 'listening')]);
process.send?.([app.server, bare].map((server) => (server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
