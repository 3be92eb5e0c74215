import { requestBySerialInPath, type TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                                                    nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/machine/closed-week/:serial                401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /api/machine/closed-week/:serial/:monday (open) 401    403  403    403     403         404   403        403   403               401      401     404          403     403
`,
  requests: {
    'GET /api/machine/closed-week/:serial': requestBySerialInPath,
    'GET /api/machine/closed-week/:serial/:monday (open)': (target) => ({
      params: { serial: target.serial, monday: '2026-01-05' },
    }),
  },
  rules: {
    'closed-week-files.pg.test.ts': {
      'closed-week-owner': 'The file of a closed week has readings of the time of one owner only.',
    },
  },
};
