import { createECDH, randomBytes } from 'node:crypto';
import { COLLEAGUE } from '#server/test/security/principals/people.ts';
import { existingOrUnknownId, type TestedNoun } from '#server/test/security/principals/tested-noun.ts';

/** Push keys in a browser's format: a point of P-256, and 16 bytes. */
const PUSH_KEYS = {
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
};

export const noun: TestedNoun = {
  permissions: `
                                                  nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/push/get                                 401    200  200    200     200         200   200        200   200               401      401     200          200     200
POST /api/push/subscribe (on this machine itself) 401    400  400    400     400         400   400        400   400               401      401     403          400     400
POST /api/push/unsubscribe (of another)           401    404  404    404     404         404   404        404   404               401      401     403          404     404
POST /api/push/test (without a device)            401    404  404    404     404         404   404        404   404               401      401     403          404     404    nothing
`,
  /**
   * Stores a push subscription of a colleague who makes no requests. Its endpoint is on this computer, and the portal does not connect to
   * this endpoint.
   */
  async plant({ pool }) {
    await pool.query(
      `with device as (
         insert into push_subscription (session_id, endpoint, p256dh, auth)
         select s.id, 'https://127.0.0.1/van-een-ander', '', '' from session s join account a on a.id = s.account_id
         where a.email = $1 returning session_id
       ) insert into push_taken (session_id, notice_id) select session_id, 'gezegd' from device`,
      [COLLEAGUE],
    );
  },
  requests: {
    'POST /api/push/subscribe (on this machine itself)': () => ({
      body: { endpoint: 'https://127.0.0.1/push', keys: PUSH_KEYS },
    }),
    'POST /api/push/unsubscribe (of another)': (target, world) => ({
      body: { id: existingOrUnknownId(target, world, () => world.sessionId) },
    }),
  },

  loggedElsewhere: {
    'POST /api/push/subscribe': ['push.subscribe', 'push/push.long'],
    'POST /api/push/unsubscribe': ['push.unsubscribe', 'push/push.long'],
  },
  fields: {
    endpoint: {
      good: ['https://127.0.0.1/push'],
      odd: ['http://localhost/', 'https://[::1]/', 'ftp://x.nl'],
    },
    keys: { good: [{ p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }], odd: [{}, []] },
  },
  rules: {
    'push.long.pg.test.ts > 16.5e': {
      'push-own': 'A person sees only their own devices for notifications.',
    },
  },
};
