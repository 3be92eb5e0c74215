import type { TileAddress } from './mercator.ts';

/** The base layers: 'Default View' and 'Satellite' (MAP-02). */
export const TILE_LAYERS = ['street', 'satellite'] as const;
export type TileLayer = (typeof TILE_LAYERS)[number];

/** An upstream tile service. `urlTemplate` holds {z}, {x} and {y}; `attribution` must be shown on the map. */
export type TileSource = { readonly urlTemplate: string; readonly attribution: string };
export type TileSources = Readonly<Record<TileLayer, TileSource>>;

export function isTileLayer(name: string): name is TileLayer {
  return TILE_LAYERS.some((layer) => layer === name);
}

/** Where a tile is fetched. Throws a TypeError when the template does not make a URL. */
export function tileUrl({ urlTemplate }: TileSource, { z, x, y }: TileAddress): URL {
  const filled = urlTemplate.replaceAll('{z}', `${z}`).replaceAll('{x}', `${x}`).replaceAll('{y}', `${y}`);
  return new URL(filled);
}

/**
 * How we introduce ourselves to a tile service, with a way to reach us, as the usage policy of OpenStreetMap asks
 * (https://operations.osmfoundation.org/policies/tiles/).
 */
export function tileUserAgent(version: string, publicUrl: string): string {
  return `Werkstroom/${version} (+${publicUrl})`;
}
