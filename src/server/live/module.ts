import type { Caller } from '#server/auth/sessions.ts';
import type { ChangeNotifier } from '#server/platform/changes.ts';
import { singleGauge } from '#server/platform/metric.ts';
import type { Module, ServiceOpener, SharedServices } from '#server/platform/module.ts';
import { type LiveDataCache, openLiveDataCache } from './live-data-cache.ts';

const TYPE = 'application/json; charset=utf-8';
const VARY = 'accept-encoding, cookie';

/**
 * Returns whether the client has the present answer. A proxy that compresses makes a tag weak (`W/`); the comparison ignores that (RFC
 * 9110, 13.1.2).
 */
const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch === etag || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));

const takesGzip = (acceptEncoding: string | undefined): boolean =>
  acceptEncoding !== undefined && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(acceptEncoding);

/** Serves GET /api/live (LIVE-01) for the caller's organization; 304 if nothing changed since `If-None-Match`. */
export const live: Module<Caller, { readonly image: LiveDataCache }> &
  ServiceOpener<SharedServices & { readonly changes: ChangeNotifier }, { readonly image: LiveDataCache }> = {
  open: ({ db, changes, now }) => ({ image: openLiveDataCache(db, changes, now) }),
  topics: {
    live: {
      title: 'Live',
      about: 'De nieuwste waarden van alle machines en loggers, om elke vijf seconden te vragen.',
    },
  },
  routes: (serve, { image }) => {
    serve('GET /api/live', async ({ caller, request, reply }) => {
      const { etag, body, gzipped } = await image.answer(caller.scope);
      reply.header('etag', etag).header('vary', VARY);
      if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send();
      reply.header('content-type', TYPE);
      if (!takesGzip(request.headers['accept-encoding'])) return reply.send(body);
      return reply.header('content-encoding', 'gzip').send(await gzipped());
    });
  },
  metrics: ({ image }) => ({
    ofProcess: [
      singleGauge(
        'live_image_age_seconds',
        'How long ago the live data were read. It grows while no client requests them.',
        () => {
          const age = image.age();
          return age === undefined ? undefined : age / 1000;
        },
      ),
    ],
  }),
};
