import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

const Done = z.object({ message: z.string() });
const moment = z.iso.datetime();

/** A browser that gets what its owner is told. */
const PushDevice = z.object({
  /** Of the sign-in that it belongs to. */
  id: z.int(),
  /** Browser and system, in words. */
  device: z.string(),
  since: moment,
  /** When its push service took something last. */
  lastSent: moment.nullable(),
  /** The last time it did not take it. */
  hasFailed: z.boolean(),
  /** The one that asks. */
  isOwn: z.boolean(),
});
export type PushDevice = z.output<typeof PushDevice>;

/** Web push: what somebody is told, on the devices where they want it. */
export const pushApi = {
  'GET /api/push/get': {
    summary:
      'The devices on which the caller gets notifications, and the key by which a browser knows the portal.',
    access: 'session',
    changes: false,
    response: z.object({
      /** P-256, base64url: `applicationServerKey`. */
      publicKey: z.string(),
      devices: z.array(PushDevice),
    }),
  },
  'POST /api/push/subscribe': {
    summary:
      "The caller gets notifications on the device that asks, until the sign-in there ends: what a browser's `PushSubscription.toJSON()` says. Safe to repeat.",
    access: 'session',
    changes: true,
    body: z.object({
      endpoint: z.url({ protocol: /^https?$/, error: 'is geen adres' }).max(1_000, 'is te lang'),
      keys: z.object({
        p256dh: z.base64url('is onleesbaar').length(87, 'is onleesbaar'),
        auth: z.base64url('is onleesbaar').length(22, 'is onleesbaar'),
      }),
    }),
    response: Done,
  },
  'POST /api/push/unsubscribe': {
    summary: 'No more notifications on one of the devices of the caller.',
    access: 'session',
    changes: true,
    body: z.object({ id: z.int32() }),
    response: Done,
  },
  'POST /api/push/test': {
    summary: 'Sends a notification to the device that asks, to see that it comes: 10 per quarter of an hour.',
    access: 'session',
    changes: true,
    response: Done,
  },
} as const satisfies Record<string, Endpoint>;
