import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                      nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/portal/tasks 401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /api/health       200    200  200    200     200         200   200        200   200               200      200     200          200     200    generated
`,
};
