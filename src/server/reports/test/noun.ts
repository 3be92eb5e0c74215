import type { RequestSubject, TestedNoun } from '#server/test/security/principals/tested-noun.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

const lastMonth = () => ({
  from: amsterdamDay(Date.now() - 30 * 86_400_000),
  to: amsterdamDay(Date.now()),
});
const machines = ({ serial }: RequestSubject): string => JSON.stringify([serial]);

export const noun: TestedNoun = {
  permissions: `
                                          nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/report/:kind                     401    200  200    200     403         200   200        200   403               401      401     200          200     403    generated
GET /api/report/:kind (of a machine)      401    200  200    200     403         200   200        404   403               401      401     200          200     403    generated
GET /api/report/:kind/file                401    200  403    200     403         200   200        200   403               401      401     200          200     403    generated
GET /api/report/:kind/file (of a machine) 401    200  403    200     403         200   200        404   403               401      401     200          200     403    generated
`,
  requests: {
    'GET /api/report/:kind': () => ({ params: { kind: 'inzet' }, query: lastMonth() }),
    'GET /api/report/:kind (of a machine)': (target) => ({
      params: { kind: 'dagstaten' },
      query: { ...lastMonth(), machines: machines(target) },
    }),
    'GET /api/report/:kind/file': () => ({
      params: { kind: 'draaiuren' },
      query: { ...lastMonth(), format: 'csv' },
    }),
    'GET /api/report/:kind/file (of a machine)': (target) => ({
      params: { kind: 'laadbeurten' },
      query: { ...lastMonth(), machines: machines(target), format: 'xlsx' },
    }),
  },
  fields: {
    format: { good: ['csv', 'xlsx', 'json'], odd: ['gpx', 'parquet', 'pdf'] },
    minutes: { good: [1, 30], odd: [0, -1, 1e9] },
    fromTime: { good: ['18:00'], odd: ['24:00', '7:00'] },
    toTime: { good: ['06:00'], odd: ['24:00'] },
    step: { good: ['0', '1', '60', '300'], odd: ['2'] },
    signals: {
      good: ['["Soc1"]', '["CelTemp"]'],
      odd: ['[', '[1]', '["constructor"]', '["__proto__","toString","hasOwnProperty"]'],
    },
  },
  rules: {
    'reports.pg.test.ts > positions in reports': {
      'places-see-routes': 'Only a caller who sees routes sees the place of a past event.',
    },
    'reports.pg.test.ts > a report has the machines': {
      'report-scope': 'A report holds machines that the organizations of the scope owned.',
      'report-project-scope': 'A report holds projects of the scope only.',
    },
  },
};
