import { organizationMarker, type PlantedOrganization } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  nextName,
  requestById,
  type TargetOwner,
  TEXT_FIELD_VALUES,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

export type PlantedTerreinen = {
  /** Returns the id of a planted terrein that no request has changed yet, of the organization of `user` or of another one. */
  nextTerrein(whose: TargetOwner): number;
};

/** Number of planted terreinen per organization: each request of the permissions table that changes a terrein gets another one. */
const EACH = 120;

const terrein = () => ({
  terreinName: nextName(),
  areas: [{ centre: { lat: 52, lon: 5 }, radiusMetres: 50 }],
});

const edited = () => ({ ...terrein(), version: 1 });

export const noun: TestedNoun<PlantedTerreinen> = {
  permissions: `
                                      nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/terrein/get                  401    200  200    200     403         200   200        200   403               401      401     200          403     403
POST /api/terrein/create              401    403  403    200     403         200   403        403   403               401      401     403          403     403    generated
POST /api/terrein/edit                401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/terrein/edit (of another)   401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/terrein/delete              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/terrein/delete (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403
`,
  /** Stores a terrein for every organization, and terreinen that the requests to edit and delete change. */
  async plant({ pool }, { ids }) {
    const terreinen = async (label: PlantedOrganization, count: number): Promise<number[]> => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into terrein (organization_id, name, areas, counted_from)
         select $1, $2 || '-terrein' || n || '-' || $3, '[]', now() from generate_series(1, $3::integer) n returning id`,
        [ids.get(label), organizationMarker(label), count],
      );
      return rows.map(({ id }) => id);
    };
    for (const label of ids.keys()) await terreinen(label, 1);
    return {
      nextTerrein: createNextIdTaker({
        own: await terreinen('eigen', EACH),
        foreign: await terreinen('ander', EACH),
      }),
    };
  },
  requests: {
    'POST /api/terrein/create': () => ({
      body: { ...terrein(), organization: organizationMarker('eigen') },
    }),
    'POST /api/terrein/edit': requestById((world) => world.nextTerrein('own'), edited),
    'POST /api/terrein/edit (of another)': requestById((world) => world.nextTerrein('foreign'), edited),
    'POST /api/terrein/delete': requestById((world) => world.nextTerrein('own')),
    'POST /api/terrein/delete (of another)': requestById((world) => world.nextTerrein('foreign')),
  },
  fields: {
    terreinName: TEXT_FIELD_VALUES,
    terreinKind: { good: ['yard', 'depot', null], odd: ['werf', ''] },
  },
  rules: {
    'terreinen.pg.test.ts > another organization': {
      'terreinen-scope': 'A list of terreinen holds those of the scope only.',
    },
  },
};
