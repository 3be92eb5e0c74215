import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#server/app.ts';
import type { AdminTestPortal } from '#server/machines/test/administration.ts';

/** Bearer token with which a program reads /metrics. */
export const METRICS_TOKEN = 'token-of-the-table-of-principals';

export type WatchedApp = {
  readonly app: FastifyInstance;
  /** Every route as 'METHOD /path', recorded when Fastify registers it. */
  readonly routes: readonly string[];
  close(): Promise<void>;
};

/** Builds the application of a portal, with a page and a script as its front end, and METRICS_TOKEN for its metrics. */
export async function watchedApp({ portal }: AdminTestPortal): Promise<WatchedApp> {
  const pages = await mkdtemp(join(tmpdir(), 'werkstroom-pages-'));
  await mkdir(join(pages, 'assets'));
  await writeFile(join(pages, 'index.html'), '<!doctype html><title>Werkstroom</title>');
  await writeFile(join(pages, 'assets', 'app-1a2b3c4d.js'), 'export {};');
  const routes: string[] = [];
  const listen = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      routes.push(...[method].flat().map((one) => `${one} ${url}`));
    });
  };
  subscribe('fastify.initialization', listen);
  const config = { ...portal.portal.config, METRICS_TOKEN, SECURITY_CONTACT: 'mailto:lek@klant.nl' };
  const app = await buildApp({ ...portal.portal, config }, pages);
  await app.ready();
  unsubscribe('fastify.initialization', listen);
  return {
    app,
    routes,
    async close() {
      await app.close();
      await rm(pages, { recursive: true, force: true });
    },
  };
}
