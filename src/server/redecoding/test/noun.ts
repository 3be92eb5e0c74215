import {
  requestBySerial,
  requestBySerialInPath,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

const LAST_TWO_HOURS = {
  from: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  to: new Date().toISOString(),
};

export const noun: TestedNoun = {
  permissions: `
                                         nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/machine/dbc/:serial/sources     401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/dbc/:serial/redecode    401    403  403    403     403         200   200        403   403               401      401     200          403     403
POST /api/machine/dbc/redecode           401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/erasure/:serial         401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /api/machine/erasure/:serial/preview 401    403  403    403     403         200   403        403   403               401      401     200          403     403
POST /api/machine/erasure/create         401    403  403    403     403         200   403        403   403               401      401     403          403     403    proof
POST /api/machine/erasure/undo           401    403  403    403     403         404   403        403   403               401      401     403          403     403
`,
  requests: {
    'GET /api/machine/dbc/:serial/sources': requestBySerialInPath,
    'GET /api/machine/dbc/:serial/redecode': requestBySerialInPath,
    'POST /api/machine/dbc/redecode': requestBySerial,
    'GET /api/machine/erasure/:serial': requestBySerialInPath,
    'GET /api/machine/erasure/:serial/preview': (target) => ({
      params: { serial: target.serial },
      query: LAST_TWO_HOURS,
    }),
    'POST /api/machine/erasure/create': (target) => ({
      body: { serial: target.serial, ...LAST_TWO_HOURS },
    }),
    'POST /api/machine/erasure/undo': (target) => ({ body: { serial: target.serial, id: 2_000_000_000 } }),
  },
  loggedElsewhere: {
    'POST /api/machine/dbc/redecode': ['dbc.redecode', 'redecoding/redecoding.long'],
    'POST /api/machine/erasure/undo': ['readings.put-back', 'redecoding/erasures'],
  },
  fields: {
    preview: { good: [true, false] },
  },
  administration: ['erasure', 'redecoding'],
  unplanted: ['erased_reading', 'erasure', 'redecoded', 'redecoding', 'removed_position'],
};
