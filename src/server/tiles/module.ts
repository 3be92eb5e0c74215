import type { Caller } from '#server/auth/sessions.ts';
import type { Module } from '#server/platform/module.ts';
import { BUILT_IN_ATTRIBUTION, type Tiles } from './tiles.ts';

type LayerParts = {
  readonly tiles: Tiles;
  readonly attributions: { readonly street: string; readonly satellite: string };
};

/** The layers of the map; tiles.routes.ts serves the tiles. */
export const tiles: Module<Caller, LayerParts> = {
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
