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

/** Returns the URL of a tile. @throws TypeError when the template does not make a URL */
export function tileUrl({ urlTemplate }: TileSource, { z, x, y }: TileAddress): URL {
  const filled = urlTemplate.replaceAll('{z}', `${z}`).replaceAll('{x}', `${x}`).replaceAll('{y}', `${y}`);
  return new URL(filled);
}

/**
 * Returns the portal's User-Agent, with a contact address, as the usage policy of OpenStreetMap requires
 * (https://operations.osmfoundation.org/policies/tiles/).
 */
export function tileUserAgent(version: string, publicUrl: string): string {
  return `Werkstroom/${version} (+${publicUrl})`;
}

export type TileImage = {
  readonly bytes: Buffer;
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp';
};

/**
 * Result of one request to the tile service. `absent`: the service responds, but has no usable image for this tile. `failed`: the
 * service is unreachable or refuses the portal. `reason` says why, for diagnosis.
 */
export type TileFetch =
  | { readonly kind: 'image'; readonly image: TileImage; readonly maxAgeSeconds: number | undefined }
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

const MAX_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 3;

/**
 * Fetches one tile: at most 1 MiB of PNG, JPEG or WebP (recognized by its first bytes, not its content type), within `timeoutMs` in
 * total. Follows redirects on the same host only. Never rejects.
 */
export async function fetchTile(
  url: URL,
  { userAgent, timeoutMs }: { userAgent: string; timeoutMs: number },
): Promise<TileFetch> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let at = url;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await fetch(at, {
        signal,
        redirect: 'manual',
        headers: { 'user-agent': userAgent, accept: 'image/png, image/jpeg, image/webp' },
      });
      const target = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || target === null) return await readTile(response);
      await response.body?.cancel();
      at = new URL(target, at);
      // A captive portal (the sign-in page of a network) redirects to its own host, so a redirect to another host is refused.
      if (at.host !== url.host || !/^https?:$/.test(at.protocol)) return failed('redirect to another host');
    }
    return failed('too many redirects');
  } catch (error) {
    return failed(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
}

async function readTile(response: Response): Promise<TileFetch> {
  const { status, headers } = response;
  if (status !== 200) {
    await response.body?.cancel();
    return status === 404 || status === 410 || status === 204
      ? { kind: 'absent', reason: `status ${status}` }
      : failed(`status ${status}`);
  }
  const bytes = await readAtMost(response, MAX_BYTES);
  if (bytes === undefined) return { kind: 'absent', reason: `larger than ${MAX_BYTES} bytes` };
  const type = imageType(bytes);
  const label = headers.get('content-type') ?? '';
  // No image: a captive portal, or a proxy that blocks the service, answers every request with an HTML page.
  if (type === undefined || !label.startsWith('image/')) return failed(`no image but ${label}`);
  return { kind: 'image', image: { bytes, type }, maxAgeSeconds: maxAgeOf(headers) };
}

async function readAtMost(response: Response, limit: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the type of an image by its first bytes (the signatures of PNG, JPEG and RIFF/WebP). */
export function imageType(bytes: Buffer): TileImage['type'] | undefined {
  const starts = bytes.toString('latin1', 0, 12);
  if (starts.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (starts.startsWith('RIFF') && starts.endsWith('WEBP')) return 'image/webp';
  return undefined;
}

/**
 * Returns the number of seconds for which the service lets the portal keep the tile: from Cache-Control, otherwise from Expires
 * (RFC 9111 section 4.2.1).
 */
export function maxAgeOf(headers: Headers): number | undefined {
  const control = headers.get('cache-control') ?? '';
  if (/\bno-(store|cache)\b/i.test(control)) return 0;
  const seconds = /\b(?:s-maxage|max-age)\s*=\s*"?(\d+)/i.exec(control)?.[1];
  if (seconds !== undefined) return Number(seconds);
  const expires = Date.parse(headers.get('expires') ?? '');
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(expires) || Number.isNaN(date) ? undefined : Math.max(0, (expires - date) / 1000);
}

function failed(reason: string): TileFetch {
  return { kind: 'failed', reason };
}
