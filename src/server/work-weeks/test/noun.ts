import type { PlantedLabels } from '#server/labels/test/noun.ts';
import { organizationMarker } from '#server/test/security/principals/planted.ts';
import {
  type RequestSubject,
  requestByName,
  type TestedNoun,
  type TestWorld,
} from '#server/test/security/principals/tested-noun.ts';
import { DEFAULT_WORK_WEEK } from '#shared/domain/alerts/work-week.ts';

const WEEK = {
  workDays: Array(7).fill({ from: '06:30', to: '16:00' }),
  nationalHolidays: true,
  ownHolidays: [],
};
const ownWeekOf = (_: RequestSubject, { labelId }: PlantedLabels) => ({
  name: organizationMarker('eigen'),
  by: 'label',
  target: String(labelId),
});
const otherWeekOf = (target: RequestSubject, world: TestWorld & PlantedLabels) => ({
  name: target === world.own ? organizationMarker('ander') : 'onbekend',
  by: 'label',
  target: String(world.labelId),
});

export const noun: TestedNoun<object, PlantedLabels> = {
  permissions: `
                                           nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/workweek/get                      401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/workweek/get (of another)         401    403  403    404     403         200   403        403   403               401      401     200          403     403
POST /api/workweek/set                     401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/workweek/set (of another)        401    403  403    404     403         200   403        403   403               401      401     403          403     403
GET /api/workweek/night                    401    200  200    200     403         200   200        200   403               401      401     200          200     200
GET /api/workweek/own                      401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/workweek/own (of another)         401    403  403    404     403         200   403        403   403               401      401     200          403     403
GET /api/workweek/own/get                  401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/workweek/own/get (of another)     401    403  403    404     403         404   403        403   403               401      401     404          403     403
POST /api/workweek/own/set                 401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/workweek/own/set (of another)    401    403  403    404     403         404   403        403   403               401      401     403          403     403
POST /api/workweek/own/delete              401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/workweek/own/delete (of another) 401    403  403    404     403         404   403        403   403               401      401     403          403     403
`,
  /** Stores a work week of every organization. If the organization has labels, also stores a work week of one of them. */
  async plant({ pool }, { ids }) {
    for (const [label, id] of ids)
      await pool.query('insert into work_week values ($1, $2)', [
        id,
        {
          ...DEFAULT_WORK_WEEK,
          ownHolidays: [
            {
              firstDay: '2026-07-20',
              lastDay: '2026-08-07',
              holidayName: `${organizationMarker(label)}-vrij`,
            },
          ],
        },
      ]);
    await pool.query(
      `insert into own_work_week (organization_id, label_id, week)
       select w.organization_id, (select min(id) from label l where l.organization_id = w.organization_id), w.week from work_week w
       where exists (select from label l where l.organization_id = w.organization_id)`,
    );
  },
  requests: {
    'GET /api/workweek/get': () => ({ query: { name: organizationMarker('eigen') } }),
    'GET /api/workweek/get (of another)': requestByName,
    'POST /api/workweek/set': () => ({ body: { ...WEEK, name: organizationMarker('eigen') } }),
    'POST /api/workweek/set (of another)': (...of) => ({ body: { ...WEEK, ...requestByName(...of).query } }),
    'GET /api/workweek/own': () => ({ query: { name: organizationMarker('eigen') } }),
    'GET /api/workweek/own (of another)': requestByName,
    'GET /api/workweek/own/get': (target, world) => ({ query: ownWeekOf(target, world) }),
    'GET /api/workweek/own/get (of another)': (target, world) => ({ query: otherWeekOf(target, world) }),
    'POST /api/workweek/own/set': (target, world) => ({ body: { ...WEEK, ...ownWeekOf(target, world) } }),
    'POST /api/workweek/own/set (of another)': (target, world) => ({
      body: { ...WEEK, ...otherWeekOf(target, world) },
    }),
    'POST /api/workweek/own/delete': (target, world) => ({ body: ownWeekOf(target, world) }),
    'POST /api/workweek/own/delete (of another)': (target, world) => ({ body: otherWeekOf(target, world) }),
  },

  fields: {
    workDays: {
      good: [
        Array(7).fill(null),
        [{ from: '22:00', to: '06:00' }, null, null, { from: '07:00', to: '17:00' }, null, null, null],
      ],
      odd: [[], Array(8).fill(null), Array(7).fill({ from: '07:00', to: '07:00' }), [{ from: '24:00' }]],
    },
    ownHolidays: {
      good: [[], [{ holidayName: 'Bouwvak', firstDay: '2026-07-20', lastDay: '2026-08-07' }]],
      odd: [[{ holidayName: '', firstDay: '2026-02-30', lastDay: 'x' }], [null]],
    },
  },
  administration: ['own_work_week'],
  rules: {
    'own-weeks.pg.test.ts > only a manager': {
      'work-week-organization': 'An organization sets the work week of its own machines only.',
    },
  },
};
