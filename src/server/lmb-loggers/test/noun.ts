import { organizationMarker, requireSuccess } from '#server/test/security/principals/planted.ts';
import { requestById, type TestedNoun } from '#server/test/security/principals/tested-noun.ts';

/** A deleted LMB logger, which can be restored. */
type PlantedLoggers = { readonly deletedLoggerId: number };

export const noun: TestedNoun<PlantedLoggers> = {
  permissions: `
                                  nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/berend/get               401    403  403    403     200         200   200        403   200               401      401     200          403     403
GET /api/berend/get/one           401    403  403    403     200         200   200        403   404               401      401     200          403     403
GET /api/berend/get/one (by name) 401    403  403    403     200         200   200        403   404               401      401     200          403     403
GET /api/berend/get/deleted       401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/berend/new               401    403  403    403     403         200   200        403   403               401      401     403          403     403    no-head
POST /api/berend/restore          401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
DELETE /api/berend/delete         401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
`,
  /** Plants an LMB logger to delete, and a deleted one. */
  async plant({ pool }, { a }) {
    const organization = organizationMarker('spoor');
    for (const [loggerid, name] of [
      ['7106006', 'weg'],
      ['7106007', 'terug'],
    ] as const)
      await requireSuccess(
        a.call('GET /api/berend/new', {
          query: { organization, loggerid, alias: `${organization}-${name}` },
        }),
      );
    await requireSuccess(a.call('DELETE /api/berend/delete', { query: { loggerid: '7106007' } }));
    const { rows } = await pool.query<{ id: number }>(`select id from stream where serial = '7106007'`);
    return { deletedLoggerId: rows[0]?.id as number };
  },
  requests: {
    'GET /api/berend/get/one': (target) => ({ query: { loggerid: target.loggerid } }),
    'GET /api/berend/get/one (by name)': (target) => ({ query: { alias: target.loggerAlias } }),
    'GET /api/berend/new': () => ({
      query: { organization: organizationMarker('spoor'), loggerid: '7107007', alias: 'nieuw-krol' },
    }),
    'POST /api/berend/restore': requestById((world) => world.deletedLoggerId),
    'DELETE /api/berend/delete': () => ({ query: { loggerid: '7106006' } }),
  },
  rules: {
    'principals.pg.test.ts > GET /api/berend/get': {
      'lmb-logger-scope': 'An LMB logger is found inside the scope only.',
    },
  },
};
