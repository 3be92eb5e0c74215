import { z } from 'zod';
import { WEBHOOK_FAILURES } from '#shared/domain/webhooks.ts';
import type { Endpoint } from './endpoint.ts';
import { line } from './projects.ts';

/** Functional name of an organization. */
const Name = line(254).min(1, 'ontbreekt');
const Id = z.object({ _id: z.int32() });
const fields = {
  webhookName: line(60).min(1, 'ontbreekt'),
  /** Of the receiver: https, and on the internet. */
  webhookUrl: line(1_000).min(1, 'ontbreekt'),
};
const Message = z.object({ message: z.string() });
/** `secret` is told this once: 'whsec_' and base64, as Standard Webhooks writes it. */
const Secret = Message.extend({ secret: z.string() });
const Moment = z.iso.datetime().nullable();

const Webhook = z.object({
  _id: z.number().int(),
  webhookName: z.string(),
  webhookUrl: z.string(),
  isOn: z.boolean(),
  /** Switched off since the receiver answered 410. */
  isGone: z.boolean(),
  /** Messages that are still to arrive. */
  waiting: z.number().int(),
  /** Messages of the last 30 days that are tried no more. */
  givenUp: z.number().int(),
  arrivedAt: Moment,
  /** Since when messages do not arrive; null: the last one that was tried did. */
  failingSince: Moment,
});
export type Webhook = z.output<typeof Webhook>;

const WebhookDelivery = z.object({
  _id: z.number().int(),
  webhookName: z.string(),
  /** Header `webhook-id`: the same at every try. */
  event: z.string(),
  type: z.string(),
  /** As it was sent: JSON. */
  body: z.string(),
  askedAt: z.iso.datetime(),
  tries: z.number().int(),
  triedAt: Moment,
  nextTryAt: Moment,
  /** Of the last answer; null: there was none, and `failure` says why. */
  status: z.number().int().nullable(),
  failure: z.enum(WEBHOOK_FAILURES).nullable(),
  /** ms */
  took: z.number().int().nullable(),
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

/** Addresses of an organization's own programs, which are told what happens (docs/webhooks.md). */
export const webhooksApi = {
  'GET /api/webhook/get': {
    summary: "An organization's webhooks, by name.",
    access: 'session',
    needs: 'manage-users',
    changes: false,
    query: z.object({ name: Name }),
    response: z.array(Webhook),
  },
  'GET /api/webhook/log': {
    summary:
      "The last 100 messages to an organization's webhooks, the newest first; they are kept for 30 days.",
    access: 'session',
    needs: 'manage-users',
    changes: false,
    query: z.object({ name: Name }),
    response: z.array(WebhookDelivery),
  },
  'POST /api/webhook/create': {
    summary: 'Makes a webhook, and tells its secret, once.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    body: z.object({ name: Name, ...fields }),
    response: Secret.extend(Id.shape),
  },
  'POST /api/webhook/edit': {
    summary: 'Gives a webhook another name or address; what is still to arrive goes there.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    body: Id.extend(fields),
    response: Message,
  },
  'POST /api/webhook/secret': {
    summary: 'Makes another secret, and tells it, once: the former one signs nothing any more.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    body: Id,
    response: Secret,
  },
  'POST /api/webhook/switch': {
    summary: 'Switches a webhook on or off; off, what was still to arrive is not sent.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: Id.extend({ isOn: z.boolean() }),
    response: Message,
  },
  'POST /api/webhook/delete': {
    summary: 'Deletes a webhook, with the log of what was sent to it.',
    access: 'session',
    needs: 'manage-users',
    proof: true,
    changes: true,
    body: Id,
    response: Message,
  },
  'POST /api/webhook/test': {
    summary: 'Sends a message of the type `test`, which the log has as `event`; at most 10 in 15 minutes.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: Id,
    response: Message.extend({ event: z.string() }),
  },
  'POST /api/webhook/resend': {
    summary:
      'Sends a message of the log once more, with the same `webhook-id`, and tries that for another 24 hours.',
    access: 'session',
    needs: 'manage-users',
    changes: true,
    body: Id,
    response: Message,
  },
} as const satisfies Record<string, Endpoint>;
