import { organizationMarker, type PlantedOrganization } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  requestById,
  type TargetOwner,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** `nextApplicant` returns the id of an undecided applicant, each time of another one: of the organization of `user`, or of another. */
type PlantedApplicants = { nextApplicant(whose: TargetOwner): number };

/** Number of applicants per organization: enough for all requests of `permissions`, of which each admits or refuses another applicant. */
const EACH = 400;

export const noun: TestedNoun<PlantedApplicants> = {
  permissions: `
                                          nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/applicant/get                    401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/applicant/admit                 401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
POST /api/applicant/admit (to their own)  401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/applicant/refuse                401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/applicant/refuse (to their own) 401    403  403    200     403         200   403        403   403               401      401     403          403     403
`,
  /** Plants an applicant in every organization, and EACH of them in the two organizations whose applicants are admitted or refused. */
  async plant({ pool }, { ids }) {
    const applicants = async (label: PlantedOrganization, count: number): Promise<number[]> => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into applicant (organization_id, email, password_hash)
         select $1, 'wacht' || n || '@' || $2 || '.example', 'the hash of nobody' from generate_series(1, $3) n returning id`,
        [ids.get(label), organizationMarker(label), count],
      );
      return rows.map(({ id }) => id);
    };
    for (const label of ['spoor', 'rails', 'dicht', 'beheer'] as const) await applicants(label, 1);
    return {
      nextApplicant: createNextIdTaker({
        own: await applicants('eigen', EACH),
        foreign: await applicants('ander', EACH),
      }),
    };
  },
  requests: {
    'POST /api/applicant/admit': requestById((world) => world.nextApplicant('foreign')),
    'POST /api/applicant/admit (to their own)': requestById((world) => world.nextApplicant('own')),
    'POST /api/applicant/refuse': requestById((world) => world.nextApplicant('foreign')),
    'POST /api/applicant/refuse (to their own)': requestById((world) => world.nextApplicant('own')),
  },
  rules: {
    'applicants.pg.test.ts': {
      'applicants-scope': 'A caller sees and admits the applicants of the scope only.',
    },
  },
};
