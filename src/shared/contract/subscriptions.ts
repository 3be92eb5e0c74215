import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

const serialNumber = z.string().max(200);
const Done = z.object({ message: z.string() });
/** Sealed: two ids and a serial number. */
const token = z.string().max(500);

/** API-01, Mail subscription (MAIL-01, MDET-07). */
export const subscriptionsApi = {
  'GET /api/mail/subscription-status': {
    summary: 'Whether the caller gets mails about the charging of a machine.',
    access: 'session',
    changes: false,
    query: z.object({ serialNumber }),
    response: z.object({ isSubscribed: z.boolean() }),
  },
  'POST /api/mail/subscribe': {
    summary: 'The caller gets a mail when charging starts, ends or completes. Safe to repeat.',
    access: 'session',
    changes: true,
    body: z.object({ serialNumber }),
    response: Done,
  },
  'POST /api/mail/unsubscribe': {
    summary: 'No more mails about the charging of a machine. Safe to repeat.',
    access: 'session',
    changes: true,
    body: z.object({ serialNumber }),
    response: Done,
  },
  'POST /api/mail/unsubscribe/:token': {
    summary:
      'What a mail program calls when its reader unsubscribes (RFC 8058). The token is in the mail. Safe to repeat.',
    access: 'public',
    changes: true,
    params: z.object({ token }),
    response: Done,
  },
  'GET /api/mail/unsubscribe/:token': {
    summary:
      'Leads on to the page of the machine as the mail called it, which asks. Changes nothing: programs follow links in mails too.',
    access: 'public',
    changes: false,
    params: z.object({ token }),
    media: 'text/html',
    response: z.unknown(),
  },
} as const satisfies Record<string, Endpoint>;
