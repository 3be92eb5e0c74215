import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                          nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/background-tasks 401    200  200    200     200         200   200        200   200               401      401     200          200     200
`,
  unplanted: ['background_task'],
};
