import type { Caller } from '#server/auth/sessions.ts';
import { findOrganizationInScope } from '#server/organizations/organizations.store.ts';
import type { Module } from '#server/platform/module.ts';
import type { OutboundClient } from '#server/platform/outbound.ts';
import { expireDeliveries, listDeliveries } from './deliveries.store.ts';
import {
  deleteWebhook,
  editWebhook,
  makeWebhook,
  renewSecret,
  resendDelivery,
  testWebhook,
  toggleWebhook,
  type WebhookDependencies,
} from './webhook-changes.ts';
import { listWebhooks } from './webhooks.store.ts';

/** Registers the calls about an organization's webhooks and the log of sent messages. */
export const webhooks: Module<
  Caller,
  Omit<WebhookDependencies, 'outbound'> & { readonly outbound: { readonly webhooks: OutboundClient } }
> = {
  topics: {
    webhook: {
      title: 'Webhooks',
      about: 'Adressen van programma’s van een organisatie, die te horen krijgen wat er gebeurt.',
    },
  },
  routes: (serve, { outbound, ...rest }) => {
    const parts: WebhookDependencies = { ...rest, outbound: outbound.webhooks };
    const { pool } = parts;

    serve('GET /api/webhook/get', async ({ caller, query: { name } }) =>
      listWebhooks(pool, (await findOrganizationInScope(pool, caller.scope, name)).id),
    );

    serve('GET /api/webhook/log', async ({ caller, query: { name } }) =>
      listDeliveries(pool, (await findOrganizationInScope(pool, caller.scope, name)).id),
    );

    serve('POST /api/webhook/create', async ({ caller, body }) => {
      const { id, secret } = await makeWebhook(parts, caller, body);
      return { message: 'De webhook is gemaakt.', _id: id, secret };
    });

    serve('POST /api/webhook/edit', async ({ caller, body }) => {
      await editWebhook(parts, caller, body);
      return { message: 'De webhook is gewijzigd.' };
    });

    serve('POST /api/webhook/secret', async ({ caller, body: { _id } }) => ({
      message: 'De webhook heeft een nieuw geheim.',
      secret: await renewSecret(parts, caller, _id),
    }));

    serve('POST /api/webhook/switch', async ({ caller, body: { _id, isOn } }) => {
      await toggleWebhook(parts, caller, _id, isOn);
      return { message: isOn ? 'De webhook staat aan.' : 'De webhook staat uit.' };
    });

    serve('POST /api/webhook/delete', async ({ caller, body: { _id } }) => {
      await deleteWebhook(parts, caller, _id);
      return { message: 'De webhook is verwijderd.' };
    });

    serve('POST /api/webhook/test', async ({ caller, body: { _id } }) => ({
      message: 'Het proefbericht wordt verstuurd.',
      event: await testWebhook(parts, caller, _id),
    }));

    serve('POST /api/webhook/resend', async ({ caller, body: { _id } }) => {
      await resendDelivery(parts, caller, _id);
      return { message: 'Het bericht wordt opnieuw verstuurd.' };
    });
  },
  periodic: [['old messages to webhooks', expireDeliveries]],
};
