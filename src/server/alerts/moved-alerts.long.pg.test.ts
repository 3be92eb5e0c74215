import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  AlertTestPortal,
  ANNA_EMAIL,
  BEHEERDER_EMAIL,
  testMinuteMs,
} from '#server/alerts/test/alert-desk.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
});
afterAll(() => d.close());
beforeEach(async () => {
  await d.reset();
  for (const table of ['own_work_week', 'work_week', 'project']) await d.pool.query(`delete from ${table}`);
  await d.pool.query(`update organization set privacy = default where name = 'klant'`);
});

/** Minutes after START, which is 14:00 on a Friday; work ends at 17:00. */
const EVENING = 200;
const YARD = { LATITUDE: 52.09, LONGITUDE: 5.12 };
/** Degrees of longitude per minute at 45 km/h. */
const DEGREES = 0.011;

/**
 * Returns a reading every 10 s of a drive from the yard at 45 km/h; `from` and `to` in minutes after START. In the minutes `tunnel` of the
 * drive the readings have no position.
 */
function drive(
  from: number,
  to: number,
  more: Signals = {},
  tunnel: readonly [number, number] = [0, 0],
): Reading[] {
  const readings: Reading[] = [];
  for (let minute = from; minute < to; minute += 1 / 6) {
    const driven = minute - from;
    const isInTunnel = driven >= tunnel[0] && driven < tunnel[1];
    const place = isInTunnel ? {} : { ...YARD, LONGITUDE: YARD.LONGITUDE + driven * DEGREES };
    readings.push({
      time: Math.round(testMinuteMs(minute)),
      signals: { ...place, Speed: 45, MotorSpeed: 0, ...more },
    });
  }
  return readings;
}
const parked = (minute: number): Reading[] => [
  { time: testMinuteMs(minute), signals: { ...YARD, MotorSpeed: 0 } },
];

const stolen = async (readings: readonly Reading[], serial: { streamId: number }) => {
  await d.desk.store(serial.streamId, parked(170));
  await d.evaluate(171);
  for (const [minute, arrived] of Map.groupBy(readings, ({ time }) =>
    Math.floor((time - testMinuteMs(0)) / 60_000),
  )) {
    await d.desk.store(serial.streamId, arrived);
    await d.evaluate(minute + 1);
    await d.notify(minute + 1.6);
  }
};

test('the list of alerts shows the present distance, speed and place of a moving machine, whenever it is requested (53.7)', async () => {
  await d.rule('moved', { severity: 'urgent' });
  const machine = await d.machine();
  const readings = drive(EVENING, EVENING + 24);
  await stolen(readings.slice(0, 60), machine);
  expect((await d.alerts()).map(({ words }) => words)).toEqual([
    expect.stringMatching(/^7,\d km verplaatst, wordt vervoerd, 45 km\/u, .*(?:Utrecht|Zeist)/),
  ]);
  await d.desk.store(machine.streamId, readings.slice(60));
  await d.evaluate(EVENING + 25);
  expect((await d.alerts())[0]?.words).toMatch(/^1[78],\d km verplaatst, wordt vervoerd, 45 km\/u, /);
  const { rows } = await d.pool.query('select data::text as words from alert');
  expect(rows[0].words).not.toContain('km/u');
});

test('a theft is mailed within a minute, in a mail of its own, and once more at 1 km and at 10 km, with the place and a link to the map (53.7)', async () => {
  await d.rule('moved', { severity: 'urgent' });
  await d.rule('low');
  const machine = await d.machine();
  const beside = { LONGITUDE: YARD.LONGITUDE + 0.006, LATITUDE: YARD.LATITUDE, Speed: 0 };
  await stolen(drive(EVENING, EVENING + 5, { Soc1: 10, ...beside }), machine);
  await stolen(drive(EVENING + 5, EVENING + 25, { Soc1: 10 }), machine);
  const mails = (await d.mails()).filter(({ subject }) => subject.includes('werktijd'));
  const name = `Dringend: Bewoog buiten werktijd: ${machine.alias} (#${machine.serial})`;
  expect(mails.map(({ subject }) => subject)).toEqual([
    name,
    // The header is folded after its 78th character.
    expect.stringContaining(`${name} is nu meer dan 1`),
    expect.stringContaining(`${name} is nu meer dan 10`),
  ]);
  expect(mails[0]?.text).toMatch(/^\d{3} m verplaatst, staat stil, in Utrecht, sinds/);
  expect(mails.at(-1)?.text).toMatch(/1\d,\d km verplaatst, wordt vervoerd, 45 km\/u, .+, sinds/);
  expect(mails.at(-1)?.text).toContain(`https://portaal.nl/?machine=${machine.serial}`);
});

test('a theft through a tunnel remains one alert, whose text says where the machine was last seen (53.7)', async () => {
  await d.rule('moved', { severity: 'urgent' });
  const machine = await d.machine();
  await stolen(drive(EVENING, EVENING + 14, {}, [4, 99]), machine);
  expect((await d.alerts())[0]?.words).toMatch(/^\d,\d km verplaatst, om 17:2[34] nog /);
  await stolen([], machine);
  const out = drive(EVENING, EVENING + 20, {}, [4, 14]).slice(14 * 6);
  await d.desk.store(machine.streamId, out);
  await d.evaluate(EVENING + 21);
  expect(await d.recorded(machine.streamId)).toHaveLength(1);
  expect((await d.alerts())[0]?.words).toMatch(/^1[45],\d km verplaatst, wordt vervoerd/);
});

test('an account without the right to see routes sees no distance, and gets no message that the machine went further (53.7)', async () => {
  await d.rule('moved', { severity: 'urgent', roles: ['beheerder', 'gebruiker'] });
  await d.pool.query(
    `update organization set privacy = jsonb_set(privacy::jsonb, '{routesFrom}', '"beheerder"') where name = 'klant'`,
  );
  const machine = await d.machine();
  await stolen(drive(EVENING, EVENING + 20), machine);
  expect(await d.alerts('firing', ANNA_EMAIL)).toEqual([]);
  const mails = await d.mails();
  expect(mails.filter(({ to }) => to === ANNA_EMAIL)).toEqual([]);
  expect(mails.filter(({ to }) => to === BEHEERDER_EMAIL).length).toBeGreaterThan(1);
});

test('after ten urgent alerts in a quarter of an hour, further urgent alerts are collected in one message, like alerts that are not urgent (53.7)', async () => {
  await d.rule('speeding', { severity: 'urgent' });
  const machines = [];
  for (let n = 0; n < 12; n += 1) machines.push(await d.machine());
  for (let minute = EVENING; minute < EVENING + 3; minute += 1) {
    for (const { streamId } of machines)
      await d.desk.store(streamId, [
        { time: testMinuteMs(minute), signals: { Speed: 50 } },
        { time: testMinuteMs(minute + 0.5), signals: { Speed: 50 } },
      ]);
    await d.evaluate(minute + 1);
  }
  await d.notify(EVENING + 4);
  const subjects = (await d.mails()).map(({ subject }) => subject);
  expect(subjects).toHaveLength(1);
  expect(subjects[0]).toContain('12 meldingen');
});

const NIGHT = {
  workDays: Array(7).fill({ from: '16:00', to: '01:00' }),
  nationalHolidays: false,
  ownHolidays: [],
};
const ownWeek = (by: string, target: unknown) =>
  d.call('POST', '/api/workweek/own/set', BEHEERDER_EMAIL, {
    name: 'klant',
    by,
    target: String(target),
    ...NIGHT,
  });

test('a machine with a night shift that moves during its own shift fires no alert, and the preview finds none (53.6)', async () => {
  await d.rule('moved', { severity: 'urgent' });
  const machine = await d.machine();
  expect((await ownWeek('machine', machine.serial)).status).toBe(200);
  await stolen(drive(EVENING, EVENING + 20), machine);
  expect(await d.recorded(machine.streamId)).toEqual([]);
  const { json } = await d.call<{ count: number }>('POST', '/api/alert-rule/preview', BEHEERDER_EMAIL, {
    ...{ kind: 'moved', settings: { threshold: 100 }, hours: 'always', isOwn: false },
    machines: { by: 'chosen', serials: [machine.serial] },
  });
  expect(json.count).toBe(0);
});

test('a machine whose project ends during a shift may move until that shift ends without an alert, and raises an alert after it (53.6)', async () => {
  await d.rule('moved', { severity: 'urgent' });
  const machine = await d.machine();
  const { rows } = await d.pool.query(
    `insert into project (organization_id, name, first_day, last_day) values ($1, 'Sluis', '2026-11-01', '2026-11-20') returning id`,
    [d.desk.klant],
  );
  await d.pool.query(
    `insert into assignment (stream_id, project_id, valid_from, valid_to) values ($1, $2, $3, 'infinity')`,
    [machine.streamId, rows[0].id, new Date(testMinuteMs(-60))],
  );
  expect((await ownWeek('project', rows[0].id)).status).toBe(200);
  // The project ends at midnight (minute 600), and its shift an hour later.
  await stolen(drive(590, 620), machine);
  expect(await d.recorded(machine.streamId)).toEqual([]);
  await stolen(drive(665, 680), machine);
  expect(await d.recorded(machine.streamId)).toEqual([expect.stringMatching(/^moved 66\d/)]);
});
