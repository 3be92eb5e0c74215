import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { DEFAULT_WORK_WEEK } from '#shared/domain/alerts/work-week.ts';
import { readWorkWeeks } from './work-weeks.store.ts';

let a: AdminTestPortal;
let manager: string;
let other: string;
let otherId: number;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  otherId = await a.portal.organization('ander');
  await a.portal.user('baas@klant.nl', a.fleet.organization, 'beheerder');
  await a.portal.user('baas@ander.nl', otherId, 'beheerder');
  manager = await a.portal.login('baas@klant.nl');
  other = await a.portal.login('baas@ander.nl');
});
afterAll(() => a.close());

const SHIFT = { from: '22:00', to: '06:00' };
const WEEK = {
  workDays: [SHIFT, SHIFT, SHIFT, SHIFT, null, null, null],
  nationalHolidays: false,
  ownHolidays: [{ holidayName: 'Bouwvak', firstDay: '2026-07-20', lastDay: '2026-08-07' }],
};
const get = (as = manager, name = 'klant') => a.call('GET /api/workweek/get', { as, query: { name } });
const set = (week: object = WEEK, as = manager, name = 'klant') =>
  a.call('POST /api/workweek/set', { as, body: { ...week, name } });

test('an organization has the default work week until its beheerder sets another, and the log has the values before the change (16.1c)', async () => {
  expect((await get()).json).toEqual(DEFAULT_WORK_WEEK);
  expect((await set()).json).toEqual(WEEK);
  expect((await get()).json).toEqual(WEEK);
  expect((await set({ ...WEEK, nationalHolidays: true })).status).toBe(200);
  expect(await readWorkWeeks(a.portal.pool, [a.fleet.organization, otherId])).toEqual(
    new Map([
      [a.fleet.organization, { ...WEEK, nationalHolidays: true }],
      [otherId, DEFAULT_WORK_WEEK],
    ]),
  );
  const { rows } = await a.portal.pool.query(
    `select subject, organization_id as of, changes from audit where action = 'organization.work-week' order by id`,
  );
  expect(rows).toEqual([
    expect.objectContaining({ subject: 'klant', of: a.fleet.organization }),
    { subject: 'klant', of: a.fleet.organization, changes: { nationalHolidays: [false, true] } },
  ]);
  await set();
});

test('a work week is visible to its own organization only (16.1c)', async () => {
  for (const answer of [await get(other), await set(WEEK, other), await get(other, 'geen')])
    expect([answer.status, answer.message]).toEqual([404, 'Deze organisatie bestaat niet.']);
  expect((await get(other, 'ander')).json).toEqual(DEFAULT_WORK_WEEK);
  expect((await set(WEEK, a.admin, 'ander')).status).toBe(200);
  expect((await get(other, 'ander')).json).toEqual(WEEK);
});

const holiday = (part: object) => ({
  ownHolidays: [{ holidayName: 'Vrij', firstDay: '2026-07-20', lastDay: '2026-07-20', ...part }],
});
const monday = (hours: unknown) => ({ workDays: [hours, ...WEEK.workDays.slice(1)] });
test.each<[string, object, string]>([
  ['no length', monday({ from: '07:00', to: '07:00' }), 'Maandag begint en eindigt op dezelfde tijd.'],
  [
    'two shifts at once',
    { workDays: [{ from: '22:00', to: '07:00' }, { from: '06:30', to: '17:00' }, ...Array(5).fill(null)] },
    'Dinsdag begint voordat de dienst van maandag klaar is.',
  ],
  ['24:00', monday({ from: '07:00', to: '24:00' }), 'Maandag moet een tijd als 06:30 zijn.'],
  ['six days', { workDays: WEEK.workDays.slice(1) }, 'Werkdagen heeft zeven dagen.'],
  ['a date that there is not', holiday({ firstDay: '2026-02-30' }), 'Vrije dag 1 is geen datum.'],
  ['no name', holiday({ holidayName: ' ' }), 'Vrije dag 1 ontbreekt.'],
  ['an end before the begin', holiday({ lastDay: '2026-07-19' }), 'Vrije dag 1 ligt voor de eerste dag.'],
  [
    'a holiday twice',
    {
      ownHolidays: [
        ...WEEK.ownHolidays,
        ...holiday({ firstDay: '2026-08-07', lastDay: '2026-08-10' }).ownHolidays,
      ],
    },
    'Vrije dag 2 valt samen met een andere vrije dag.',
  ],
  [
    'a hundred and one',
    { ownHolidays: Array(101).fill(WEEK.ownHolidays[0]) },
    'Eigen vrije dagen zijn er hoogstens 100.',
  ],
])(
  'a work week with %s is rejected with a sentence, and nothing changes (16.1c)',
  async (_, part, message) => {
    const answer = await set({ ...WEEK, ...part });
    expect([answer.status, answer.message]).toEqual([400, message]);
    expect((await get()).json).toEqual(WEEK);
  },
);
