import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                           nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/map/layers        401    200  200    200     200         200   200        200   200               401      401     200          200     200
GET /tiles/status          401    200  200    200     200         200   200        200   200               401      401     403          200     200
GET /tiles/:layer/:z/:x/:y 401    200  200    200     200         200   200        200   200               401      401     403          200     200
`,
  requests: {
    'GET /tiles/:layer/:z/:x/:y': () => ({ params: { layer: 'street', z: '1', x: '1', y: '0' } }),
  },
};
