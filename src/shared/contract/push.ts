import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

const moment = z.iso.datetime();

/** A browser that receives push notifications. */
const PushDevice = z.object({
  /** Id of the browser's session. */
  id: z.int(),
  /** Browser and operating system, in Dutch. */
  device: z.string(),
  since: moment,
  /** When the browser's push service last accepted a notification. */
  lastSent: moment.nullable(),
  /** The push service refused the last notification. */
  hasFailed: z.boolean(),
  /** Whether this is the browser that makes the call. */
  isOwn: z.boolean(),
});
export type PushDevice = z.output<typeof PushDevice>;

/** Web push: notifications on the devices that the user chose. */
export const pushApi = {
  'GET /api/push/get': {
    summary:
      'Lists the devices on which the caller gets notifications, and returns the public key with which a browser subscribes.',
    dutch:
      'De apparaten waarop de aanroeper meldingen krijgt, en de sleutel waaraan een browser het portaal herkent.',
    response: z.object({
      /** P-256 key in base64url, for `applicationServerKey`. */
      publicKey: z.string(),
      devices: z.array(PushDevice),
    }),
  },
  'POST /api/push/subscribe': {
    summary:
      "Subscribes the calling browser to the caller's notifications until its session ends; the body is `PushSubscription.toJSON()`. Safe to repeat.",
    dutch:
      'De aanroeper krijgt meldingen op het apparaat dat vraagt, tot het inloggen daar eindigt: wat `PushSubscription.toJSON()` van een browser zegt. Mag herhaald worden.',
    body: z.object({
      endpoint: z.url({ protocol: /^https?$/, error: 'is geen adres' }).max(1_000, 'is te lang'),
      keys: z.object({
        p256dh: z.base64url('is onleesbaar').length(87, 'is onleesbaar'),
        auth: z.base64url('is onleesbaar').length(22, 'is onleesbaar'),
      }),
    }),
  },
  'POST /api/push/unsubscribe': {
    summary: "Ends the notifications on one of the caller's devices.",
    dutch: 'Geen meldingen meer op een van de apparaten van de aanroeper.',
    body: z.object({ id: z.int32() }),
  },
  'POST /api/push/test': {
    summary: 'Sends a test notification to the calling browser; at most 10 in 15 minutes.',
    dutch: 'Stuurt het apparaat dat vraagt een melding, om te zien dat ze aankomt: 10 per kwartier.',
  },
} as const satisfies Endpoints;
