import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
              nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/live 401    200  200    200     200         200   200        200   200               401      401     200          200     200
`,
  rules: {
    'live.external.pg.test.ts': {
      'live-scope': 'Live data hold streams of the scope only.',
      'live-own-time': 'Live data hold no value from before the present owner.',
    },
  },
};
