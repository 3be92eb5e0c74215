import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden, notFound } from '#server/platform/problem.ts';
import { isTile } from './mercator.ts';
import { isTileLayer } from './tile-fetch.ts';
import type { Tiles } from './tiles.ts';

type Params = { layer: string; z: string; x: string; y: string };

/**
 * GET /tiles/{layer}/{z}/{x}/{y}: an image, always, `X-Tile-Source` telling whether it is `upstream` or `built-in`;
 * 404 for a tile that does not exist. GET /tiles/status: the origin per layer, which an <img> cannot tell a page.
 * Errors are thrown as problems.
 * No sign-in is needed (tiles are the same for all), but pages of other sites get 403: we are nobody's tile service.
 */
export function tileRoutes(app: FastifyInstance, tiles: Tiles): void {
  app.get('/tiles/status', async (request, reply) => {
    refuseOtherSites(request);
    return reply.header('cache-control', 'no-store').send(await tiles.status());
  });

  app.get<{ Params: Params }>('/tiles/:layer/:z/:x/:y', async (request, reply) => {
    refuseOtherSites(request);
    const { layer } = request.params;
    const [z, x, y] = [request.params.z, request.params.x, request.params.y].map(wholeNumber);
    const address = z === undefined || x === undefined || y === undefined ? undefined : { z, x, y };
    if (!isTileLayer(layer) || address === undefined || !isTile(address)) {
      throw notFound('Deze kaarttegel bestaat niet.');
    }
    const { bytes, type, origin, maxAgeSeconds } = await tiles.tile(layer, address);
    return reply
      .type(type)
      .header('cache-control', `public, max-age=${maxAgeSeconds}`)
      .header('vary', 'sec-fetch-site')
      .header('x-content-type-options', 'nosniff')
      .header('x-tile-source', origin)
      .send(bytes);
  });
}

/** Every browser that shows a page of another site says so; a client that is no browser sends nothing. */
function refuseOtherSites({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] === 'cross-site') throw forbidden('Deze kaart is alleen voor het portaal.');
}

/** Digits only: '7', not '7.0', '+7' or '0x7'. */
function wholeNumber(text: string): number | undefined {
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
