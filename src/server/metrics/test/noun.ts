import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';
import { METRICS_TOKEN } from '#server/test/security/principals/watched-app.ts';

export const noun: TestedNoun = {
  permissions: `
                                  nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /metrics                      401    403  403    403     403         200   403        403   403               401      401     200          403     403    generated
GET /metrics (with its token)     200    200  200    200     200         200   200        200   200               200      200     200          200     200    generated
GET /metrics (with another token) 401    403  403    403     403         200   403        403   403               401      401     200          403     403    generated
`,
  requests: {
    'GET /metrics (with its token)': () => ({ headers: { authorization: `Bearer ${METRICS_TOKEN}` } }),
    'GET /metrics (with another token)': () => ({ headers: { authorization: `Bearer ${METRICS_TOKEN}0` } }),
  },
};
