import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                                     nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/fleet/figures               401    200  200    200     403         200   200        200   403               401      401     200          200     200
GET /api/fleet/figures/:serialNumber 401    200  200    200     403         200   200        404   403               401      401     200          200     200
`,
  requests: {
    'GET /api/fleet/figures/:serialNumber': ({ serial }) => ({ params: { serialNumber: serial } }),
  },
};
