import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                                            nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/influx/days/:serialNumber          401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/unused-levels/:serialNumber 401    200  200    200     404         200   200        404   404               401      401     200          200     200
`,
  requests: {
    'GET /api/influx/days/:serialNumber': (target) => ({
      params: { serialNumber: target.serial },
      query: { month: '2026-11' },
    }),
    'GET /api/influx/unused-levels/:serialNumber': (target) => ({
      params: { serialNumber: target.serial },
      query: { day: '2026-11-20' },
    }),
  },
  administration: ['removed_position'],
  rules: {
    'principals.pg.test.ts > GET /api/influx': {
      'days-scope': 'Day figures are read for a machine of the scope only.',
    },
  },
  unplanted: ['changed_history', 'day_figures', 'presence', 'terrein_presence'],
};
