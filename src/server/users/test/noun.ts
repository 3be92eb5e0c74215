import type { PlantedProjects } from '#server/projects/test/noun.ts';
import { COLLEAGUE, emailOf, PERSON_WITHOUT_SIGN_IN } from '#server/test/security/principals/people.ts';
import { organizationMarker } from '#server/test/security/principals/planted.ts';
import type { MakeRequest, TestedNoun } from '#server/test/security/principals/tested-noun.ts';

const UNKNOWN_EMAIL = 'onbekend@kanarie-open.example';
const ofOther =
  (more: object): MakeRequest =>
  (target, world) => ({
    body: { email: target === world.own ? 'verhuist@kanarie-open.example' : UNKNOWN_EMAIL, ...more },
  });
const ofThemselves =
  (more: object): MakeRequest =>
  (_, __, person) => ({ body: { email: emailOf(person), ...more } });

export const noun: TestedNoun<object, PlantedProjects> = {
  permissions: `
                                                   nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/user/get                                  401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/user/organization                        401    403  403    403     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/organization (themselves, to admin) 401    403  403    403     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/role                                401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/role (of another organization)      401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/role (themselves, to administrator) 401    403  403    400     403         200   403        403   403               401      401     403          403     403    proof
DELETE /api/user/delete                            401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/reset-factor                        401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/reset-factor (of another)           401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/reset-factor (of an equal)          401    403  403    403     403         403   403        403   403               401      401     403          403     403    proof
POST /api/user/limit                               401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/limit (of another)                  401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/limit (of a beheerder)              401    403  403    400     403         400   403        403   403               401      401     403          403     403    proof
POST /api/user/link                                401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/link (of another)                   401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/user/link (of an equal)                  401    403  403    403     403         403   403        403   403               401      401     403          403     403    proof
`,
  /** Plants users to delete and to move. */
  async plant({ organization, user }) {
    const open = await organization('kanarie-open');
    for (const who of ['weg', 'verhuist']) await user(`${who}@kanarie-open.example`, open);
  },
  requests: {
    'POST /api/user/organization': () => ({
      body: { email: 'verhuist@kanarie-open.example', organization: organizationMarker('ander') },
    }),
    'POST /api/user/organization (themselves, to admin)': ofThemselves({ organization: 'admin' }),
    'POST /api/user/role': () => ({ body: { email: COLLEAGUE, role: 'kijker' } }),
    'POST /api/user/role (of another organization)': ofOther({ role: 'gebruiker' }),
    'POST /api/user/role (themselves, to administrator)': ofThemselves({ role: 'administrator' }),
    'DELETE /api/user/delete': (target, world) => ({
      query: { email: target === world.own ? 'weg@kanarie-open.example' : UNKNOWN_EMAIL },
    }),
    'POST /api/user/reset-factor': () => ({ body: { email: PERSON_WITHOUT_SIGN_IN } }),
    'POST /api/user/reset-factor (of another)': ofOther({}),
    'POST /api/user/reset-factor (of an equal)': ofThemselves({}),
    'POST /api/user/limit': (_, world) => ({
      body: {
        email: PERSON_WITHOUT_SIGN_IN,
        limit: { machines: { projects: [world.projectId], labels: [] }, onlyToday: false },
      },
    }),
    'POST /api/user/limit (of another)': ofOther({ limit: null }),
    'POST /api/user/limit (of a beheerder)': () => ({
      body: { email: emailOf('manager'), limit: { machines: null, onlyToday: true } },
    }),
    'POST /api/user/link': () => ({ body: { email: PERSON_WITHOUT_SIGN_IN, what: 'password' } }),
    'POST /api/user/link (of another)': ofOther({ what: 'password' }),
    'POST /api/user/link (of an equal)': ofThemselves({ what: 'password' }),
  },
  rules: {
    'users.pg.test.ts': {
      'session-account-moved': 'The sessions of an account end when it moves to another organization.',
      'users-scope': 'A caller sees and changes the people of the scope only.',
    },
    'limits.pg.test.ts': {
      'session-limit-changed': 'The sessions of an account end when its limit changes.',
    },
  },
};
