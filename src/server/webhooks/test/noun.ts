import { ORGANIZATION_OF_PERSON } from '#server/test/security/principals/people.ts';
import { organizationMarker, type PlantedOrganization } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  existingOrUnknownId,
  type MakeRequest,
  requestById,
  requestByName,
  TEXT_FIELD_VALUES,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** Ids of planted webhooks. One message was sent to each webhook, and the message has the same id as the webhook. */
type PlantedWebhooks = {
  readonly webhookId: number;
  readonly foreignWebhookId: number;
  /** Returns the id of a planted webhook of `user`'s organization that no request has deleted yet. */
  nextWebhook(whose: 'own'): number;
};

/** Number of planted webhooks of `user`'s organization: one for each request that deletes a webhook; an organization may have 50. */
const EACH = 30;

/** A URL to which the portal may send; nothing is sent there (principals.pg.test.ts). */
const WEBHOOK = { webhookName: 'Planning', webhookUrl: 'https://1.1.1.1/' };
const ownWebhook: MakeRequest<PlantedWebhooks> = requestById((world) => world.webhookId);
const foreignWebhook: MakeRequest<PlantedWebhooks> = requestById((world) => world.foreignWebhookId);

export const noun: TestedNoun<PlantedWebhooks> = {
  permissions: `
                                      nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/webhook/get                  401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/webhook/get (of another)     401    403  403    404     403         200   403        403   403               401      401     200          403     403
GET /api/webhook/log                  401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/webhook/log (of another)     401    403  403    404     403         200   403        403   403               401      401     200          403     403
POST /api/webhook/create              401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof generated
POST /api/webhook/create (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/webhook/edit                401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/webhook/edit (of another)   401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/webhook/secret              401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof generated
POST /api/webhook/secret (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/webhook/test                401    403  403    200     403         200   403        403   403               401      401     403          403     403    generated
POST /api/webhook/test (of another)   401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/webhook/resend              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/webhook/resend (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/webhook/switch              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/webhook/switch (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/webhook/delete              401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/webhook/delete (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
`,
  /** Plants a webhook for every organization, with a message that was sent to it. */
  async plant({ pool }, { ids }) {
    const webhooks = async (label: PlantedOrganization, count: number): Promise<number[]> => {
      const { rows } = await pool.query<{ id: number }>(
        `with made as (
           insert into webhook (organization_id, name, url, secret)
           select $1, $2, 'https://1.1.1.1/' || $2, 'x' from generate_series(1, $3) returning id
         )
         insert into webhook_delivery (id, webhook_id, event_id, type, body, asked_at, status) overriding system value
         select id, id, $2 || '-bericht', 'test', '{}', now(), 200 from made returning id`,
        [ids.get(label), organizationMarker(label), count],
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
      nextWebhook: createNextIdTaker({ own: others }),
    };
  },
  requests: {
    'GET /api/webhook/get': () => ({ query: { name: organizationMarker('eigen') } }),
    'GET /api/webhook/get (of another)': requestByName,
    'GET /api/webhook/log': () => ({ query: { name: organizationMarker('eigen') } }),
    'GET /api/webhook/log (of another)': requestByName,
    'POST /api/webhook/create': () => ({ body: { ...WEBHOOK, name: organizationMarker('eigen') } }),
    'POST /api/webhook/create (of another)': (target, world) => ({
      body: { ...WEBHOOK, ...requestByName(target, world, 'manager').query },
    }),
    'POST /api/webhook/edit': requestById((world) => world.webhookId, WEBHOOK),
    'POST /api/webhook/edit (of another)': (...asked) => ({
      body: { ...WEBHOOK, ...foreignWebhook(...asked).body },
    }),
    'POST /api/webhook/secret': ownWebhook,
    'POST /api/webhook/secret (of another)': foreignWebhook,
    'POST /api/webhook/test': ownWebhook,
    'POST /api/webhook/test (of another)': foreignWebhook,
    // A webhook and the message that was sent to it have the same id.
    'POST /api/webhook/resend': ownWebhook,
    'POST /api/webhook/resend (of another)': foreignWebhook,
    'POST /api/webhook/switch': requestById(
      (world) => world.webhookId,
      () => ({ isOn: false }),
    ),
    'POST /api/webhook/switch (of another)': (...asked) => ({
      body: { ...foreignWebhook(...asked).body, isOn: false },
    }),
    'POST /api/webhook/delete': (target, world, person) => ({
      body: {
        _id: existingOrUnknownId(target, world, () =>
          ORGANIZATION_OF_PERSON[person] === 'beheer' || person === 'manager'
            ? world.nextWebhook('own')
            : world.webhookId,
        ),
      },
    }),
    'POST /api/webhook/delete (of another)': foreignWebhook,
  },
  fields: {
    webhookName: TEXT_FIELD_VALUES,
    // Nothing listens at this address, so no request leaves this computer although the tested portals may send to it.
    webhookUrl: {
      good: ['http://localhost:9'],
      odd: ['https://127.0.0.1/', 'https://[::1', 'file:///etc/passwd'],
    },
  },
  rules: {
    'webhook-calls.pg.test.ts > 16.5t': {
      'webhook-scope': 'A webhook is changed inside the scope only.',
    },
    'webhooks.pg.test.ts > 16.5r': {
      'webhook-organization': 'A webhook receives the alerts of its own organization only.',
    },
  },
};
