import type { Caller } from '#server/auth/sessions.ts';
import type { Serve } from '#server/platform/serve.ts';
import { isUnchanged, LIVE_TYPE, LIVE_VARY, takesGzip } from './live-conditions.ts';
import type { LiveImage } from './live-image.ts';

/** GET /api/live (LIVE-01): the caller's organization only; 304 when nothing changed since `If-None-Match`.
 * What live-handler.ts leaves over comes here. */
export function liveRoutes(serve: Serve<Caller>, image: LiveImage): void {
  serve('GET /api/live', async ({ caller, request, reply }) => {
    const { etag, body, gzipped } = await image.answer(caller.scope);
    reply.header('etag', etag).header('vary', LIVE_VARY);
    if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send();
    reply.header('content-type', LIVE_TYPE);
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(body);
    return reply.header('content-encoding', 'gzip').send(await gzipped());
  });
}
