import { LRUCache } from 'lru-cache';
import { createMapThread } from './drawing.ts';
import type { TileAddress } from './mercator.ts';
import { DARK, LIGHT } from './palette.ts';
import { createTileCache, type TileCacheOptions } from './tile-cache.ts';
import type { TileImage, TileLayer } from './tile-fetch.ts';

/** Current origin of a layer's tiles: the tile service or, while that is unreachable, the built-in map. */
export type TileOrigin = 'upstream' | 'built-in';

/** Source of the built-in map; public domain. */
export const BUILT_IN_ATTRIBUTION = 'Natural Earth';

export type Tile = TileImage & {
  readonly origin: TileOrigin;
  /** Time in seconds for which a browser may keep the tile. */
  readonly maxAgeSeconds: number;
};

/** Map tiles of the portal. A tile is always available: from the tile service, or drawn by the portal. */
export type Tiles = {
  /** Returns a tile of a layer. @param address must exist (isValidTileAddress) */
  readonly tile: (layer: TileLayer, address: TileAddress) => Promise<Tile>;
  /** Returns the origin per layer. First makes one request (at most 4 s) to a tile service that was not tried, or not for a while. */
  readonly status: () => Promise<Readonly<Record<TileLayer, TileOrigin>>>;
};

const PALETTES = { street: LIGHT, satellite: DARK } as const;
/** How long a browser may keep a built-in tile: short, so that it requests the tile again soon after the tile service is back. */
const BUILT_IN_AGE_SECONDS = 60;
const BUILT_IN_BYTES = 16 * 1024 * 1024;

/** Opens the tile cache and the built-in map. @throws TypeError when a source's template is no URL */
export function createTiles(options: TileCacheOptions): Tiles {
  const upstream = createTileCache(options);
  const map = createMapThread();
  const drawings = new LRUCache<string, Promise<Buffer>>({ maxSize: BUILT_IN_BYTES });

  const draw = async (layer: TileLayer, address: TileAddress): Promise<Buffer> => {
    const key = `${layer}/${address.z}/${address.x}/${address.y}`;
    const known = drawings.get(key);
    if (known) return known;
    const drawing = map.render(address, PALETTES[layer]);
    // The promise is cached before the tile is drawn, so that the tile is drawn only once; its size is set when it is drawn.
    drawings.set(key, drawing, { size: 1 });
    try {
      const bytes = await drawing;
      drawings.set(key, drawing, { size: bytes.length });
      return bytes;
    } catch (error) {
      drawings.delete(key);
      throw error;
    }
  };
  const originOf = async (layer: TileLayer): Promise<TileOrigin> =>
    (await upstream.reach(layer)) === 'reached' ? 'upstream' : 'built-in';

  return {
    async tile(layer, address) {
      const cached = await upstream.get(layer, address);
      if (cached) {
        return {
          ...cached,
          origin: 'upstream',
          maxAgeSeconds: Math.max(BUILT_IN_AGE_SECONDS, cached.maxAgeSeconds),
        };
      }
      const bytes = await draw(layer, address);
      return { bytes, type: 'image/png', origin: 'built-in', maxAgeSeconds: BUILT_IN_AGE_SECONDS };
    },
    async status() {
      const [street, satellite] = await Promise.all([originOf('street'), originOf('satellite')]);
      return { street, satellite };
    },
  };
}
