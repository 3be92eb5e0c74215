import { requestBySerialAndRange, type TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                                             nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/influx/sessions/:serialNumber       401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/sessions/:serialNumber/curve 401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/capacity/:serialNumber       401    200  200    200     404         200   200        404   404               401      401     200          200     403
GET /api/influx/forecast/:serialNumber       401    200  200    200     404         200   200        404   404               401      401     200          200     403
`,
  requests: {
    'GET /api/influx/sessions/:serialNumber': requestBySerialAndRange,
    'GET /api/influx/sessions/:serialNumber/curve': requestBySerialAndRange,
    'GET /api/influx/capacity/:serialNumber': (target) => ({ params: { serialNumber: target.serial } }),
    'GET /api/influx/forecast/:serialNumber': (target) => ({ params: { serialNumber: target.serial } }),
  },
  rules: {
    'charging-sessions.pg.test.ts > contain no machine that was sold': {
      'fleet-history-scope': 'Figures of a fleet count machines of the scope only.',
    },
    'principals.pg.test.ts > GET /api/influx': {
      'charging-sessions-scope': 'Charging sessions are read for a machine of the scope only.',
    },
    'charging-sessions.pg.test.ts': {
      'days-organization': 'Day figures are of days on which the organization owned the machine.',
    },
  },
  unplanted: ['charge_forecast', 'charging_session'],
};
