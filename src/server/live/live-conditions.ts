/** What GET /api/live answers by, in the route and in front of it. */
export const LIVE_TYPE = 'application/json; charset=utf-8';
export const LIVE_VARY = 'accept-encoding, cookie';

/** A proxy that compresses weakens the tag (`W/`); the comparison is weak anyway (RFC 9110, 13.1.2). */
export const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch === etag || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));

export const takesGzip = (acceptEncoding: string | undefined): boolean =>
  acceptEncoding !== undefined && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(acceptEncoding);
