/** A portal that is updated while browsers use it: its pages come from a folder that a test can change, its calls go to a portal. */
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { buildServiceWorker } from '#scripts/build-web.ts';
import { webRoutes } from '#server/web.routes.ts';

/** Copies dist/ to a new folder, with `mark` in the file names, so that the copy counts as a new version. `close` deletes the copy. */
export async function copyBuildAsVersion(mark: string): Promise<{ folder: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-version-'));
  await cp('dist', folder, { recursive: true, filter: (from) => !/\.(map|br|gz)$/.test(from) });
  const assets = join(folder, 'assets');
  const names = await readdir(assets);
  const hashes = new Set(names.map((name) => /-([\w-]{8})\.\w+$/.exec(name)?.[1] ?? ''));
  const renamed = (text: string): string =>
    text.replace(/-([\w-]{8})(?=\.(?:js|css)\b)/g, (all, hash) =>
      hashes.has(hash) ? `-${hash}${mark}` : all,
    );
  for (const file of [join(folder, 'index.html'), ...names.map((name) => join(assets, name))])
    await writeFile(file, renamed(await readFile(file, 'utf8')));
  for (const name of names) await rename(join(assets, name), join(assets, renamed(name)));
  await buildServiceWorker(folder);
  return { folder, close: () => rm(folder, { recursive: true, force: true }) };
}

/** Decides by the path what a request gets: this response, no response ('silence'), or what the portal serves (undefined). */
type Behaviour = (path: string) => { readonly status: number; readonly body: string } | 'silence' | undefined;

/** Serves pages of successive versions at one address. */
export class ChangingBuildServer {
  readonly #calls: string;
  #app: FastifyInstance | undefined;
  #port = 0;
  readonly #silent = new Set<ServerResponse>();
  behave: Behaviour = () => undefined;

  /** @param calls address of the portal that responds to calls of the API */
  constructor(calls: string) {
    this.#calls = calls;
  }

  get address(): string {
    return `http://localhost:${this.#port}`;
  }

  /** Serves the version in `folder` from now on, and no files of the previous version. */
  async serve(folder: string): Promise<void> {
    await this.close();
    const app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, forceCloseConnections: true });
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('none'));
    app.addHook('onRequest', (request, reply, done) => {
      const path = request.url.split('?', 1)[0] ?? '';
      const instead = this.behave(path);
      if (instead === 'silence') {
        reply.hijack();
        this.#silent.add(reply.raw);
      } else if (instead) void reply.code(instead.status).type('text/javascript').send(instead.body);
      else if (/^\/(api|tiles)\//.test(path)) {
        reply.hijack();
        pass(this.#calls, request.raw, reply.raw);
      } else done();
    });
    await webRoutes(app, resolve(folder));
    this.#app = app;
    await app.listen({ port: this.#port, host: '127.0.0.1' });
    this.#port = (app.server.address() as AddressInfo).port;
  }

  /** Serves all requests normally again, and ends the connections that got no response, as a restart does. */
  behaveAgain(): void {
    this.behave = () => undefined;
    for (const answer of this.#silent) answer.destroy();
    this.#silent.clear();
  }

  async close(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
  }
}

function pass(to: string, from: IncomingMessage, answer: ServerResponse): void {
  const { host: _, origin, referer, ...headers } = from.headers;
  const toHost = (text: string | undefined): string | undefined =>
    text && new URL(new URL(text).pathname, to).href;
  const own = {
    ...headers,
    ...(origin && { origin: new URL(to).origin }),
    ...(referer && { referer: toHost(referer) }),
  };
  const call = request(
    new URL(from.url ?? '/', to),
    { method: from.method, headers: own as NodeJS.Dict<string> },
    (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    },
  );
  call.on('error', () => answer.destroy());
  from.pipe(call);
}
