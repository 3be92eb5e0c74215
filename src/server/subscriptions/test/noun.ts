import { chargingUnsubscribeToken } from '#server/alerts/unsubscribe-token.ts';
import { emailOf, ORGANIZATION_OF_PERSON } from '#server/test/security/principals/people.ts';
import {
  type PlantedMachine,
  type PlantedOrganization,
  requireSuccess,
} from '#server/test/security/principals/planted.ts';
import {
  forgedToken,
  type MakeRequest,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

export type PlantedSubscription = {
  /** Token that ends the subscription of `user`. */
  readonly token: string;
  /** Ids of the machine and of the account of the subscription, separated by a space. */
  readonly subscription: string;
};

const toMail: MakeRequest = (target) => ({ body: { serialNumber: target.serial } });
const withToken: MakeRequest<PlantedSubscription> = (_, { token }) => ({ params: { token } });

export const noun: TestedNoun<PlantedSubscription> = {
  permissions: `
                                                     nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/mail/subscription-status                    401    200  200    200     404         200   200        404   404               401      401     200          200     200
POST /api/mail/subscribe                             401    200  200    200     404         200   200        404   404               401      401     403          200     200
POST /api/mail/unsubscribe                           401    200  200    200     404         200   200        404   404               401      401     403          200     200
GET /api/mail/unsubscribe/:token                     303    303  303    303     303         303   303        303   303               303      303     303          303     303
POST /api/mail/unsubscribe/:token                    200    200  200    200     200         200   200        200   200               200      200     403          200     200
POST /api/mail/unsubscribe/:token (not sealed by us) 400    400  400    400     400         400   400        400   400               400      400     403          400     400
`,
  /** Subscribes people of several organizations to the machine of their own organization. */
  async plant({ pool, secrets }, { a, planted, cookieOf }) {
    for (const person of ['user', 'other', 'disabled', 'deleted'] as const) {
      const serialNumber = planted.get(ORGANIZATION_OF_PERSON[person] as PlantedOrganization)?.serial;
      await requireSuccess(
        a.call('POST /api/mail/subscribe', { as: cookieOf(person), body: { serialNumber } }),
      );
    }
    const { serial, logger } = planted.get('eigen') as PlantedMachine;
    const { streamId } = logger;
    const { rows } = await pool.query<{ id: number }>('select id from account where email = $1', [
      emailOf('user'),
    ]);
    const accountId = rows[0]?.id as number;
    return {
      token: chargingUnsubscribeToken(secrets, { streamId, accountId, serial }),
      subscription: `${streamId} ${accountId}`,
    };
  },
  requests: {
    'GET /api/mail/subscription-status': (target) => ({ query: { serialNumber: target.serial } }),
    'POST /api/mail/subscribe': toMail,
    'POST /api/mail/unsubscribe': toMail,
    'GET /api/mail/unsubscribe/:token': withToken,
    'POST /api/mail/unsubscribe/:token': withToken,
    'POST /api/mail/unsubscribe/:token (not sealed by us)': (_, world) => ({
      params: { token: forgedToken(`${world.subscription}`) },
    }),
  },
  loggedElsewhere: {
    'POST /api/mail/unsubscribe/:token': ['subscription.delete', 'logbook/logbook'],
  },
  rules: {
    'subscriptions.pg.test.ts': {
      'subscription-scope': 'A person subscribes to a machine of the scope only.',
      'subscriptions-end-with-sale': 'A sale ends the subscriptions of the people of the former owner.',
    },
  },
};
