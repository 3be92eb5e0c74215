import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidden, notFound } from '#server/platform/problem.ts';
import { isValidTileAddress } from './mercator.ts';
import { isTileLayer } from './tile-fetch.ts';
import type { Tiles } from './tiles.ts';

type Params = { layer: string; z: string; x: string; y: string };

/**
 * Serves GET /tiles/{layer}/{z}/{x}/{y}: always an image, with `X-Tile-Source` `upstream` or `built-in`; 404 for a tile that does
 * not exist. Serves GET /tiles/status: the origin per layer, because a page cannot read the header of an <img>. Errors are thrown
 * as problems. Tiles are the same for everyone, so they need no sign-in, but pages of other sites get 403.
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
    if (!isTileLayer(layer) || address === undefined || !isValidTileAddress(address)) {
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

/** Throws for requests from pages of other sites. Every browser marks such requests; other clients send no such header. */
function refuseOtherSites({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] === 'cross-site') throw forbidden('Deze kaart is alleen voor het portaal.');
}

/** Returns the number if the text consists of digits only: '7', not '7.0', '+7' or '0x7'. */
function wholeNumber(text: string): number | undefined {
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
