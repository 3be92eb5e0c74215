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
import { createUpstreamHost, type Reach, type UpstreamHost } from './upstream-host.ts';

/** An upstream image and how long it may still be kept, in seconds; 0 when it is past its age. */
export type CachedTile = TileImage & { readonly maxAgeSeconds: number };

export type TileCache = {
  /** The upstream tile; undefined when there is none to be had now. An old one is better than none. */
  readonly get: (layer: TileLayer, address: TileAddress) => Promise<CachedTile | undefined>;
  /** Whether the layer's service is within reach. Finds out with one attempt where that is not known. */
  readonly reach: (layer: TileLayer) => Promise<Reach>;
};

export type TileCacheOptions = {
  readonly sources: TileSources;
  /** Sent upstream, see tileUserAgent. */
  readonly userAgent: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
};

const HOUR_MS = 3_600_000;
/** Upstream's own max-age counts between these; without one, the longest (the tile policy of OSM: 7 days). */
const SHORTEST_AGE_MS = HOUR_MS;
const LONGEST_AGE_MS = 7 * 24 * HOUR_MS;
/** How long a tile is not asked for again: upstream has none; or this one failed while its host is within reach. */
const ABSENT_MS = 5 * 60_000;
const FAILED_MS = 30_000;
/** What an entry weighs besides its image, about. */
const ENTRY_BYTES = 512;
const MOST_MISSES = 20_000;
/** The middle of the Netherlands, which the portal's first screen shows anyway. */
const PROBE_TILE: TileAddress = { z: 7, x: 65, y: 42 };

/**
 * The tiles of the upstream services, in memory up to `maxBytes` (64 MiB), the least used go first. A tile is fetched
 * once however many ask for it at a time. Throws a TypeError when a source's template is no URL.
 */
export function createTileCache({
  sources,
  userAgent,
  now = Date.now,
  timeoutMs = 4000,
  maxBytes = 64 * 1024 * 1024,
}: TileCacheOptions): TileCache {
  const images = new LRUCache<string, { image: TileImage; expiresAt: number }>({ maxSize: maxBytes });
  const misses = new LRUCache<string, { until: number }>({ max: MOST_MISSES });
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
      const ageMs = Math.max(SHORTEST_AGE_MS, Math.min(LONGEST_AGE_MS, maxAgeSeconds * 1000));
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
