import { NEWCOMERS_ORGANIZATION } from '#server/invitations/test/noun.ts';
import type { Person } from '#server/test/security/principals/people.ts';
import { organizationMarker } from '#server/test/security/principals/planted.ts';
import {
  type RequestSubject,
  requestByName,
  TEXT_FIELD_VALUES,
  type TestedNoun,
  type TestWorld,
} from '#server/test/security/principals/tested-noun.ts';
import { REGISTRATION_MODES } from '#shared/contract/organizations.ts';

const ownOf = (person: Person): string => (person === 'admin' ? 'admin' : organizationMarker('eigen'));
const forNewcomers = (target: RequestSubject, world: TestWorld): string =>
  target === world.own ? NEWCOMERS_ORGANIZATION : 'onbekend';

export const noun: TestedNoun = {
  permissions: `
                                                   nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/organization/get                          401    200  200    200     200         200   200        200   200               401      401     200          403     403
GET /api/organization/get/electric                 401    200  200    200     200         200   200        200   200               401      401     200          403     403
GET /api/organization/get/berende                  401    200  200    200     200         200   200        200   200               401      401     200          403     403
GET /api/organization/create                       401    403  403    403     403         200   403        403   403               401      401     403          403     403    no-head
GET /api/organization/privacy                      401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/organization/privacy                     401    403  403    200     403         200   403        403   403               401      401     403          403     403
GET /api/organization/disable/                     401    403  403    403     403         200   403        403   403               401      401     403          403     403    no-head
DELETE /api/organization/delete/                   401    403  403    403     403         200   403        403   403               401      401     403          403     403    proof
GET /api/organization/second-factor                401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/organization/second-factor (of another)   401    403  403    404     403         200   403        403   403               401      401     200          403     403
POST /api/organization/second-factor               401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/organization/second-factor (of another)  401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/organization/code                        401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/organization/code (of their own)         401    403  403    200     403         409   403        403   403               401      401     403          403     403
POST /api/organization/clean                       401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/organization/clean (of their own)        401    403  403    200     403         409   403        403   403               401      401     403          403     403
POST /api/organization/registration                401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/organization/registration (of their own) 401    403  403    200     403         409   403        403   403               401      401     403          403     403
`,
  /** Creates the organization that the request for deletion names. */
  async plant({ organization }) {
    await organization('kanarie-leeg');
  },
  requests: {
    'GET /api/organization/create': () => ({ query: { name: 'kanarie-nieuw', clean: 'Kanarie Nieuw' } }),
    'GET /api/organization/privacy': () => ({ query: { name: organizationMarker('eigen') } }),
    'POST /api/organization/privacy': () => ({
      body: {
        name: organizationMarker('eigen'),
        routesFrom: 'kijker',
        viewerHours: null,
        positionDays: null,
      },
    }),
    'GET /api/organization/disable/': () => ({ query: { name: 'kanarie-open', isActive: 'false' } }),
    'DELETE /api/organization/delete/': () => ({ query: { name: 'kanarie-leeg' } }),
    'GET /api/organization/second-factor': () => ({ query: { name: organizationMarker('eigen') } }),
    'GET /api/organization/second-factor (of another)': requestByName,
    'POST /api/organization/second-factor': () => ({
      body: { name: organizationMarker('eigen'), isRequired: false },
    }),
    'POST /api/organization/second-factor (of another)': (...of) => ({
      body: { ...requestByName(...of).query, isRequired: false },
    }),
    'POST /api/organization/code': (target, world) => ({ body: { name: forNewcomers(target, world) } }),
    'POST /api/organization/code (of their own)': (_, __, person) => ({ body: { name: ownOf(person) } }),
    'POST /api/organization/clean': (target, world) => ({
      body: { name: forNewcomers(target, world), clean: 'Kanarie Hernoemd' },
    }),
    'POST /api/organization/clean (of their own)': (_, __, person) => ({
      body: { name: ownOf(person), clean: `${organizationMarker('eigen')} NV` },
    }),
    'POST /api/organization/registration': (target, world) => ({
      body: { name: forNewcomers(target, world), registration: 'approval' },
    }),
    'POST /api/organization/registration (of their own)': (_, __, person) => ({
      body: { name: ownOf(person), registration: 'code' },
    }),
  },
  loggedElsewhere: {
    'POST /api/organization/second-factor': ['organization.second-factor', 'auth/obligatory-factor.long'],
  },
  fields: {
    registration: { good: REGISTRATION_MODES, odd: ['Code', ''] },
    cleanorg: TEXT_FIELD_VALUES,
  },
  rules: {
    'principals.pg.test.ts > GET /api/organization/get': {
      'organizations-scope': 'A caller sees the organizations of the scope only.',
    },
    'registration-modes.long.pg.test.ts': {
      'organization-registration-scope':
        'A caller changes the registration of the organizations of the scope only.',
    },
  },
};
