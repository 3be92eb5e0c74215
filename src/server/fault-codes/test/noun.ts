import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                   nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/fault/get 401    200  200    200     403         200   200        404   403               401      401     200          200     200
`,

  requests: {
    'GET /api/fault/get': (target) => ({ query: { serial: target.serial } }),
  },
  rules: {
    'fault-codes.pg.test.ts > 42.51': {
      'fault-codes-own-time': 'Fault codes are of the time that the caller owned the machine.',
    },
  },
  unplanted: ['dm1_day', 'fault_episode'],
};
