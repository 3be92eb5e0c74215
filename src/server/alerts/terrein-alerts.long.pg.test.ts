import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import type { AlertPreview, AlertRule } from '#shared/contract/alerts.ts';
import { alertText } from '#shared/domain/alerts/evaluations.ts';
import type { AlertFigures } from '#shared/domain/alerts/kinds/kind.ts';
import type { AlertKind } from '#shared/domain/alerts/kinds.ts';
import { DEFAULT_WORK_WEEK } from '#shared/domain/alerts/work-week.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { AlertTestPortal, ANNA_EMAIL, BEHEERDER_EMAIL, testMinuteMs } from './test/alert-desk.ts';

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
});
beforeEach(async () => {
  await d.reset();
  await d.pool.query('delete from terrein');
  await d.pool.query('update project set deleted_at = to_timestamp(0)');
});
afterAll(() => d.close());

/** Latitudes of the road and the yard, in degrees. */
const ROAD = 52;
const YARD = 52.005;
const DEPOT = 52.01;
const LON = 5.1;
/** Returns a position per minute. */
const stay = (from: number, to: number, latitude: number): Reading[] =>
  Array.from({ length: to - from }, (_, n) => ({
    time: testMinuteMs(from + n),
    signals: { LATITUDE: latitude, LONGITUDE: LON },
  }));
const circle = (latitude: number, radiusMetres = 100) => ({
  centre: { lat: latitude, lon: LON },
  radiusMetres,
});

const fields = (terreinName: string, areas: readonly object[]) => ({
  terreinName,
  terreinKind: 'yard',
  areas,
});
async function terrein(terreinName: string, ...areas: readonly object[]): Promise<number> {
  const { status, json } = await d.call<{ _id: number }>(
    'POST',
    '/api/terrein/create',
    BEHEERDER_EMAIL,
    fields(terreinName, areas),
  );
  expect(status).toBe(200);
  return json._id;
}

/** Stores readings, computes presences from them and evaluates the rules. */
async function come(streamId: number, minute: number, readings: readonly Reading[] = []): Promise<void> {
  await d.desk.store(streamId, readings);
  d.setClock(minute);
  await computeUntilUpToDate(d.pool);
  await d.desk.portal.portal.alerts.evaluatePresences();
}
const subjects = async (): Promise<string[]> => (await d.mails()).map(({ subject }) => subject);
const words = async (streamId: number): Promise<string[]> =>
  (
    await d.pool.query<{ kind: AlertKind; figures: AlertFigures }>(
      'select kind, data as figures from alert where stream_id = $1 and withdrawn_at is null order by at, kind desc',
      [streamId],
    )
  ).rows.map(({ kind, figures }) => alertText(kind, figures));
const preview = async (kind: 'arrived' | 'left', asked: object) =>
  (
    await d.call<AlertPreview>('POST', '/api/alert-rule/preview', BEHEERDER_EMAIL, {
      kind,
      settings: {},
      hours: 'always',
      machines: { by: 'all' },
      isOwn: false,
      ...asked,
    })
  ).json;

// Minutes after START, which is Friday 14:00 in Amsterdam; the usual working day ends at 17:00.
const EVENING = 300;

test('a machine that comes to a terrein and leaves it raises one alert each, and late positions withdraw a departure (53.12)', async () => {
  await terrein('Werf Noord', circle(YARD));
  await d.rule('arrived');
  await d.rule('left');
  const { streamId } = await d.machine();
  await come(streamId, 10, stay(0, 10, ROAD));
  await come(streamId, 13, stay(10, 13, YARD));
  expect(await d.alerts()).toMatchObject([{ kind: 'arrived', words: 'op Werf Noord', isNew: true }]);
  await d.notify(14.1);
  expect(await subjects()).toEqual([expect.stringMatching(/^Aangekomen/)]);
  // These positions lie around two midnights in Amsterdam.
  for (const minute of [600, 620, 1_400, 2_100, 2_120])
    await come(streamId, minute + 1, stay(minute, minute + 1, YARD));
  await come(streamId, 2_130, stay(2_124, 2_130, ROAD));
  expect(await d.recorded(streamId)).toEqual(['arrived 10-1450', 'left 2124…']);
  await d.notify(2_140);
  await come(streamId, 2_142, [
    ...[2_125.5, 2_127.1, 2_128.7].map((minute) => ({
      time: testMinuteMs(minute),
      signals: { LATITUDE: YARD, LONGITUDE: LON },
    })),
    ...stay(2_130, 2_132, YARD),
  ]);
  expect(await d.recorded(streamId)).toEqual(['arrived 10-1450', '!left 2124…']);
});

test('a rule for one terrein outside working hours raises no alert in the afternoon and one in the evening, and its preview finds the same alert (53.12)', async () => {
  const yard = await terrein('Werf Noord', circle(YARD));
  await terrein('Depot', circle(DEPOT));
  const question: Pick<AlertRule, 'hours' | 'machines'> = {
    hours: 'outside',
    machines: { by: 'terreinen', ids: [yard] },
  };
  await d.rule('left', question);
  const { streamId } = await d.machine();
  await come(streamId, 5, stay(0, 5, ROAD));
  for (const [minute, latitude] of [
    [5, YARD],
    [60, ROAD],
    [70, DEPOT],
    [EVENING, ROAD],
    [EVENING + 10, YARD],
    [EVENING + 20, ROAD],
  ] as const)
    await come(streamId, minute + 6, stay(minute, minute + 6, latitude));
  expect(await d.recorded(streamId)).toEqual([`left ${EVENING + 20}…`]);
  expect(await words(streamId)).toEqual(['weg van Werf Noord']);
  const found = await preview('left', question);
  expect(found.alerts.map(({ words: said, at: left }) => [said, Date.parse(left)])).toEqual([
    ['weg van Werf Noord', testMinuteMs(EVENING + 20)],
  ]);
  expect((await preview('left', { hours: 'outside' })).count).toBe(2);
  expect((await preview('left', { hours: 'work' })).count).toBe(1);
});

test("a machine's own work week decides what is outside working hours (53.12)", async () => {
  await terrein('Werf Noord', circle(YARD));
  await d.rule('left', { hours: 'outside' });
  const { streamId } = await d.machine();
  const evening = { ...DEFAULT_WORK_WEEK, workDays: Array(7).fill({ from: '18:00', to: '23:30' }) };
  await d.pool.query(
    `insert into own_work_week (organization_id, stream_id, week)
     select organization_id, stream_id, $2 from ownership where stream_id = $1`,
    [streamId, JSON.stringify(evening)],
  );
  await come(streamId, 5, stay(0, 5, YARD));
  await come(streamId, 66, stay(60, 66, ROAD));
  await come(streamId, 76, stay(70, 76, YARD));
  // 19:00 is inside the machine's own week, outside that of the organization.
  await come(streamId, EVENING + 6, stay(EVENING, EVENING + 6, ROAD));
  expect(await d.recorded(streamId)).toEqual(['left 60-70']);
});

test('drawing a terrein around a machine, moving it away or deleting it causes no notification (53.12)', async () => {
  await d.rule('arrived');
  await d.rule('left');
  const { streamId } = await d.machine();
  await come(streamId, 10, stay(1, 10, YARD));
  const _id = await terrein('Werf Noord', circle(YARD));
  await come(streamId, 14, stay(10, 14, YARD));
  const edited = await d.call('POST', '/api/terrein/edit', BEHEERDER_EMAIL, {
    ...fields('Werf Noord', [circle(DEPOT)]),
    _id,
    version: 1,
  });
  expect(edited.status).toBe(200);
  await come(streamId, 20, stay(14, 20, YARD));
  expect((await d.call('POST', '/api/terrein/delete', BEHEERDER_EMAIL, { _id })).status).toBe(200);
  await come(streamId, 30, stay(20, 30, YARD));
  await d.notify(40);
  expect(await d.mails()).toEqual([]);
  expect((await d.alerts('firing')).filter(({ isNew }) => isNew)).toEqual([]);
});

test('a machine in two overlapping terreinen is on the smaller one, or on the first by name if both have the same size (53.12)', async () => {
  await terrein('Groot', circle(YARD, 300));
  await terrein('Klein', circle(YARD, 60));
  await terrein('B even groot', circle(DEPOT, 80));
  await terrein('A even groot', circle(DEPOT, 80));
  await d.rule('arrived');
  const { streamId } = await d.machine();
  await come(streamId, 5, stay(0, 5, ROAD));
  await come(streamId, 16, stay(10, 16, YARD));
  await come(streamId, 26, stay(20, 26, DEPOT));
  expect(await words(streamId)).toEqual(['op Klein', 'op A even groot']);
});

test('a machine on a terrein inside a project is on both, and leaves them independently (53.12)', async () => {
  await terrein('Bouwdepot', circle(YARD, 60));
  const project = await d.call('POST', '/api/project/create', BEHEERDER_EMAIL, {
    projectName: 'Kade',
    firstDay: '2026-01-01',
    lastDay: null,
    areas: [circle(YARD, 1_000)],
  });
  expect(project.status).toBe(200);
  await d.rule('arrived');
  await d.rule('left');
  const { streamId } = await d.machine();
  await come(streamId, 5, stay(0, 5, 52.2));
  await come(streamId, 16, stay(10, 16, YARD));
  await come(streamId, 26, stay(20, 26, YARD + 0.003));
  expect((await words(streamId)).sort()).toEqual(['op Bouwdepot', 'op Kade', 'weg van Bouwdepot']);
  const { rows } = await d.pool.query(
    `select distinct project_id > 0 as "isOfProject" from day_figures where stream_id = $1`,
    [streamId],
  );
  expect(rows).toHaveLength(2);
});

test('a rule is rejected if it names a terrein of another organization, or if its kind cannot be restricted to times outside working hours but the rule is (53.12)', async () => {
  const other = await d.desk.portal.organization('buur');
  const { rows } = await d.pool.query<{ id: number }>(
    `insert into terrein (organization_id, name, areas, counted_from) values ($1, 'Werf', '[]', now()) returning id`,
    [other],
  );
  const foreign: AlertRule['machines'] = { by: 'terreinen', ids: [rows[0]?.id ?? 0] };
  expect(await d.saveRule('left', { machines: foreign })).toMatchObject({ status: 400 });
  expect(await d.saveRule('low', { hours: 'outside' })).toMatchObject({ status: 400 });
  expect(await d.saveRule('left', { hours: 'outside' })).toMatchObject({ status: 200 });
});

test('an urgent alert about a departure at night is mailed in the quiet hours of its reader, and one of severity notice waits for the morning (53.12)', async () => {
  await terrein('Werf Noord', circle(YARD));
  await d.wants(ANNA_EMAIL, { quiet: { from: '18:00', to: '07:00' } });
  await d.wants(BEHEERDER_EMAIL, { quiet: { from: '18:00', to: '07:00' } });
  await d.rule('left', { hours: 'outside', severity: 'urgent', roles: [], people: [ANNA_EMAIL] });
  await d.rule('left', { hours: 'outside', severity: 'notice', roles: [], people: [BEHEERDER_EMAIL] });
  const { streamId } = await d.machine();
  await come(streamId, 5, stay(0, 5, YARD));
  await come(streamId, EVENING + 3, stay(EVENING, EVENING + 3, ROAD));
  await d.notify(EVENING + 8);
  expect((await d.mails()).map(({ to }) => to)).toEqual([ANNA_EMAIL]);
});
