import type { PlantedProjects } from '#server/projects/test/noun.ts';
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

/** Hands out ids of planted rows that no request has changed yet: of the organization of `user` (`own`) or of another one (`foreign`). */
type PlantedMaintenance = {
  nextPlan(whose: TargetOwner): number;
  nextTemplate(whose: TargetOwner): number;
  /** A template of the organization of `user` that no request changes or deletes. */
  readonly templateId: number;
};

/** Number of planted plans: each request of `permissions` below that changes a plan uses up one of them. */
const EACH = 120;

const PLAN = {
  planName: 'Kleine beurt',
  everyHours: 250,
  everyMonths: null,
  lastHours: 0,
  lastDay: '2026-02-01',
};
const TEMPLATE = { tasks: [{ planName: 'Kleine beurt', everyHours: 250, everyMonths: null }] };
const DONE = { doneDay: '2026-02-01', doneHours: 1 };

export const noun: TestedNoun<PlantedMaintenance, PlantedProjects> = {
  permissions: `
                                                   nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/maintenance/get                           401    200  200    200     403         200   200        404   403               401      401     200          403     403
POST /api/maintenance/create                       401    403  403    200     403         200   200        403   403               401      401     403          403     403    generated
POST /api/maintenance/create (of another)          401    403  403    404     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/edit                         401    403  403    200     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/edit (of another)            401    403  403    404     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/done                         401    403  403    200     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/done (of another)            401    403  403    404     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/delete                       401    403  403    200     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/delete (of another)          401    403  403    404     403         200   200        403   403               401      401     403          403     403
GET /api/maintenance/list                          401    200  200    200     403         200   200        200   403               401      401     200          403     403
GET /api/maintenance/list (on another’s project)   401    404  404    404     403         200   200        200   403               401      401     200          403     403
GET /api/maintenance/file                          401    200  403    200     403         200   200        200   403               401      401     200          403     403
GET /api/maintenance/template/get                  401    200  200    200     403         200   200        200   403               401      401     200          403     403
POST /api/maintenance/template/create              401    403  403    200     403         200   200        403   403               401      401     403          403     403    generated
POST /api/maintenance/template/edit                401    403  403    200     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/template/edit (of another)   401    403  403    404     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/template/delete              401    403  403    200     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/template/delete (of another) 401    403  403    404     403         200   200        403   403               401      401     403          403     403
GET /api/maintenance/template/preview              401    200  200    200     403         200   200        404   403               401      401     200          403     403
POST /api/maintenance/template/apply               401    403  403    200     403         200   200        403   403               401      401     403          403     403
POST /api/maintenance/template/apply (of another)  401    403  403    404     403         200   200        403   403               401      401     403          403     403
`,
  /** Plants plans of two machines, one of them done, the hidden plans of each machine's former owner, and templates of both organizations. */
  async plant({ pool, machine }, { ids }) {
    const streamOf = (label: PlantedOrganization) =>
      machine(ids.get(label) as number, { serial: `${organizationMarker(label)}-beurt`, batteries: [] });
    const streams = { eigen: await streamOf('eigen'), ander: await streamOf('ander') };
    const plans = async (of: keyof typeof streams, owner: PlantedOrganization, count: number) => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into maintenance_plan (stream_id, organization_id, name, every_hours, last_hours, last_day)
         select $1, $2, $3 || '-beurt', 500, 0, date '2026-01-01' from generate_series(1, $4) returning id`,
        [streams[of], ids.get(owner), organizationMarker(owner), count],
      );
      await pool.query(
        `insert into maintenance_done (plan_id, hours, day, note) values ($1, 0, '2026-01-01', $2 || '-notitie')`,
        [rows[0]?.id, organizationMarker(owner)],
      );
      return rows.map(({ id }) => id);
    };
    const templates = async (owner: PlantedOrganization) => {
      const { rows } = await pool.query<{ id: number }>(
        `with made as (
           insert into maintenance_template (organization_id, brand, model)
           select $1, $2 || '-merk', $2 || '-model ' || n from generate_series(1, $3) as n returning id
         ), task as (
           insert into maintenance_template_task (template_id, name, every_hours) select id, $2 || '-taak', 500 from made
         ) select id from made order by id`,
        [ids.get(owner), organizationMarker(owner), EACH],
      );
      return rows.map(({ id }) => id);
    };
    await plans('eigen', 'ander', 1);
    await plans('ander', 'eigen', 1);
    const all = { own: await plans('eigen', 'eigen', EACH), foreign: await plans('ander', 'ander', EACH) };
    const made = { own: await templates('eigen'), foreign: await templates('ander') };
    const templateId = made.own.shift() as number;
    await pool.query(
      `update machine set (brand, model) = (select brand, model from maintenance_template where id = $2) where stream_id = $1`,
      [streams.eigen, templateId],
    );
    return {
      nextPlan: createNextIdTaker(all),
      nextTemplate: createNextIdTaker(made),
      templateId,
    };
  },
  requests: {
    'GET /api/maintenance/get': (target) => ({ query: { serial: target.serial } }),
    'POST /api/maintenance/create': (target) => ({ body: { ...PLAN, serial: target.serial } }),
    'POST /api/maintenance/create (of another)': (target, world) => ({
      body: { ...PLAN, serial: target === world.own ? 'KANARIE-ANDER-1' : target.serial },
    }),
    'POST /api/maintenance/edit': requestById((world) => world.nextPlan('own'), PLAN),
    'POST /api/maintenance/edit (of another)': requestById((world) => world.nextPlan('foreign'), PLAN),
    'POST /api/maintenance/done': requestById((world) => world.nextPlan('own'), DONE),
    'POST /api/maintenance/done (of another)': requestById((world) => world.nextPlan('foreign'), DONE),
    'POST /api/maintenance/delete': requestById((world) => world.nextPlan('own')),
    'POST /api/maintenance/delete (of another)': requestById((world) => world.nextPlan('foreign')),
    'GET /api/maintenance/list (on another’s project)': (target, world) => ({
      query: {
        project: String(existingOrUnknownId(target, world, () => world.nextProject('foreign project'))),
      },
    }),
    'GET /api/maintenance/file': () => ({ query: { format: 'csv' } }),
    'POST /api/maintenance/template/create': () => ({
      body: { ...TEMPLATE, brand: nextName(), model: 'EX-1', organization: organizationMarker('eigen') },
    }),
    'POST /api/maintenance/template/edit': requestById((world) => world.nextTemplate('own'), TEMPLATE),
    'POST /api/maintenance/template/edit (of another)': requestById(
      (world) => world.nextTemplate('foreign'),
      TEMPLATE,
    ),
    'POST /api/maintenance/template/delete': requestById((world) => world.nextTemplate('own')),
    'POST /api/maintenance/template/delete (of another)': requestById((world) =>
      world.nextTemplate('foreign'),
    ),
    'GET /api/maintenance/template/preview': (target, world) => ({
      query: { _id: String(existingOrUnknownId(target, world, () => world.templateId)) },
    }),
    'POST /api/maintenance/template/apply': requestById((world) => world.nextTemplate('own')),
    'POST /api/maintenance/template/apply (of another)': requestById((world) =>
      world.nextTemplate('foreign'),
    ),
  },
  loggedElsewhere: {
    'POST /api/maintenance/template/apply': ['maintenance-template.apply', 'maintenance/templates'],
  },
  fields: {
    planName: TEXT_FIELD_VALUES,
    everyHours: { good: [500, null], odd: [0, -1, 1e9] },
    everyMonths: { good: [12, 6], odd: [0, 1.5, 241] },
    lastHours: { good: [0, 10.5], odd: [-1, 1e6, 1e9] },
    doneHours: { good: [0, 20, 30], odd: [-1, 1e6] },
    doneDay: { good: ['2026-10-25', '2026-11-01'], odd: ['2026-02-30', '2099-12-31'] },
    doneNote: TEXT_FIELD_VALUES,
  },
  administration: ['maintenance_plan'],
  rules: {
    'maintenance.pg.test.ts > 16.1g': {
      'maintenance-present-owner':
        "A former owner sees no maintenance plan of a machine, and the new owner does not see the former one's.",
    },
  },
};
