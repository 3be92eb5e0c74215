import { organizationMarker, type PlantedOrganization } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  requestById,
  type TargetOwner,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** `nextTariff` returns the id of a tariff that no request has changed yet: of the organization of `user`, or of another. */
type PlantedTariffs = { nextTariff(whose: TargetOwner): number };

/** Number of planted tariffs per organization: each request of `permissions` below that changes a tariff uses up one of them. */
const EACH = 200;

let tariffDay = Date.UTC(2030, 0, 1);

/** Returns a tariff that begins on a day on which no other tariff begins. */
function tariff() {
  tariffDay += 86_400_000;
  return { firstDay: new Date(tariffDay).toISOString().slice(0, 10), dayPrice: 0.25, nightPrice: 0.18 };
}

export const noun: TestedNoun<PlantedTariffs> = {
  permissions: `
                                              nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/charging-tariff/get                  401    200  200    200     403         200   200        200   403               401      401     200          403     403
POST /api/charging-tariff/create              401    403  403    200     403         200   403        403   403               401      401     403          403     403    generated
POST /api/charging-tariff/edit                401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/charging-tariff/edit (of another)   401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/charging-tariff/delete              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/charging-tariff/delete (of another) 401    403  403    404     403         200   403        403   403               401      401     403          403     403
`,
  /** Stores a tariff of every organization, and EACH of them in the two organizations whose tariffs are changed. */
  async plant({ pool }, { ids }) {
    const tariffs = async (label: PlantedOrganization, count: number) => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into charging_tariff (organization_id, first_day, day_price, night_from, night_to, night_weekend)
         select $1, date '2001-01-01' + day, 0.3, 23, 7, true from generate_series(1, $2) day returning id`,
        [ids.get(label), count],
      );
      return rows.map(({ id }) => id);
    };
    for (const label of ['spoor', 'rails', 'dicht'] as const) await tariffs(label, 1);
    return {
      nextTariff: createNextIdTaker({
        own: await tariffs('eigen', EACH),
        foreign: await tariffs('ander', EACH),
      }),
    };
  },
  requests: {
    'POST /api/charging-tariff/create': () => ({
      body: { ...tariff(), organization: organizationMarker('eigen') },
    }),
    'POST /api/charging-tariff/edit': requestById((world) => world.nextTariff('own'), tariff),
    'POST /api/charging-tariff/edit (of another)': requestById(
      (world) => world.nextTariff('foreign'),
      tariff,
    ),
    'POST /api/charging-tariff/delete': requestById((world) => world.nextTariff('own')),
    'POST /api/charging-tariff/delete (of another)': requestById((world) => world.nextTariff('foreign')),
  },
  fields: {
    dayPrice: { good: [0, 0.25, 0.12345], odd: [-1, 11, 0.123456, 1e308] },
    nightPrice: { good: [null, 0.18], odd: [-1, 11] },
    nightFrom: { good: [23, 21], odd: [24, -1, 1.5] },
    nightTo: { good: [7], odd: [23, 24] },
    terreinId: { good: [null], odd: [0, 1, -1] },
    nightWeekend: { good: [true, false] },
  },
  rules: {
    'tariffs.pg.test.ts > 53.32': {
      'tariffs-scope': 'A list of charging tariffs holds those of the scope only.',
    },
  },
};
