import { validMachineForm } from '#server/machines/test/administration.ts';
import { machineForm, organizationMarker, requireSuccess } from '#server/test/security/principals/planted.ts';
import { requestById, type TestedNoun } from '#server/test/security/principals/tested-noun.ts';

/** A deleted machine, which can be restored. */
type PlantedMachines = { readonly deletedId: number };

export const noun: TestedNoun<PlantedMachines> = {
  permissions: `
                                         nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/machine/get                     401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/machine/get (by brand and name) 401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/machine/get/serial              401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/machine/get/all                 401    200  200    200     403         200   200        200   403               401      401     200          200     200
GET /api/machine/get/deleted             401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/create                  401    403  403    403     403         200   200        403   403               401      401     403          403     403    no-head
GET /api/machine/edit                    401    403  403    403     403         200   200        403   403               401      401     403          403     403    no-head
POST /api/machine/create                 401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/edit                   401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/sale/:serial            401    403  403    403     403         200   200        403   403               401      401     200          403     403
DELETE /api/machine/delete               401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
POST /api/machine/restore                401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
POST /api/machine/sell                   401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
`,
  /** Plants a machine to delete, one to sell, and a deleted one. */
  async plant({ pool }, { a }) {
    for (const serial of ['KANARIE-EIGEN-WEG', 'KANARIE-EIGEN-TERUG', 'TE-KOOP'])
      await requireSuccess(
        a.create(serial, { ...validMachineForm(serial), bedrijf: organizationMarker('eigen') }),
      );
    await requireSuccess(
      a.call('DELETE /api/machine/delete', { query: { machine_serial: 'KANARIE-EIGEN-TERUG' } }),
    );
    const { rows } = await pool.query<{ id: number }>(
      `select id from stream where serial = 'KANARIE-EIGEN-TERUG'`,
    );
    return { deletedId: rows[0]?.id as number };
  },
  requests: {
    'GET /api/machine/get': (target) => ({ query: { merk: target.serial } }),
    'GET /api/machine/get (by brand and name)': (target) => ({
      query: { merk: `${target.alias.replace('rups', 'merk')} ${target.alias}` },
    }),
    'GET /api/machine/get/serial': (target) => ({ query: { serialNumber: target.serial } }),
    'GET /api/machine/create': () => ({
      query: { ...validMachineForm('KANARIE-EIGEN-NIEUW'), bedrijf: organizationMarker('eigen') },
    }),
    'GET /api/machine/edit': (target) => ({ query: machineForm('eigen', target.serial, '7101001') }),
    'POST /api/machine/create': () => ({
      body: { ...validMachineForm('KANARIE-EIGEN-NIEUWER'), bedrijf: organizationMarker('eigen') },
    }),
    'POST /api/machine/edit': (target) => ({ body: machineForm('eigen', target.serial, '7101001') }),
    'GET /api/machine/sale/:serial': (target) => ({
      params: { serial: target.serial },
      query: { bedrijf: organizationMarker('ander') },
    }),
    'DELETE /api/machine/delete': () => ({ query: { machine_serial: 'KANARIE-EIGEN-WEG' } }),
    'POST /api/machine/restore': requestById((world) => world.deletedId),
    'POST /api/machine/sell': () => ({
      body: { serial: 'TE-KOOP', from: organizationMarker('eigen'), bedrijf: organizationMarker('ander') },
    }),
  },
  fields: {
    macaddress: { good: ['000 00 AS0 A0001', 'aabbccddeeff'], odd: ['000 00 AS0 A0000'] },
    hulpstukken: {
      good: ['[]', '[{"naam":"Bak","nummer":1}]'],
      odd: ['[{"naam":"x","nummer":1e99}]', '[[]]', '{'],
    },
    batteries: { good: ['[{"capacity":64}]', '[]'], odd: ['[{"capacity":-1}]', '[{"capacity":"x"}]', '[1]'] },
    urenstand: { good: ['0', '12.5'], odd: ['-1', '1e9', '12,5'] },
    kenteken: { good: ['V-12-ABC', ''], odd: ['V\0', 'V'.repeat(21)] },
    seb_categorie: { good: ['A', 'C', ''], odd: ['D', 'AB'] },
    vermogen: { good: ['55,5', ''], odd: ['-1', '0', '1e9'] },
    mayReturn: { good: ['true', 'false'], odd: ['ja'] },
  },
  administration: ['machine', 'ownership'],
  rules: {
    'principals.pg.test.ts > GET /api/machine/get': {
      'machine-scope': 'A machine is found inside the scope only.',
    },
    'delete-machine.external.pg.test.ts': {
      'reading-of-deleted-machine': 'Readings of the time of a deleted machine go to no other machine.',
    },
  },
};
