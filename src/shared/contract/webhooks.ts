import { z } from 'zod';
import { RETRY_FOR_HOURS, WEBHOOK_FAILURES } from '#shared/domain/webhooks.ts';
import { type Endpoints, MessageResponse } from './endpoint.ts';
import { singleLineText } from './projects.ts';

/** Functional name of an organization: its name in calls and addresses. */
const Name = singleLineText(254).min(1, 'ontbreekt');
const Id = z.object({ _id: z.int32() });
const fields = {
  webhookName: singleLineText(60).min(1, 'ontbreekt'),
  /** URL of the receiver: https, with a public address. */
  webhookUrl: singleLineText(1_000).min(1, 'ontbreekt'),
};
/** `secret` is shown only once: 'whsec_' and base64, the format of Standard Webhooks. */
const Secret = MessageResponse.extend({ secret: z.string() });
const Moment = z.iso.datetime().nullable();

const Webhook = z.object({
  _id: z.number().int(),
  webhookName: z.string(),
  webhookUrl: z.string(),
  isOn: z.boolean(),
  /** Switched off because the receiver responded with 410. */
  isGone: z.boolean(),
  /** Number of messages that are still to be delivered. */
  waiting: z.number().int(),
  /** Number of messages of the last 30 days whose delivery was given up. */
  givenUp: z.number().int(),
  arrivedAt: Moment,
  /** Since when deliveries fail; null: the last delivery succeeded. */
  failingSince: Moment,
});
export type Webhook = z.output<typeof Webhook>;

const WebhookDelivery = z.object({
  _id: z.number().int(),
  webhookName: z.string(),
  /** Header `webhook-id`: the same for every attempt. */
  event: z.string(),
  type: z.string(),
  /** The JSON body that was sent. */
  body: z.string(),
  askedAt: z.iso.datetime(),
  tries: z.number().int(),
  triedAt: Moment,
  nextTryAt: Moment,
  /** HTTP status of the last response; null: there was none, and `failure` says why. */
  status: z.number().int().nullable(),
  failure: z.enum(WEBHOOK_FAILURES).nullable(),
  /** Duration of the last attempt, ms. */
  took: z.number().int().nullable(),
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

/** Webhooks: an organization's own programs are notified of events (docs/webhooks.md). */
export const webhooksApi = {
  'GET /api/webhook/get': {
    summary: "Lists an organization's webhooks by name.",
    dutch: 'De webhooks van een organisatie, op naam.',
    needs: 'manage-users',
    query: z.object({ name: Name }),
    response: z.array(Webhook),
  },
  'GET /api/webhook/log': {
    summary:
      "Lists the last 100 messages to an organization's webhooks, newest first. Messages are kept for 30 days.",
    dutch:
      'De laatste 100 berichten aan de webhooks van een organisatie, nieuwste eerst; ze blijven 30 dagen.',
    needs: 'manage-users',
    query: z.object({ name: Name }),
    response: z.array(WebhookDelivery),
  },
  'POST /api/webhook/create': {
    summary: 'Creates a webhook. The answer is the only one with its secret.',
    dutch: 'Maakt een webhook, en toont zijn geheim, één keer.',
    needs: 'manage-users',
    proof: true,
    body: z.object({ name: Name, ...fields }),
    response: Secret.extend(Id.shape),
  },
  'POST /api/webhook/edit': {
    summary:
      'Changes the name or URL of a webhook. Messages that are still to be delivered go to the new URL.',
    dutch: 'Geeft een webhook een andere naam of ander adres; wat nog onderweg is gaat daarheen.',
    needs: 'manage-users',
    proof: true,
    body: Id.extend(fields),
  },
  'POST /api/webhook/secret': {
    summary: 'Replaces the secret of a webhook. The answer is the only one with the new secret.',
    dutch: 'Maakt een ander geheim, en toont het, één keer: met het vorige wordt niets meer ondertekend.',
    needs: 'manage-users',
    proof: true,
    body: Id,
    response: Secret,
  },
  'POST /api/webhook/switch': {
    summary:
      'Switches a webhook on or off. Switching it off drops the messages that were still to be delivered.',
    dutch: 'Zet een webhook aan of uit; uit wordt niet verstuurd wat nog onderweg was.',
    needs: 'manage-users',
    body: Id.extend({ isOn: z.boolean() }),
  },
  'POST /api/webhook/delete': {
    summary: 'Deletes a webhook and the log of its messages.',
    dutch: 'Verwijdert een webhook, met zijn berichten.',
    needs: 'manage-users',
    proof: true,
    body: Id,
  },
  'POST /api/webhook/test': {
    summary: 'Sends a message of type `test`, with id `event` in the log; at most 10 in 15 minutes.',
    dutch: 'Stuurt een bericht van de soort `test`; hoogstens 10 in een kwartier.',
    needs: 'manage-users',
    body: Id,
    response: MessageResponse.extend({ event: z.string() }),
  },
  'POST /api/webhook/resend': {
    summary:
      'Sends a message of the log again, with the same `webhook-id`, and retries it for another 24 hours.',
    dutch: `Stuurt een bericht nog eens, met dezelfde \`webhook-id\`, en probeert dat weer ${RETRY_FOR_HOURS} uur.`,
    needs: 'manage-users',
    body: Id,
  },
} as const satisfies Endpoints;
