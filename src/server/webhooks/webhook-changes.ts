import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Caller } from '#server/auth/sessions.ts';
import {
  findOrganizationInScope,
  lockOrganizationForNewRow,
} from '#server/organizations/organizations.store.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { type OutboundClient, OutboundError } from '#server/platform/outbound.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { LogValues } from '#shared/domain/log-fields.ts';
import type { LogAction } from '#shared/domain/log-text.ts';
import { cancelDeliveries, findWebhookOfDelivery } from './deliveries.store.ts';
import { generateWebhookSecret } from './signature.ts';
import {
  addWebhook,
  changeSecret,
  changeWebhook,
  findWebhook,
  removeWebhook,
  type StoredWebhook,
  switchWebhook,
} from './webhooks.store.ts';
import type { Webhooks } from './webhooks.ts';

/** Functions that create, change and delete webhooks. Each writes an audit row in the same transaction. */

const MAX_WEBHOOKS = 50;
/** Maximum number of test messages to one webhook in 15 minutes. */
const MAX_TESTS = 10;

export type WebhookDependencies = {
  readonly pool: Pool;
  readonly outbound: OutboundClient;
  readonly secrets: Secrets;
  readonly webhooks: Webhooks;
  readonly log: Logger;
  /** Returns the current time, in ms. */
  readonly now: () => number;
};

type Fields = { readonly webhookName: string; readonly webhookUrl: string };

/**
 * Creates a webhook.
 * @returns its id and its secret, which is shown only once
 * @throws ProblemError 404 outside the scope; 400 the address is not allowed; 409 there are too many
 */
export async function makeWebhook(
  { pool, outbound, secrets, log }: WebhookDependencies,
  caller: Caller,
  { name, webhookName, webhookUrl: url }: Fields & { readonly name: string },
): Promise<{ id: number; secret: string }> {
  const { id: organizationId } = await findOrganizationInScope(pool, caller.scope, name);
  await requireReachable({ outbound, log }, url);
  const secret = generateWebhookSecret();
  const id = await inTransaction(pool, async (client) => {
    await lockOrganizationForNewRow(client, organizationId, 'webhook', MAX_WEBHOOKS, 'webhooks');
    const madeBy = caller.accountId;
    const made = await addWebhook(client, secrets, {
      organizationId,
      name: webhookName,
      url,
      secret,
      madeBy,
    });
    const webhook = { organization: name, organizationId, name: webhookName, url };
    await logChange(client, caller, 'webhook.create', webhook, { after: { host: hostOf(url) } });
    return made;
  });
  return { id, secret };
}

/**
 * Changes the name and address of a webhook.
 * @throws ProblemError 404 outside the scope; 400 the address is not allowed
 */
export async function editWebhook(
  { pool, outbound, log }: WebhookDependencies,
  caller: Caller,
  { _id, webhookName: name, webhookUrl: url }: Fields & { readonly _id: number },
): Promise<void> {
  const found = await findWebhook(pool, caller.scope, _id);
  if (!found) throw unknownWebhook();
  if (found.url !== url) await requireReachable({ outbound, log }, url);
  await onWebhook(pool, caller, _id, async (client, before) => {
    await changeWebhook(client, _id, { name, url });
    await logChange(
      client,
      caller,
      'webhook.edit',
      { ...before, name },
      {
        // `newAddress` is logged separately, because a new URL may have the same host as the old one, and only the host is logged.
        ...(before.url !== url && { newAddress: true }),
        before: { webhookName: before.name, host: hostOf(before.url) },
        after: { webhookName: name, host: hostOf(url) },
      },
    );
  });
}

/**
 * Replaces the secret of a webhook.
 * @returns the new secret, which is shown only once
 * @throws ProblemError 404 outside the scope
 */
export async function renewSecret(
  { pool, secrets }: WebhookDependencies,
  caller: Caller,
  id: number,
): Promise<string> {
  const secret = generateWebhookSecret();
  await onWebhook(pool, caller, id, async (client, webhook) => {
    await changeSecret(client, secrets, id, secret);
    await logChange(client, caller, 'webhook.secret', webhook);
  });
  return secret;
}

/**
 * Switches a webhook on or off.
 * @throws ProblemError 404 outside the scope
 */
export const toggleWebhook = (
  { pool }: WebhookDependencies,
  caller: Caller,
  id: number,
  isOn: boolean,
): Promise<void> =>
  onWebhook(pool, caller, id, async (client, webhook) => {
    await switchWebhook(client, id, isOn);
    if (!isOn) await cancelDeliveries(client, id);
    if (webhook.isOn !== isOn)
      await logChange(client, caller, 'webhook.switch', webhook, {
        before: { isOn: !isOn },
        after: { isOn },
      });
  });

/**
 * Deletes a webhook.
 * @throws ProblemError 404 outside the scope
 */
export const deleteWebhook = ({ pool }: WebhookDependencies, caller: Caller, id: number): Promise<void> =>
  onWebhook(pool, caller, id, async (client, webhook) => {
    await removeWebhook(client, id);
    await logChange(client, caller, 'webhook.delete', webhook, { before: { host: hostOf(webhook.url) } });
  });

/**
 * Queues a test message.
 * @returns the message's id
 * @throws ProblemError 404 outside the scope; 409 the webhook is off; 429 too many tests
 */
export async function testWebhook(parts: WebhookDependencies, caller: Caller, id: number): Promise<string> {
  const { pool, webhooks, now } = parts;
  if (!(await findWebhook(pool, caller.scope, id))) throw unknownWebhook();
  await countAttempt(pool, [{ key: `webhook test ${id}`, tries: MAX_TESTS }]);
  const event = `test-${randomUUID()}`;
  await onWebhook(pool, caller, id, async (client, webhook) => {
    requireOn(webhook);
    const data = { message: 'Proefbericht van Werkstroom.' };
    await webhooks.queueFor(client, id, { id: event, type: 'test', at: now(), data });
    await logChange(client, caller, 'webhook.test', webhook);
  });
  return event;
}

/**
 * Sends a message of the log again.
 * @throws ProblemError 404 outside the scope; 409 the webhook is off
 */
export async function resendDelivery(parts: WebhookDependencies, caller: Caller, id: number): Promise<void> {
  const { pool, webhooks } = parts;
  const webhookId = await findWebhookOfDelivery(pool, caller.scope, id);
  if (webhookId === undefined) throw notFound('Dit bericht bestaat niet.');
  await onWebhook(pool, caller, webhookId, async (client, webhook) => {
    requireOn(webhook);
    await webhooks.resend(client, id);
    await logChange(client, caller, 'webhook.resend', webhook);
  });
}

/**
 * Runs `work` with the webhook locked.
 * @throws ProblemError 404 outside the scope
 */
const onWebhook = (
  pool: Pool,
  { scope }: Caller,
  id: number,
  work: (client: Transaction, webhook: StoredWebhook) => Promise<void>,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const webhook = await findWebhook(client, scope, id, 'for update of w');
    if (!webhook) throw unknownWebhook();
    await work(client, webhook);
  });

const unknownWebhook = (): ProblemError => notFound('Deze webhook bestaat niet.');

function requireOn({ isOn }: StoredWebhook): void {
  if (!isOn) throw new ProblemError('conflict', 'Deze webhook staat uit. Zet hem eerst aan.');
}

/** Returns the host of a URL, the only part that the audit log shows: the rest may contain a key. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

/**
 * Checks that the portal may send to a URL. The error is the same for a private address and for an unknown host name, so that it does not
 * disclose internal host names; the server's log says which it was.
 * @throws ProblemError 400
 */
async function requireReachable(
  { outbound, log }: Pick<WebhookDependencies, 'outbound' | 'log'>,
  url: string,
): Promise<void> {
  if (!URL.canParse(url)) throw wrongAddress('Adres is geen adres, zoals https://bedrijf.nl/meldingen.');
  try {
    await outbound.check(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    log.info({ reason: error.message }, "A webhook's address was refused");
    throw wrongAddress(
      'Adres: daar stuurt het portaal niets heen. Het moet met https:// beginnen, geen poort hebben, en op internet te vinden zijn.',
    );
  }
}

function wrongAddress(message: string): ProblemError {
  return new ProblemError('invalid', message, [{ field: 'webhookUrl', message }]);
}

type LogData = {
  readonly newAddress?: boolean;
  readonly before?: LogValues;
  readonly after?: LogValues;
};

const logChange = (
  client: Transaction,
  { email: actor }: Caller,
  action: Extract<LogAction, `webhook.${string}`>,
  {
    organization: subject,
    organizationId,
    name,
  }: Pick<StoredWebhook, 'organization' | 'organizationId' | 'name'>,
  { before, after, ...data }: LogData = {},
): Promise<void> =>
  audit(client, {
    actor,
    action,
    subject,
    organizationId,
    data: { name, ...data },
    ...(before && { before }),
    ...(after && { after }),
  });
