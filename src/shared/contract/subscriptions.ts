import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

const serialNumber = z.string().max(200);
/** The token in the link that ends a subscription: two ids and a serial number, encrypted by the server. */
const token = z.string().max(500);

/** Calls about subscriptions to charging e-mails (API-01, MAIL-01, MDET-07). */
export const subscriptionsApi = {
  'GET /api/mail/subscription-status': {
    summary: 'Returns whether the caller receives e-mails about the charging of a machine.',
    dutch: 'Of je mail krijgt over het laden van een machine.',
    query: z.object({ serialNumber }),
    response: z.object({ isSubscribed: z.boolean() }),
  },
  'POST /api/mail/subscribe': {
    summary:
      'Subscribes the caller to e-mails when charging of a machine starts, ends or completes. Safe to repeat.',
    dutch: 'Mail als het laden begint, stopt of klaar is. Mag herhaald worden.',
    body: z.object({ serialNumber }),
  },
  'POST /api/mail/unsubscribe': {
    summary: "Ends the caller's e-mails about the charging of a machine. Safe to repeat.",
    dutch: 'Geen mail meer over het laden van een machine. Mag herhaald worden.',
    body: z.object({ serialNumber }),
  },
  'POST /api/mail/unsubscribe/:token': {
    summary:
      'One-click unsubscribe for e-mail programs (RFC 8058). The token is in the e-mail. Safe to repeat.',
    dutch:
      'Wat een mailprogramma aanroept als zijn lezer zich afmeldt (RFC 8058); het token staat in de mail.',
    access: 'public',
    params: z.object({ token }),
  },
  'GET /api/mail/unsubscribe/:token': {
    summary:
      'Redirects to the page of the machine, which asks whether to unsubscribe. Changes nothing, because programs also follow links in e-mails.',
    dutch: 'Verwijst door naar de pagina van de machine, die het vraagt.',
    access: 'public',
    params: z.object({ token }),
    media: 'text/html',
    response: z.unknown(),
  },
} as const satisfies Endpoints;
