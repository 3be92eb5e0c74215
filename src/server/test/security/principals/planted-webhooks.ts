import type { TestPortal } from '#server/test/portal.ts';
import { type Label, markerOf } from './planted.ts';

/** Ids of webhooks. To each webhook one message was sent, whose id is that of the webhook. */
export type PlantedWebhooks = {
  readonly webhookId: number;
  readonly foreignWebhookId: number;
  /** Returns another webhook of `user`'s organization, to be deleted. */
  nextWebhook(): number;
};

/** Number of webhooks of `user`'s organization, whose maximum is 50. */
const EACH = 30;

/** Plants a webhook for every organization, with a message that was sent to it. */
export async function plantWebhooks(
  { pool }: TestPortal,
  ids: ReadonlyMap<Label, number>,
): Promise<PlantedWebhooks> {
  const webhooks = async (label: Label, count: number): Promise<number[]> => {
    const { rows } = await pool.query<{ id: number }>(
      `with made as (
         insert into webhook (organization_id, name, url, secret)
         select $1, $2, 'https://1.1.1.1/' || $2, 'x' from generate_series(1, $3) returning id
       )
       insert into webhook_delivery (id, webhook_id, event_id, type, body, asked_at, status) overriding system value
       select id, id, $2 || '-bericht', 'test', '{}', now(), 200 from made returning id`,
      [ids.get(label), markerOf(label), count],
    );
    return rows.map(({ id }) => id);
  };
  for (const label of ['spoor', 'rails', 'dicht'] as const) await webhooks(label, 1);
  const [webhookId, ...others] = await webhooks('eigen', EACH);
  const [foreignWebhookId] = await webhooks('ander', 1);
  await pool.query(
    `select setval(pg_get_serial_sequence('webhook_delivery', 'id'), max(id)) from webhook_delivery`,
  );
  return {
    webhookId: webhookId as number,
    foreignWebhookId: foreignWebhookId as number,
    nextWebhook() {
      const id = others.shift();
      if (id === undefined) throw new Error('No webhook is left');
      return id;
    },
  };
}
