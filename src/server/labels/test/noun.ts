import { organizationMarker, type PlantedOrganization } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  existingOrUnknownId,
  nextName,
  requestById,
  type TargetOwner,
  TEXT_FIELD_VALUES,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** Returns unchanged labels of the organization of `user` and of another one. */
export type PlantedLabels = {
  nextLabel(whose: TargetOwner): number;
  /** A label of `user` that no request deletes. */
  readonly labelId: number;
};

/** Number of planted labels per organization: each request of `permissions` below that needs a label uses up one of them. */
const EACH = 120;

const named = () => ({ labelName: nextName() });

export const noun: TestedNoun<PlantedLabels> = {
  permissions: `
                                    nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/label/get                  401    200  200    200     403         200   200        200   403               401      401     200          200     200
POST /api/label/create              401    200  403    200     403         200   200        200   403               401      401     403          403     403    generated
POST /api/label/edit                401    200  403    200     403         200   200        404   403               401      401     403          403     403
POST /api/label/edit (of another)   401    404  403    404     403         200   200        200   403               401      401     403          403     403
POST /api/label/delete              401    200  403    200     403         200   200        404   403               401      401     403          403     403
POST /api/label/delete (of another) 401    404  403    404     403         200   200        200   403               401      401     403          403     403
POST /api/label/assign              401    200  403    200     403         200   200        404   403               401      401     403          403     403
POST /api/label/assign (another's)  401    404  403    404     403         404   404        404   403               401      401     403          403     403
POST /api/label/unassign            401    200  403    200     403         200   200        404   403               401      401     403          403     403
POST /api/favourite/add             401    200  200    200     403         200   200        404   403               401      401     403          200     200
POST /api/favourite/remove          401    200  200    200     403         200   200        404   403               401      401     403          200     200
`,
  /** Plants for every organization: a label on its machine, the machine as a favourite, and labels that the requests change. */
  async plant({ pool }, { ids, planted }) {
    const labels = async (label: PlantedOrganization, count: number) => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into label (organization_id, name, colour)
         select $1, $2 || '-label-' || n, 'blue' from generate_series(1, $3) n returning id`,
        [ids.get(label), organizationMarker(label), count],
      );
      return rows.map(({ id }) => id);
    };
    for (const label of ['spoor', 'rails', 'dicht'] as const) await labels(label, 1);
    const all = { own: await labels('eigen', EACH), foreign: await labels('ander', EACH) };
    const labelId = all.own.shift() as number;
    const carry = (label: number | undefined, of: PlantedOrganization) =>
      pool.query('insert into machine_label (label_id, stream_id) values ($1, $2)', [
        label,
        planted.get(of)?.logger.streamId,
      ]);
    await carry(all.own.shift(), 'eigen');
    await carry(all.foreign.shift(), 'ander');
    await pool.query(
      `insert into favourite (account_id, stream_id)
       select a.id, w.stream_id from account a join ownership w on w.organization_id = a.organization_id and w.valid_to = 'infinity'`,
    );
    return {
      labelId,
      nextLabel: createNextIdTaker(all),
    };
  },
  requests: {
    'POST /api/label/create': () => ({
      body: { labelName: nextName(), labelColour: 'blue', organization: organizationMarker('eigen') },
    }),
    'POST /api/label/edit': requestById((world) => world.nextLabel('own'), named),
    'POST /api/label/edit (of another)': requestById((world) => world.nextLabel('foreign'), named),
    'POST /api/label/delete': requestById((world) => world.nextLabel('own')),
    'POST /api/label/delete (of another)': requestById((world) => world.nextLabel('foreign')),
    'POST /api/label/assign': (target, world) => ({ body: { _id: world.labelId, serial: target.serial } }),
    // For `other` the label is their own, and the machine belongs to another organization.
    "POST /api/label/assign (another's)": (target, world, person) => ({
      body: {
        _id: existingOrUnknownId(person === 'other' ? world.own : target, world, () =>
          world.nextLabel('foreign'),
        ),
        serial: target.serial,
      },
    }),
    'POST /api/label/unassign': (target, world) => ({ body: { _id: world.labelId, serial: target.serial } }),
    'POST /api/favourite/add': (target) => ({ body: { serial: target.serial } }),
    'POST /api/favourite/remove': (target) => ({ body: { serial: target.serial } }),
  },
  fields: {
    labelName: TEXT_FIELD_VALUES,
    labelColour: { good: ['red', 'grey'], odd: ['pink', 'x'] },
  },
  administration: ['favourite', 'machine_label'],
  rules: {
    'labels.pg.test.ts > 15.2d': {
      'label-scope': 'A label is changed inside the scope only.',
    },
    'labels.pg.test.ts > 15.2g': {
      'label-present-owner': 'A former owner sees no label on a machine.',
      'labels-end-with-sale': 'A machine loses its labels when it changes owner.',
    },
  },
};
