import { readDefinitionView } from '#server/definitions/change-definition.ts';
import { dataUrl } from '#server/machine-files/test/images.ts';
import { validMachineForm } from '#server/machines/test/administration.ts';
import {
  dbcWithMarker,
  organizationMarker,
  requireSuccess,
} from '#server/test/security/principals/planted.ts';
import { requestBySerialInPath, type TestedNoun } from '#server/test/security/principals/tested-noun.ts';

/** First version of the definition of the machine of `user`. */
type PlantedDefinition = { readonly versionId: number };

/** The machine whose definition the requests delete: later requests need that of the machine of `user`. */
const WITHOUT_LOGGER = 'KANARIE-EIGEN-DBC';

export const noun: TestedNoun<PlantedDefinition> = {
  permissions: `
                                       nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/machine/dbc/:serial           401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/dbc/:serial/versions  401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/dbc/:serial/reference 401    403  403    403     403         200   200        403   403               401      401     200          403     403
POST /api/machine/dbc/upload           401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/dbc/mapping          401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/dbc/j1939            401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/dbc/restore          401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/dbc/delete           401    403  403    403     403         200   200        403   403               401      401     403          403     403
`,
  async plant(_, { a, planted }) {
    await requireSuccess(
      a.create(WITHOUT_LOGGER, { ...validMachineForm(WITHOUT_LOGGER), bedrijf: organizationMarker('eigen') }),
    );
    await requireSuccess(a.upload(WITHOUT_LOGGER, dbcWithMarker('')));
    return {
      versionId: (await readDefinitionView(a.portal.pool, planted.get('eigen')?.serial as string)).version,
    };
  },
  requests: {
    'GET /api/machine/dbc/:serial': requestBySerialInPath,
    'GET /api/machine/dbc/:serial/versions': requestBySerialInPath,
    'GET /api/machine/dbc/:serial/reference': (target) => ({
      params: { serial: target.serial },
      query: { dbc_machine: '' },
    }),
    'POST /api/machine/dbc/upload': (target) => ({
      body: {
        serial: target.serial,
        name: 'a.dbc',
        file: dataUrl(Buffer.from('BO_ 1 A: 1 X\n SG_ B : 0|8@1+ (1,0) [0|0] "" X\n')),
        bus: 1,
      },
    }),
    'POST /api/machine/dbc/mapping': (target) => ({
      body: {
        serial: target.serial,
        mapping: { signals: [{ bus: 1, message: 'A', signal: 'B', to: 'Soc1' }], keep: [] },
      },
    }),
    'POST /api/machine/dbc/j1939': (target) => ({
      body: { serial: target.serial, bus: 0, j1939: 'none' },
    }),
    'POST /api/machine/dbc/restore': (target, world) => ({
      body: { serial: target.serial, restored: world.versionId },
    }),
    'POST /api/machine/dbc/delete': (target, world) => ({
      body: { serial: target === world.own ? WITHOUT_LOGGER : target.serial },
    }),
  },
  fields: {
    signal: { good: ['soc1', 'BMS_PackVoltage', 'CelTemp'] },
    message: { good: ['BMS_Status'] },
    bus: { good: [0] },
  },
  administration: ['definition'],
};
