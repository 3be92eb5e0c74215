import { organizationMarker, type PlantedOrganization } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  requestById,
  type TargetOwner,
  TEXT_FIELD_VALUES,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** Hands out ids of planted factors that no request has changed yet, of the organization of `user` and of another one. */
type PlantedFactors = { nextFactor(whose: TargetOwner): number };

/**
 * Number of planted factors per organization: enough for each request in the table of permissions that changes a factor to get another one.
 */
const EACH = 200;

let factorDay = Date.UTC(2030, 0, 1);
/** Returns a factor whose first day is that of no other factor. */
function co2Factor() {
  factorDay += 86_400_000;
  const firstDay = new Date(factorDay).toISOString().slice(0, 10);
  return { factorKind: 'co2', factorValue: 0.27, firstDay, factorSource: 'co2emissiefactoren.nl' };
}

export const noun: TestedNoun<PlantedFactors> = {
  permissions: `
                                            nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/report-factor/get                  401    200  200    200     403         200   200        200   403               401      401     200          403     403
POST /api/report-factor/create              401    403  403    200     403         200   403        403   403               401      401     403          403     403    generated
POST /api/report-factor/edit                401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/report-factor/edit (of another)   401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/report-factor/delete              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/report-factor/delete (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403
`,
  /** Stores a factor of every organization, and extra ones for the requests that change a factor. */
  async plant({ pool }, { ids }) {
    const factors = async (label: PlantedOrganization, count: number) => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into report_factor (organization_id, kind, value, first_day, source)
         select $1, 'co2', 0.3, date '2001-01-01' + day, $2 || '-bron' from generate_series(1, $3) day returning id`,
        [ids.get(label), organizationMarker(label), count],
      );
      return rows.map(({ id }) => id);
    };
    for (const label of ['spoor', 'rails', 'dicht'] as const) await factors(label, 1);
    return {
      nextFactor: createNextIdTaker({
        own: await factors('eigen', EACH),
        foreign: await factors('ander', EACH),
      }),
    };
  },
  requests: {
    'POST /api/report-factor/create': () => ({
      body: { ...co2Factor(), organization: organizationMarker('eigen') },
    }),
    'POST /api/report-factor/edit': requestById((world) => world.nextFactor('own'), co2Factor),
    'POST /api/report-factor/edit (of another)': requestById(
      (world) => world.nextFactor('foreign'),
      co2Factor,
    ),
    'POST /api/report-factor/delete': requestById((world) => world.nextFactor('own')),
    'POST /api/report-factor/delete (of another)': requestById((world) => world.nextFactor('foreign')),
  },
  fields: {
    factorKind: { good: ['co2'], odd: ['diesel', 'x'] },
    factorValue: { good: [0, 0.25, 0.4], odd: [-1, 6, 1e308] },
    fromKw: { good: [null], odd: [0, -1, 2001] },
    belowKw: { good: [null], odd: [1, -1] },
    comparedTo: { good: [''], odd: ['Rupskraan'] },
    factorSource: TEXT_FIELD_VALUES,
  },
  rules: {
    'factors.pg.test.ts > 14.3u': {
      'report-factors-scope': 'A list of report factors holds those of the scope only.',
    },
  },
};
