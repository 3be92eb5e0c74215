import type { FastifyRequest } from 'fastify';
import { forbidden } from './problem.ts';

const REFUSED = 'Deze aanvraag komt niet van het portaal zelf.';

/**
 * Refuses a call that a browser made for another site (API-04; docs/design.md section 4): `Sec-Fetch-Site` present and
 * not `same-origin`, or, where it is absent, an `Origin` or `Referer` of another origin. A client that is no
 * browser sends none of these and passes. `allowed`: PUBLIC_URL's origin and ALLOWED_ORIGINS.
 * @throws ProblemError 403
 */
export function requireOwnPage(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  const { 'sec-fetch-site': site, origin, referer } = request.headers;
  if (site === 'same-origin') return;
  if (site !== undefined) {
    // Another front end of ours (ALLOWED_ORIGINS) is cross-origin by name; nothing else is.
    if (origin !== undefined && allowed.has(origin)) return;
    throw forbidden(REFUSED);
  }
  const from = origin ?? (referer === undefined ? undefined : originOf(referer));
  if (from === undefined) return;
  const here = `${request.protocol}://${request.headers.host}`;
  if (from !== here && !allowed.has(from)) throw forbidden(REFUSED);
}

/** 'null', as browsers write an opaque origin, for what is no address. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'null');
