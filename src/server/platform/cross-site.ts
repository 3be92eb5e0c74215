import type { FastifyRequest } from 'fastify';
import { forbidden } from './problem.ts';

const FOREIGN = 'Deze aanvraag komt niet van het portaal zelf.';
const UNPROVED =
  'Deze aanvraag zegt niet waar hij vandaan komt. Stuur vanuit een script de header X-Requested-With mee, met een waarde naar keuze.';

/**
 * Refuses a call that changes something unless it proves where it comes from (API-04; decision 26). What a browser says
 * of another site is refused, whatever else is sent: `Sec-Fetch-Site` that is not `same-origin`, or, where it is absent, an
 * `Origin` or `Referer` of another origin than `allowed`: the sender chooses the Host header, so that it proves nothing.
 * A request without these headers is served when it has no cookie and so uses no session (signing in, a mail program that
 * unsubscribes). With a cookie it needs `X-Requested-With`: no page of another origin can send that before a preflight, which only
 * ALLOWED_ORIGINS pass.
 * @param allowed PUBLIC_URL's origin and ALLOWED_ORIGINS
 * @throws ProblemError 403
 */
export function requireOwnPage({ headers }: FastifyRequest, allowed: ReadonlySet<string>): void {
  const { 'sec-fetch-site': site, origin, referer } = headers;
  if (site === 'same-origin') return;
  if (site !== undefined) {
    // Another front end of ours (ALLOWED_ORIGINS) is cross-origin by name; nothing else is.
    if (origin !== undefined && allowed.has(origin)) return;
    /*rule:own-page-fetch-site*/ throw forbidden(FOREIGN); /*=return;*/
  }
  const from = origin ?? (referer === undefined ? undefined : originOf(referer));
  if (from !== undefined) {
    if (allowed.has(from)) return;
    throw forbidden(FOREIGN);
  }
  // Any cookie: what only counts tries, or waits for a second factor, is somebody's too.
  if (/*rule:own-page-unproved*/ headers.cookie !== undefined && !headers['x-requested-with'] /*=false*/)
    throw forbidden(UNPROVED);
}

/** 'null', as browsers write an opaque origin, for what is no address. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'null');
