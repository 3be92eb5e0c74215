import {
  HISTORY_RANGE_QUERY,
  requestBySerialAndRange,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                                                   nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/influx/gps/:serialNumber                  401    200  200    200     404         200   200        403   404               401      401     200          200     200
GET /api/influx/gps/:serialNumber (every point)    401    200  200    200     404         200   200        403   404               401      401     200          200     200
GET /api/influx/driverhours/:serialNumber          401    200  200    200     404         200   200        404   404               401      401     200          403     403
GET /api/influx/workpower/:serialNumber            401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/powerback/:id                      401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/powerback/:id (an LMB logger)      401    404  404    404     200         200   200        404   404               401      401     200          404     404
GET /api/influx/day/:serialNumber                  401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/speeds/:serialNumber               401    200  200    200     404         200   200        403   404               401      401     200          200     200
GET /api/influx/transports/:serialNumber           401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/signals/:id                        401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/signals/:id (an LMB logger)        401    404  404    404     200         200   200        404   404               401      401     200          404     404
GET /api/influx/signals/:id/values                 401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/signals/:id/values (an LMB logger) 401    404  404    404     200         200   200        404   404               401      401     200          404     404
GET /api/berend/get/data                           401    403  403    403     200         200   200        403   404               401      401     200          403     403
`,
  requests: {
    'GET /api/influx/gps/:serialNumber': requestBySerialAndRange,
    'GET /api/influx/gps/:serialNumber (every point)': (target) => ({
      params: { serialNumber: target.serial },
      query: { ...HISTORY_RANGE_QUERY, mode: 'path', resolution: 'full' },
    }),
    'GET /api/influx/driverhours/:serialNumber': (target) => ({ params: { serialNumber: target.serial } }),
    'GET /api/influx/workpower/:serialNumber': requestBySerialAndRange,
    'GET /api/influx/powerback/:id': (target) => ({
      params: { id: target.serial },
      query: HISTORY_RANGE_QUERY,
    }),
    'GET /api/influx/powerback/:id (an LMB logger)': (target) => ({
      params: { id: target.loggerid },
      query: HISTORY_RANGE_QUERY,
    }),
    'GET /api/influx/day/:serialNumber': requestBySerialAndRange,
    'GET /api/influx/speeds/:serialNumber': (target) => ({ params: { serialNumber: target.serial } }),
    'GET /api/influx/transports/:serialNumber': requestBySerialAndRange,
    'GET /api/influx/signals/:id': (target) => ({
      params: { id: target.serial },
      query: HISTORY_RANGE_QUERY,
    }),
    'GET /api/influx/signals/:id (an LMB logger)': (target) => ({
      params: { id: target.loggerid },
      query: HISTORY_RANGE_QUERY,
    }),
    'GET /api/influx/signals/:id/values': (target) => ({
      params: { id: target.serial },
      query: { ...HISTORY_RANGE_QUERY, names: '["Oliedruk"]' },
    }),
    'GET /api/influx/signals/:id/values (an LMB logger)': (target) => ({
      params: { id: target.loggerid },
      query: { ...HISTORY_RANGE_QUERY, names: '["Oliedruk"]' },
    }),
    'GET /api/berend/get/data': (target, world) => ({
      query: {
        loggerid: target.loggerid,
        ...HISTORY_RANGE_QUERY,
        end: new Date(world.a.fleet.clock).toISOString(),
      },
    }),
  },
  fields: {
    window: { good: ['300m', '5m', '5h', '1d'], odd: ['1m', '0m', '99999999999d', '5x'] },
    mode: { good: ['path'] },
    points: { good: [10, 600, 2_000] },
  },
  rules: {
    'moved-stream.pg.test.ts': {
      'stream-present-owner': 'A stream is seen by its present owner, not by a former one.',
      'stream-kind': 'A stream of a kind that the caller may not see does not exist for the caller.',
    },
    'history-calls.external.pg.test.ts': {
      'stream-organization': 'A stream is seen by its own organization only.',
      'stream-deleted': 'A deleted stream does not exist for anybody.',
      'history-organization': 'A history holds the times at which the organization owned the stream.',
      'history-own-time': 'A range of history is cut to the times that the caller may see.',
      'path-own-time': 'A path on a screen covers only the time that the caller owned the stream.',
      'sums-own-time': 'Hours, power and energy count only the time that the caller owned the stream.',
    },
    'principals.pg.test.ts > GET /api/influx': {
      'path-scope': 'A path is read for a stream of the scope only.',
    },
    'privacy.pg.test.ts': {
      'positions-working-hours': 'A viewer limited to positions of working hours sees no other position.',
    },
  },
};
