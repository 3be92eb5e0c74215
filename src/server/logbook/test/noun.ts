import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                 nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/log     401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/log/csv 401    403  403    200     403         200   403        403   403               401      401     200          403     403
`,
  requests: {
    // The download itself adds a row to the log, so this request asks for a kind of row that the download does not add.
    'GET /api/log/csv': () => ({ query: { kind: 'machine' } }),
  },
  administration: ['audit'],
  rules: {
    'logbook.pg.test.ts': {
      'log-scope': 'A beheerder reads the log of its own organization only.',
    },
  },
};
