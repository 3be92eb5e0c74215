import { dataUrl, pdf } from '#server/machine-files/test/images.ts';
import {
  requestBySerial,
  requestBySerialInPath,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const noun: TestedNoun = {
  permissions: `
                               nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/machine/files/:serial 401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/img/:serial           401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/img/:serial/:hash     401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/manual/:serial        401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/manual/:serial/:hash  401    200  200    200     403         200   200        404   403               401      401     200          200     200
POST /api/img/upload           401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/manual/upload        401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/img/delete           401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/manual/delete        401    403  403    403     403         200   200        403   403               401      401     403          403     403
`,
  requests: {
    'GET /api/machine/files/:serial': requestBySerialInPath,
    'GET /api/img/:serial': requestBySerialInPath,
    'GET /api/img/:serial/:hash': (target) => ({ params: { serial: target.serial, hash: target.photo } }),
    'GET /api/manual/:serial': requestBySerialInPath,
    'GET /api/manual/:serial/:hash': (target) => ({ params: { serial: target.serial, hash: target.manual } }),
    'POST /api/img/upload': (target) => ({
      body: { name: 'x.png', serial: target.serial, file: dataUrl(PIXEL) },
    }),
    'POST /api/manual/upload': (target) => ({
      body: { name: 'x.pdf', serial: target.serial, file: dataUrl(pdf()) },
    }),
    'POST /api/img/delete': requestBySerial,
    'POST /api/manual/delete': requestBySerial,
  },
  administration: ['machine_file'],
  rules: {
    'whose-files.long.pg.test.ts': {
      'machine-files-scope': 'A photo and a manual are read for a machine of the scope only.',
    },
  },
};
