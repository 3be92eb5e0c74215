import { LRUCache } from 'lru-cache';
import { createMapThread } from './drawing.ts';
import type { TileAddress } from './mercator.ts';
import { DARK, LIGHT } from './palette.ts';
import { createTileCache, type TileCacheOptions } from './tile-cache.ts';
import type { TileImage, TileLayer } from './tile-fetch.ts';

/** Where a layer's tiles come from now; `built-in` while the service is out of reach. */
export type TileOrigin = 'upstream' | 'built-in';

/** What the built-in map is drawn from; public domain. */
export const BUILT_IN_ATTRIBUTION = 'Natural Earth';

export type Tile = TileImage & {
  readonly origin: TileOrigin;
  /** How long a browser may keep it. */
  readonly maxAgeSeconds: number;
};

/** The map tiles of the portal. There is always one: from the service, or drawn by ourselves. */
export type Tiles = {
  /** The address must exist (isTile). */
  readonly tile: (layer: TileLayer, address: TileAddress) => Promise<Tile>;
  /** The origin per layer; makes one attempt (4 s at most) where it is not known or was out of reach a while ago. */
  readonly status: () => Promise<Readonly<Record<TileLayer, TileOrigin>>>;
};

const PALETTES = { street: LIGHT, satellite: DARK } as const;
/** Short, so that a browser asks again soon after the service is back. */
const BUILT_IN_AGE_SECONDS = 60;
const BUILT_IN_BYTES = 16 * 1024 * 1024;

/** Throws a TypeError when a source's template is no URL. */
export function createTiles(options: TileCacheOptions): Tiles {
  const upstream = createTileCache(options);
  const map = createMapThread();
  const drawings = new LRUCache<string, Promise<Buffer>>({ maxSize: BUILT_IN_BYTES });

  const draw = async (layer: TileLayer, address: TileAddress): Promise<Buffer> => {
    const key = `${layer}/${address.z}/${address.x}/${address.y}`;
    const known = drawings.get(key);
    if (known) return known;
    const drawing = map.render(address, PALETTES[layer]);
    // Remembered at once, so that it is drawn once; weighed when it is there.
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
