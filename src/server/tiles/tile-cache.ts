import { LRUCache } from 'lru-cache';
import type { TileAddress } from './mercator.ts';
import {
  fetchTile,
  type TileImage,
  type TileLayer,
  type TileSource,
  type TileSources,
  tileUrl,
} from './tile-fetch.ts';
import { createUpstreamHost, type HostState, type UpstreamHost } from './upstream-host.ts';

/** A tile of the tile service, and the number of seconds for which a browser may still keep it; 0 when it has expired. */
export type CachedTile = TileImage & { readonly maxAgeSeconds: number };

export type TileCache = {
  /** Returns the tile of the tile service, even an expired one if the service gives no newer one; undefined when there is none. */
  readonly get: (layer: TileLayer, address: TileAddress) => Promise<CachedTile | undefined>;
  /** Returns whether the layer's tile service is reachable; requests one tile when that is unknown. */
  readonly reach: (layer: TileLayer) => Promise<HostState>;
};

export type TileCacheOptions = {
  readonly sources: TileSources;
  /** User-Agent for upstream requests (tileUserAgent). */
  readonly userAgent: string;
  /** Returns milliseconds since 1970. */
  readonly now?: () => number;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
};

const HOUR_MS = 3_600_000;
/**
 * Lower and upper limit of the time for which a tile is kept. The tile service's max-age applies within these limits; without a max-age the
 * upper limit applies (the tile policy of OSM: 7 days).
 */
const MIN_TILE_AGE_MS = HOUR_MS;
const MAX_TILE_AGE_MS = 7 * 24 * HOUR_MS;
/**
 * Times for which a tile is not requested again. ABSENT_MS: after the tile service did not have the tile. FAILED_MS: after the request
 * failed while the host was reachable.
 */
const ABSENT_MS = 5 * 60_000;
const FAILED_MS = 30_000;
/** Approximate size in bytes of a cache entry without its image. */
const ENTRY_BYTES = 512;
const MAX_MISSES = 20_000;
/** Tile by which the cache tests whether a tile service works: the middle of the Netherlands, which the first screen shows anyway. */
const PROBE_TILE: TileAddress = { z: 7, x: 65, y: 42 };

/**
 * Returns a cache of the tile services' tiles, in memory up to `maxBytes` (64 MiB); the least recently used tiles are dropped
 * first. Simultaneous requests for a tile share one fetch. @throws TypeError when a source's template is no URL
 */
export function createTileCache({
  sources,
  userAgent,
  now = Date.now,
  timeoutMs = 4000,
  maxBytes = 64 * 1024 * 1024,
}: TileCacheOptions): TileCache {
  const images = new LRUCache<string, { image: TileImage; expiresAt: number }>({ maxSize: maxBytes });
  const misses = new LRUCache<string, { until: number }>({ max: MAX_MISSES });
  const flights = new Map<string, Promise<void>>();
  const hosts = new Map<string, UpstreamHost>();

  const hostOf = (source: TileSource): UpstreamHost => {
    const name = tileUrl(source, PROBE_TILE).host;
    const host = hosts.get(name) ?? createUpstreamHost(now);
    hosts.set(name, host);
    return host;
  };
  const hostOfLayer = { street: hostOf(sources.street), satellite: hostOf(sources.satellite) };

  const fetchInto = async (key: string, layer: TileLayer, address: TileAddress): Promise<void> => {
    const url = tileUrl(sources[layer], address);
    const fetched = await hostOfLayer[layer].attempt(() => fetchTile(url, { userAgent, timeoutMs }));
    if (fetched?.kind === 'image') {
      const { image, maxAgeSeconds = Infinity } = fetched;
      const ageMs = Math.max(MIN_TILE_AGE_MS, Math.min(MAX_TILE_AGE_MS, maxAgeSeconds * 1000));
      images.set(key, { image, expiresAt: now() + ageMs }, { size: image.bytes.length + ENTRY_BYTES });
      misses.delete(key);
    } else if (fetched) {
      misses.set(key, { until: now() + (fetched.kind === 'absent' ? ABSENT_MS : FAILED_MS) });
    }
  };
  const flightOf = (layer: TileLayer, address: TileAddress): Promise<void> => {
    const key = keyOf(layer, address);
    const flying = flights.get(key);
    if (flying) return flying;
    const flight = fetchInto(key, layer, address).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };

  return {
    async get(layer, address) {
      const key = keyOf(layer, address);
      const isFresh = () => (images.get(key)?.expiresAt ?? 0) > now();
      if (!isFresh() && (misses.get(key)?.until ?? 0) <= now()) await flightOf(layer, address);
      const entry = images.get(key);
      if (entry === undefined) return undefined;
      return { ...entry.image, maxAgeSeconds: Math.max(0, Math.floor((entry.expiresAt - now()) / 1000)) };
    },
    async reach(layer) {
      const host = hostOfLayer[layer];
      if (host.isDue()) await flightOf(layer, PROBE_TILE);
      return host.reach();
    },
  };
}

function keyOf(layer: TileLayer, { z, x, y }: TileAddress): string {
  return `${layer}/${z}/${x}/${y}`;
}
