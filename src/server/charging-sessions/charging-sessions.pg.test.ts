import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { moveStream } from '#server/streams/streams.store.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import type {
  ChargingSessionView,
  MeasuredCapacity,
  SessionForecast,
} from '#shared/contract/charging-sessions.ts';
import type { DailyFigures } from '#shared/contract/day-figures.ts';
import type { FleetFigures } from '#shared/contract/fleet-figures.ts';
import { DEFAULT_PRIVACY } from '#shared/domain/privacy.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';
import { storeForecast } from './charge-forecasts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEP_MS = 3 * MINUTE;
/** Midnight in Amsterdam, in winter. */
const FIRST = Date.parse('2026-02-01T00:00:00+01:00');
/** A time on the last day; the machine has been charging since 20:00. */
const NOW = FIRST + 9 * DAY + 20 * HOUR + 45 * MINUTE;
const SOLD = FIRST + 3 * DAY + 12 * HOUR;

let portal: TestPortal;
let machine: number;
/** Session cookies by person. */
let who: Record<'seller' | 'owner' | 'viewer' | 'other' | 'administrator', string>;

/**
 * Returns the signals of a machine that works from 07:00 to 10:00 at 19 kW, and charges from 20:00 at 20 kW to 80 %,
 * then at 10 kW: the charge level of its 100 kWh battery rises by 20 percentage points an hour, then by 10.
 */
function signalsAt(time: number): Signals {
  const hour = ((time - FIRST) % DAY) / HOUR;
  const rest = { LATITUDE: 52, LONGITUDE: 5, BatteryVoltage: 400, IsCharging1: 0, ChargingCurrent: 0 };
  if (hour >= 7 && hour < 10)
    return { ...rest, MotorSpeed: 900, BatteryCurrent: 47.5, Soc1: 100 - 20 * (hour - 7) };
  if (hour < 20 || hour >= 24)
    return { ...rest, MotorSpeed: 0, BatteryCurrent: 0, Soc1: hour < 7 ? 100 : 40 };
  const charged = hour - 20;
  const percent = Number((charged < 2 ? 40 + 20 * charged : 60 + 10 * charged).toFixed(6));
  if (percent >= 100) return { ...rest, MotorSpeed: 0, BatteryCurrent: 0, Soc1: 100 };
  const amps = percent < 80 ? 50 : 25;
  return {
    ...rest,
    MotorSpeed: 0,
    BatteryCurrent: -amps,
    Soc1: percent,
    IsCharging1: 1,
    ChargingCurrent: amps,
  };
}

const readings = (from: number, to: number): Reading[] =>
  Array.from({ length: (to - from) / STEP_MS }, (_, n) => {
    const time = from + n * STEP_MS;
    return { time, signals: signalsAt(time) };
  });

const counted = () => computeUntilUpToDate(portal.pool);

async function asked<Answer>(path: string, cookie: string): Promise<Answer> {
  const answer = await portal.get(`/api/influx/${path}`, cookie);
  expect([path, answer.statusCode]).toEqual([path, 200]);
  return answer.json();
}
const sessions = (cookie: string) =>
  asked<{ sessions: ChargingSessionView[]; hasMore: boolean }>('sessions/S-1?start=-30d', cookie);
const forecast = (cookie: string) => asked<SessionForecast>('forecast/S-1', cookie);
const at = (day: number, hour: number) => new Date(FIRST + day * DAY + hour * HOUR).toISOString();

/** Sets the privacy settings of an organization. */
const decide = async (privacy: object) => {
  await portal.pool.query(`update organization set privacy = $1 where name = 'klant'`, [
    JSON.stringify({ ...DEFAULT_PRIVACY, ...privacy }),
  ]);
  await portal.untilNotified();
};

beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  // The background computation, which also stores forecasts, is stopped: only the tests store forecasts.
  await portal.portal.dayComputation.close();
  const own = await portal.organization('klant');
  const seller = await portal.organization('verkoper');
  const people = {
    seller: [seller, 'gebruiker'],
    owner: [own, 'gebruiker'],
    viewer: [own, 'kijker'],
    other: [await portal.organization('ander'), 'gebruiker'],
    administrator: [await portal.organization('admin'), 'administrator'],
  } as const;
  const cookies = Object.entries(people).map(async ([name, [organization, role]]) => {
    await portal.user(`${name}@portaal.nl`, organization, role);
    return [name, await portal.login(`${name}@portaal.nl`)];
  });
  who = Object.fromEntries(await Promise.all(cookies));
  machine = await portal.machine(own, { serial: 'S-1', batteries: [{ capacity: 110 }] });
  await portal.pool.query('delete from ownership where stream_id = $1', [machine]);
  await portal.pool.query(
    `insert into ownership (stream_id, organization_id, valid_from, valid_to)
     values ($1, $2, '-infinity', $4), ($1, $3, $4, 'infinity')`,
    [machine, seller, own, new Date(SOLD)],
  );
  await storeTestReadings(portal.pool, machine, readings(FIRST, NOW));
  await counted();
});
afterAll(() => portal.close());

describe('charging sessions (14.2k)', () => {
  test('charging sessions are listed newest first with their energy, including the one in progress (14.2k)', async () => {
    const found = await sessions(who.owner);
    expect(found.hasMore).toBe(false);
    expect(found.sessions.map(({ start }) => start)).toEqual([9, 8, 7, 6, 5, 4, 3].map((day) => at(day, 20)));
    expect(found.sessions[0]).toMatchObject({ ended: null, end: at(9, 20.7) });
    expect(found.sessions[1]).toEqual({
      start: at(8, 20),
      end: at(9, 0),
      ended: 'vol',
      charging: 4 * 3600,
      pauses: 0,
      full: 6 * 60,
      kWh: 60,
      meanKw: 15,
      highestKw: 20,
      packs: [{ number: 1, begin: 40, end: 100 }],
      place: { lat: 52, lon: 5 },
      placeName: '6 km van Nieuwegein',
      project: null,
    });
  });

  test('charging sessions before a sale are hidden from the buyer, later ones from the seller, and none from an administrator (14.2k)', async () => {
    expect((await portal.get('/api/influx/sessions/S-1', who.seller)).statusCode).toBe(404);
    expect((await portal.get('/api/influx/days/S-1?month=2026-02', who.other)).statusCode).toBe(404);
    expect((await sessions(who.administrator)).sessions).toHaveLength(10);
    const curve = (cookie: string) =>
      asked<{ points: unknown[] }>(`sessions/S-1/curve?start=${at(2, 20)}`, cookie);
    expect((await curve(who.owner)).points).toEqual([]);
    expect((await curve(who.administrator)).points).toHaveLength(60);
  });

  test('if an organization has set viewing hours, its kijkers see the place of a charging session only if the session is inside these hours (14.2k)', async () => {
    const places = async (cookie: string) =>
      (await sessions(cookie)).sessions.map(({ place }) => place?.lat ?? null).join();
    const [all, none] = [Array(7).fill(52).join(), Array(7).fill('').join()];
    await decide({ viewerHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '19:00', to: '21:00' } });
    await expect.poll(() => places(who.viewer)).toBe(all);
    await decide({ viewerHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '07:00', to: '17:00' } });
    await expect.poll(() => places(who.viewer)).toBe(none);
    expect(await places(who.owner)).toBe(all);
    await decide({ routesFrom: 'beheerder' });
    await expect.poll(() => places(who.owner)).toBe(none);
    await decide({});
    await expect.poll(() => places(who.viewer)).toBe(all);
  });

  test('a charging session has a curve of mean power per whole percent (14.2k)', async () => {
    const { points } = await asked<{ points: { percent: number; kW: number }[] }>(
      `sessions/S-1/curve?start=${at(7, 20)}`,
      who.owner,
    );
    expect(points.map(({ percent }) => percent)).toEqual(Array.from({ length: 60 }, (_, n) => 40 + n));
    for (const { percent, kW } of points) expect(kW).toBeCloseTo(percent < 80 ? 20 : 10, 6);
  });
});

test('a session and its days name the project that the machine was on (14.2k, 14.2l)', async () => {
  const { rows } = await portal.pool.query<{ id: number }>(
    `insert into project (organization_id, name, first_day) select id, 'Sluis', '2026-02-01' from organization where name = 'klant'
     returning id`,
  );
  await portal.pool.query(
    'insert into assignment (project_id, stream_id, valid_from, valid_to) values ($1, $2, $3, $4)',
    [rows[0]?.id, machine, at(5, 12), at(6, 21)],
  );
  await portal.pool.query('insert into changed_history (stream_id, from_time) values ($1, $2)', [
    machine,
    at(5, 12),
  ]);
  await counted();
  const named = (await sessions(who.owner)).sessions.map(({ project }) => project);
  expect(named).toEqual([null, null, null, 'Sluis', 'Sluis', null, null]);
  const { days } = await asked<{ days: DailyFigures[] }>('days/S-1?month=2026-02', who.owner);
  expect(days.map(({ projects }) => projects.join())).toEqual(['', '', 'Sluis', 'Sluis', '', '', '']);
  await portal.pool.query('delete from assignment');
  await portal.pool.query('insert into changed_history (stream_id, from_time) values ($1, $2)', [
    machine,
    at(5, 12),
  ]);
  await counted();
});

describe('capacity and efficiency (14.2f, 14.2g)', () => {
  test('the measured capacity and efficiency come from charges and discharges of the present owner, and are returned with the entered capacity (14.2f, 14.2g)', async () => {
    const { entered, charge, discharge, efficiency } = await asked<MeasuredCapacity>(
      'capacity/S-1',
      who.owner,
    );
    expect(entered).toBe(110);
    expect(charge).toMatchObject({ count: 6 });
    expect(charge?.middle).toBeCloseTo(100, 6);
    // Not exact: the first charge level that counts is 4 minutes after the start of the discharge, the last 4 minutes before its end.
    expect(discharge?.count).toBe(6);
    expect(discharge?.middle).toBeCloseTo(95, 0);
    expect(efficiency?.middle).toBeCloseTo(0.95, 2);
  });
});

describe('the days of a machine (14.2l) (14.2l)', () => {
  const days = (cookie: string, month = '2026-02') =>
    asked<{ days: DailyFigures[]; newest: string | null }>(`days/S-1?month=${month}`, cookie);

  test('the days show only the time in which the organization owned the machine (14.2l)', async () => {
    const found = await days(who.owner);
    expect(found.newest).toBe('2026-02-10');
    expect(found.days.map(({ date }) => date)).toEqual(
      Array.from({ length: 7 }, (_, n) => `2026-02-${String(n + 4).padStart(2, '0')}`),
    );
    expect(found.days[2]).toMatchObject({
      date: '2026-02-06',
      first: at(5, 7),
      last: at(6, 0),
      running: 3 * 3600,
      charging: 4 * 3600,
      idle: 0,
      out: 57,
      charged: 60,
      fedBack: 0,
      known: 1,
      distance: 0,
      lowest: 40,
      coverage: 1,
      isProvisional: false,
      projects: [],
    });
    // During half of the day another organization owned the machine.
    expect(found.days[0]).toMatchObject({ date: '2026-02-04', running: 0, charging: 4 * 3600 });
    expect(found.days.at(-1)).toMatchObject({ isProvisional: true });
    expect((await days(who.administrator)).days).toHaveLength(10);
    expect(await days(who.owner, '2025-12')).toEqual({ days: [], newest: '2026-02-10' });
    expect((await portal.get('/api/influx/days/S-1?month=2026-13', who.owner)).statusCode).toBe(400);
  });
});

describe('the charge forecast (14.2m) (14.2m)', () => {
  test('a forecast is stored while the machine charges, and applies until the charge level has risen 5 points (14.2m)', async () => {
    await inEachShard(portal.pool, 'delete from telemetry.charge_forecast');
    await storeForecast(portal.pool, machine, NOW);
    await storeForecast(portal.pool, machine, NOW);
    const { forecast: first, record } = await forecast(who.owner);
    // 99 % is reached at 23:54.
    expect(first).toMatchObject({ at: at(9, 20.7) });
    expect(Date.parse(first?.from ?? '')).toBeLessThanOrEqual(Date.parse(at(9, 23.9)));
    expect(Date.parse(first?.to ?? '')).toBeGreaterThanOrEqual(Date.parse(at(9, 23.9)));
    expect(record).toEqual({ start: { held: 0, of: 0 }, hourBefore: { held: 0, of: 0 } });
    const { rows } = await portal.pool.query('select percent from charge_forecast');
    expect(rows).toEqual([{ percent: expect.closeTo(54, 6) }]);
  });

  test('there is no forecast while the machine is silent, nor without enough charges of the present owner (14.2m)', async () => {
    await inEachShard(portal.pool, 'delete from telemetry.charge_forecast');
    await storeForecast(portal.pool, machine, NOW + 20 * MINUTE);
    await portal.pool.query('update ownership set valid_from = $2 where stream_id = $1 and valid_from > $3', [
      machine,
      new Date(SOLD + 2 * DAY),
      '-infinity',
    ]);
    await storeForecast(portal.pool, machine, NOW);
    expect((await forecast(who.owner)).forecast).toBeNull();
    await portal.pool.query('update ownership set valid_from = $2 where stream_id = $1 and valid_from > $3', [
      machine,
      new Date(SOLD),
      '-infinity',
    ]);
  });

  test('the forecast comes with a record of how many of the last complete charges were forecast correctly (14.2m)', async () => {
    const tell = (day: number, hour: number, from: number, to: number) =>
      portal.pool.query('insert into charge_forecast values ($1, $2, 50, $3, $4)', [
        machine,
        at(day, hour),
        at(day, from),
        at(day, to),
      ]);
    await tell(8, 20.5, 23, 23.5);
    await tell(8, 22, 23.5, 24);
    await tell(7, 20.5, 23.5, 24);
    // This charge took place while another organization owned the machine.
    await tell(2, 20.5, 23.5, 24);
    expect((await forecast(who.owner)).record).toEqual({
      start: { held: 1, of: 2 },
      hourBefore: { held: 2, of: 2 },
    });
  });
});

describe('the figures of a whole fleet (15.1g)', () => {
  const fleet = async (cookie: string) =>
    (await portal.get('/api/fleet/figures', cookie)).json<FleetFigures>();
  /** Stores a project and assigns the machine to it from noon on, as if a person did so. */
  const onProject = async (until: string) => {
    const { rows } = await portal.pool.query<{ _id: number; projectName: string }>(
      `insert into project (organization_id, name, first_day) select id, 'Kade', '2026-02-01' from organization where name = 'klant'
       returning id as "_id", name as "projectName"`,
    );
    const project = rows[0] as { _id: number; projectName: string };
    await portal.pool.query(
      'insert into assignment (project_id, stream_id, valid_from, valid_to) values ($1, $2, $3, $4)',
      [project._id, machine, at(9, 12), until],
    );
    return project;
  };
  const power = async (serial: string, cookie: string) =>
    (await asked<{ AvgPower: number | null }>(`workpower/${serial}?start=-30d`, cookie)).AvgPower;

  test('the figures of a fleet equal those of the machine’s own page, for its owner and an administrator (15.1g)', async () => {
    await inEachShard(portal.pool, 'delete from telemetry.charge_forecast');
    await storeForecast(portal.pool, machine, NOW);
    const project = await onProject('infinity');
    await portal.pool.query(
      `insert into machine_file (stream_id, kind, name, content_type, size, hash, body) values ($1, 'photo', 'x', 'image/webp', 1, 'abc', '')`,
      [machine],
    );
    for (const cookie of [who.owner, who.administrator]) {
      const { days } = await asked<{ days: DailyFigures[] }>('days/S-1?month=2026-02', cookie);
      const { running, out, coverage } = days.at(-1) as DailyFigures;
      const { from, to } = (await forecast(cookie)).forecast ?? {};
      expect([running, out, coverage, from]).toEqual([3 * 3600, 57, expect.any(Number), expect.any(String)]);
      expect(await fleet(cookie)).toEqual({
        'S-1': {
          power: await power('S-1', cookie),
          today: { running, out, coverage, driven: 0, carried: 0 },
          forecast: { from, to },
          photo: 'abc',
          project,
        },
      });
    }
    await portal.pool.query('delete from assignment');
  });

  test('if an organization has set viewing hours, its kijkers see only during these hours which project a machine is on by its position (15.1g)', async () => {
    const project = await onProject(at(9, 13));
    await portal.pool.query('insert into presence values ($1, $2, $3, $4, false, 0)', [
      machine,
      at(9, 13),
      at(10, 0),
      project._id,
    ]);
    await decide({ viewerHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '07:00', to: '18:00' } });
    await portal.pool.query('delete from assignment');
    const shownTo = async (cookie: string) => (await fleet(cookie))['S-1']?.project ?? null;
    await expect.poll(() => shownTo(who.viewer)).toBeNull();
    expect(await shownTo(who.owner)).toEqual(project);
    await decide({});
    await expect.poll(() => shownTo(who.viewer)).toEqual(project);
    await inEachShard(portal.pool, 'delete from telemetry.presence');
  });

  test('the figures of a fleet contain no machine that was sold, and none of another organization (15.1g)', async () => {
    expect(await fleet(who.seller)).toEqual({});
    expect(await fleet(who.other)).toEqual({});
  });

  test('the figures of a fleet contain no forecast for a charge that began in another ownership, or for a silent machine (15.1g)', async () => {
    const own = (from: number) =>
      portal.pool.query(
        `update ownership set valid_from = $2 where stream_id = $1 and valid_to = 'infinity'`,
        [machine, new Date(from)],
      );
    expect((await fleet(who.owner))['S-1']?.forecast).toBeDefined();
    await own(NOW - 30 * MINUTE);
    expect((await fleet(who.owner))['S-1']?.forecast).toBeUndefined();
    await own(SOLD);
    const { rows } = await portal.pool.query<{ time: Date }>('select time from latest where stream_id = $1', [
      machine,
    ]);
    const newest = (ms: number) =>
      inEachShard(portal.pool, 'update telemetry.latest set time = $2 where stream_id = $1', [
        machine,
        new Date((rows[0]?.time.getTime() ?? 0) + ms),
      ]);
    await newest(-20 * MINUTE);
    expect((await fleet(who.owner))['S-1']?.forecast).toBeUndefined();
    await newest(0);
  });

  test('the figures of a fleet begin at the present time of day 30 days ago, and are unknown when a day is not computed yet (15.1g)', async () => {
    const { rows } = await portal.pool.query<{ id: number; name: string }>(
      'select id, name from organization',
    );
    const [own, seller] = ['klant', 'verkoper'].map((one) => rows.find(({ name }) => name === one)?.id);
    const worked = await portal.machine(seller as number, { serial: 'S-2' });
    const cut = NOW - 30 * DAY;
    const work = (from: number, amps: number): Reading[] =>
      Array.from({ length: 20 }, (_, n) => ({
        time: from + n * STEP_MS,
        signals: {
          MotorSpeed: 900,
          BatteryCurrent: amps,
          BatteryVoltage: 400,
          ChargingCurrent: 0,
          IsCharging1: 0,
        },
      }));
    await moveStream(portal.pool, worked, own as number, new Date(cut + DAY - 30 * MINUTE));
    await storeTestReadings(portal.pool, worked, [
      ...work(cut - 60 * MINUTE, 100),
      ...work(cut, 25),
      ...work(cut + DAY - 3 * HOUR, 100),
      ...work(cut + DAY, 50),
    ]);
    await counted();
    const mean = await power('S-2', who.administrator);
    expect(mean).toBeCloseTo(70 / 3, 6);
    expect((await fleet(who.administrator))['S-2']).toEqual({ power: mean });
    const ofOwner = await power('S-2', who.owner);
    expect(ofOwner).toBeCloseTo(20, 6);
    expect((await fleet(who.owner))['S-2']).toEqual({ power: ofOwner });
  });
});
