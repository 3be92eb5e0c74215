import { organizationMarker } from '#server/test/security/principals/planted.ts';
import {
  HISTORY_RANGE_QUERY,
  type RequestSubject,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

const twoMachines = ({ serial: first }: RequestSubject): string =>
  JSON.stringify([first, `${organizationMarker('eigen')}-beurt`]);

export const noun: TestedNoun = {
  permissions: `
                         nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/compare/courses 401    200  200    200     403         200   200        404   403               401      401     200          403     403
GET /api/compare/figures 401    200  200    200     403         200   200        404   403               401      401     200          403     403
`,

  requests: {
    'GET /api/compare/courses': (target) => ({
      query: { machines: twoMachines(target), ...HISTORY_RANGE_QUERY },
    }),
    'GET /api/compare/figures': (target) => ({
      query: { machines: twoMachines(target), from: amsterdamDay(Date.now()), to: amsterdamDay(Date.now()) },
    }),
  },
};
