/**
 * First path segments of the portal's pages, which the build fills in. The service worker leaves all other requests (calls, tiles,
 * S3 requests of loggers, downloads) to the network.
 */
declare const PAGE_SEGMENTS: readonly string[];

/** Prefix of the names of the portal's caches in the browser. */
export const CACHE_PREFIX = 'werkstroom ';

/** `asset`: a file whose name contains its hash; `other`: a request that is left to the network. */
export type RequestKind = 'asset' | 'page' | 'other';

type Asked = Pick<Request, 'method' | 'mode' | 'url'> & { readonly headers: Pick<Headers, 'has'> };

/** Returns how the service worker treats a request. @param origin the portal's origin */
export function requestKind({ method, mode, url, headers }: Asked, origin: string): RequestKind {
  const { origin: from, pathname, searchParams } = new URL(url);
  const isPlain =
    method === 'GET' && from === origin && !headers.has('authorization') && !headers.has('range');
  // S3 requests of loggers are signed in the header `authorization` or in the address.
  const isSigned = [...searchParams.keys()].some((name) => /^x-amz-/i.test(name));
  if (!isPlain || isSigned) return 'other';
  const [first = ''] = pathname.slice(1).split('/');
  if (mode === 'navigate') return PAGE_SEGMENTS.includes(first.toLowerCase()) ? 'page' : 'other';
  return first === 'assets' ? 'asset' : 'other';
}
