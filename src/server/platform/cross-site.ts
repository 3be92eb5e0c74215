import type { FastifyRequest } from 'fastify';
import { forbidden } from './problem.ts';

const FOREIGN = 'Deze aanvraag komt niet van het portaal zelf.';
const UNPROVED =
  'Deze aanvraag zegt niet waar hij vandaan komt. Stuur vanuit een script de header X-Requested-With mee, met een waarde naar keuze.';

/**
 * Refuses a call that changes something unless it proves that it comes from the portal's own page (API-04; decision 26). Requests that a
 * browser marks as cross-site are refused, whatever else they contain: `Sec-Fetch-Site` other than `same-origin`, or, when it is absent, an
 * `Origin` or `Referer` outside `allowed`. The sender chooses the Host header, so it proves nothing. A request without these headers is
 * served when it has no cookie and so uses no session (signing in, a mail program that unsubscribes). With a cookie it needs
 * `X-Requested-With`: another origin can send that only after a preflight, which only ALLOWED_ORIGINS pass.
 * @param allowed the origins of PUBLIC_URL and ALLOWED_ORIGINS
 * @throws ProblemError 403
 */
export function requireOwnSiteRequest({ headers }: FastifyRequest, allowed: ReadonlySet<string>): void {
  const { 'sec-fetch-site': site, origin, referer } = headers;
  if (site === 'same-origin') return;
  if (site !== undefined) {
    // A front end from ALLOWED_ORIGINS is another site, but it is allowed; no other site is.
    if (origin !== undefined && allowed.has(origin)) return;
    /*rule:own-page-fetch-site*/ throw forbidden(FOREIGN); /*=return;*/
  }
  const from = origin ?? (referer === undefined ? undefined : originOf(referer));
  if (from !== undefined) {
    if (allowed.has(from)) return;
    throw forbidden(FOREIGN);
  }
  // Any cookie counts: a device cookie or a pending second factor belongs to a person too.
  if (/*rule:own-page-unproved*/ headers.cookie !== undefined && !headers['x-requested-with'] /*=false*/)
    throw forbidden(UNPROVED);
}

/** Returns the origin of a URL; for a text that is not a URL 'null', as browsers write an opaque origin. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'null');
