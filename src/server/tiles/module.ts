import type { Caller } from '#server/auth/sessions.ts';
import type { Config } from '#server/config.ts';
import type { Module, ServiceOpener } from '#server/platform/module.ts';
import { VERSION } from '#server/version.ts';
import { tileUserAgent } from './tile-fetch.ts';
import { BUILT_IN_ATTRIBUTION, createTiles, type Tiles } from './tiles.ts';

type LayerParts = {
  readonly tiles: Tiles;
  readonly attributions: { readonly street: string; readonly satellite: string };
};

type Opening = { readonly config: Config; readonly publicUrl: string };

/** Opens the layers of the map (street, satellite); tiles.routes.ts serves their tiles. */
export const tiles: Module<Caller, LayerParts> & ServiceOpener<Opening, Pick<LayerParts, 'tiles'>> = {
  open: ({ config, publicUrl }) => ({
    tiles: createTiles({
      sources: {
        street: { urlTemplate: config.STREET_TILES_URL, attribution: config.STREET_TILES_ATTRIBUTION },
        satellite: {
          urlTemplate: config.SATELLITE_TILES_URL,
          attribution: config.SATELLITE_TILES_ATTRIBUTION,
        },
      },
      userAgent: tileUserAgent(VERSION, publicUrl),
    }),
  }),
  topics: {
    map: { title: 'Kaart', about: 'De lagen van de kaart.' },
  },
  routes: (serve, { tiles, attributions }) => {
    serve('GET /api/map/layers', async () => {
      const sources = await tiles.status();
      const layer = (name: keyof typeof attributions) => ({
        source: sources[name],
        attribution: sources[name] === 'upstream' ? attributions[name] : BUILT_IN_ATTRIBUTION,
      });
      return { street: layer('street'), satellite: layer('satellite') };
    });
  },
};
