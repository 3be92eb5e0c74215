import { PASSWORD } from '#server/test/portal.ts';
import { ORGANIZATION_OF_PERSON } from '#server/test/security/principals/people.ts';
import { organizationMarker } from '#server/test/security/principals/planted.ts';
import { existingOrUnknownId, type TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                                                 nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
POST /api/account/name                           401    200  200    200     200         200   200        200   200               401      401     403          200     200
GET /api/account/sessions                        401    200  200    200     200         200   200        200   200               401      401     200          200     200
POST /api/account/sessions/end (somebody else's) 401    404  404    404     404         404   404        404   404               401      401     403          404     404
POST /api/account/sessions/end-others            401    200  200    200     200         200   200        200   200               401      401     403          200     200
GET /api/account/subscriptions                   401    200  200    200     200         200   200        200   200               401      401     200          200     200
GET /api/account/data                            401    200  200    200     200         200   200        200   200               401      401     200          200     200    generated
POST /api/account/proof/options                  401    200  200    200     200         200   200        200   200               401      401     403          200     200    nothing
POST /api/account/proof (their own password)     401    200  200    200     200         200   200        200   200               401      401     403          200     200
POST /api/account/proof (guessing)               401    400  400    400     400         400   400        400   400               401      401     403          400     400
DELETE /api/account                              401    200  200    200     200         200   200        200   200               401      401     403          200     200    proof
`,
  requests: {
    'POST /api/account/name': (_, __, person) => ({
      body: { displayName: organizationMarker(ORGANIZATION_OF_PERSON[person] ?? 'beheer') },
    }),
    "POST /api/account/sessions/end (somebody else's)": (target, world) => ({
      body: { id: existingOrUnknownId(target, world, () => world.sessionId) },
    }),
    'POST /api/account/proof (their own password)': () => ({ body: { password: PASSWORD } }),
    'POST /api/account/proof (guessing)': () => ({ body: { password: 'a guess' } }),
  },
  loggedElsewhere: {
    'POST /api/account/sessions/end': ['session.end', 'test/security/peers-accounts'],
  },
  rules: {
    'account.pg.test.ts': {
      'session-idle': 'A session ends when it is not used.',
      'session-end-own': 'A person can end only their own sessions.',
      'reauthentication-age': 'A re-authentication is valid for ten minutes.',
    },
  },
};
