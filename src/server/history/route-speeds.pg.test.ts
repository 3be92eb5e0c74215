import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { Transports } from '#shared/contract/history.ts';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { Random } from '#shared/domain/test/oracle/random-machine.ts';
import { storeTestReadings } from './test/readings.ts';

/** 13:00 in Amsterdam. */
const NOW = Date.UTC(2026, 10, 18, 12);
const BEGIN = Date.UTC(2026, 10, 18, 4);
const END = NOW;

let portal: TestPortal;
let owner: number;
let cookie: string;
beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  owner = await portal.organization('klant');
  await portal.user('b@klant.nl', owner, 'beheerder');
  cookie = await portal.login('b@klant.nl');
});
afterAll(() => portal.close());

const METRES_PER_DEGREE = 111_195;

/**
 * Returns readings of a machine that drives, is carried at 50 to 90 km/h without its motor, and drives again; with
 * gaps, and readings without a speed or a position.
 */
function randomRoute(random: Random): Reading[] {
  const readings: Reading[] = [];
  let lat = 52;
  let time = BEGIN + random.whole(0, 600) * 1000;
  const go = (minutes: number, low: number, high: number, motor: number): void => {
    const until = time + minutes * 60_000;
    let speed = low;
    while (time < until) {
      const step = random.whole(0, 40) === 0 ? random.whole(200, 900) : random.whole(5, 40);
      if (random.whole(0, 4) === 0) speed = random.whole(low * 10, high * 10) / 10;
      lat += ((speed / 3.6) * Math.min(step, 60)) / METRES_PER_DEGREE;
      time += step * 1000;
      const isBackwards = random.whole(0, 9) === 0;
      const place = random.whole(0, 15) === 0 ? {} : { LATITUDE: lat, LONGITUDE: 5 };
      const speedSignal = random.whole(0, 15) === 0 ? {} : { Speed: isBackwards ? -speed : speed };
      readings.push({ time, signals: { MotorSpeed: motor, ...place, ...speedSignal } });
    }
  };
  go(60, 0, 12, 900);
  time += 20 * 60_000;
  go(40, 50, 90, 0);
  time += 70 * 60_000;
  go(60, 0, 15, 900);
  return readings;
}

type Sum = { highest: number | null; mean: number | null };

/** Computes the speeds from the readings one by one. */
function speedsOf(readings: readonly Reading[], isAsked: (time: number) => boolean): Sum {
  const known = readings.filter(
    ({ signals }) => signals.LATITUDE !== undefined && signals.Speed !== undefined,
  );
  let highest: number | null = null;
  let metres = 0;
  let seconds = 0;
  for (const [n, { time, signals }] of known.entries()) {
    if (!isAsked(time)) continue;
    const speed = Math.abs(signals.Speed as number);
    if (highest === null || speed > highest) highest = speed;
    const next = known[n + 1]?.time;
    const cached = next === undefined ? 0 : Math.min(next - time, 300_000) / 1000;
    if (speed < 1) continue;
    metres += (speed / 3.6) * cached;
    seconds += cached;
  }
  return { highest, mean: seconds === 0 ? null : (metres / seconds) * 3.6 };
}

const about = ({ highest, mean }: Sum) => ({
  highest: highest === null ? null : expect.closeTo(highest, 6),
  mean: mean === null ? null : expect.closeTo(mean, 6),
});

test.each([1, 2, 3, 4])(
  'route %i has the highest and mean speed, driven and carried, of a computation from the readings (53.34)',
  async (seed) => {
    const serial = `V-${seed}`;
    const streamId = await portal.machine(owner, { serial });
    await portal.pool.query('update ownership set valid_from = $2 where stream_id = $1', [
      streamId,
      new Date(BEGIN - 86_400_000),
    ]);
    const readings = randomRoute(new Random(seed));
    await storeTestReadings(portal.pool, streamId, readings);
    await computeUntilUpToDate(portal.pool);
    const range = `start=${new Date(BEGIN).toISOString()}&end=${new Date(END).toISOString()}`;
    const found = (
      await portal.get(`/api/influx/transports/${serial}?${range}`, cookie)
    ).json() as Transports;
    const carried = found.transports.map(({ from, to }) => [Date.parse(from), Date.parse(to)] as const);
    expect(carried.length).toBeGreaterThan(0);
    const isCarried = (time: number): boolean => carried.some(([from, to]) => from <= time && time <= to);

    const answer = (await portal.get(`/api/influx/speeds/${serial}?${range}`, cookie)).json();
    const driven = speedsOf(readings, (time) => !isCarried(time));
    const transported = speedsOf(readings, isCarried);
    expect(answer.driven).toMatchObject(about(driven));
    expect(answer.carried).toMatchObject(about(transported));
    expect(Number(answer.carried.highest)).toBeGreaterThan(Number(answer.driven.mean));
    const at = Date.parse(answer.driven.highestAt);
    expect(readings.find(({ time }) => time === at)?.signals.Speed).toBeOneOf([
      driven.highest,
      -(driven.highest as number),
    ]);
    // The graph contains every peak.
    const peaks = answer.course.map(({ kmh }: { kmh: number }) => kmh);
    expect(Math.max(...peaks)).toBe(Math.max(driven.highest ?? 0, transported.highest ?? 0));
    const times = answer.course.map(({ time }: { time: string }) => Date.parse(time));
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b));

    const report = (
      await portal.get(
        `/api/report/route?from=2026-11-18&to=2026-11-18&machines=${encodeURIComponent(JSON.stringify([serial]))}`,
        cookie,
      )
    ).json() as ReportAnswer;
    const one = (value: number | null): string => (value ?? 0).toFixed(1).replace('.', ',');
    expect(report.notes.find((note) => note.startsWith('Snelheid van'))).toContain(
      `hoogste ${one(driven.highest)} km/h, gemiddeld ${one(driven.mean)} km/h onderweg. Vervoerd: hoogste ${one(transported.highest)} km/h`,
    );
  },
);

test('speeds are unknown for a machine without positions, and refused for more than 7 days (53.34)', async () => {
  const streamId = await portal.machine(owner, { serial: 'V-0' });
  await storeTestReadings(portal.pool, streamId, [{ time: NOW - 60_000, signals: { Speed: 20 } }]);
  const none = { highest: null, highestAt: null, mean: null };
  expect((await portal.get('/api/influx/speeds/V-0', cookie)).json()).toMatchObject({
    driven: none,
    carried: none,
    course: [],
  });
  const long = await portal.get('/api/influx/speeds/V-0?start=-8d', cookie);
  expect([long.statusCode, long.json().message]).toEqual([400, 'Snelheden zijn er van hoogstens 7 dagen.']);
});

test('speeds are limited to the reader’s ownership of the machine; another organization has none (53.34)', async () => {
  const streamId = await portal.machine(owner, { serial: 'V-SOLD' });
  const drive = (from: number, speed: number): Reading[] =>
    Array.from({ length: 20 }, (_, n) => ({
      time: from + n * 10_000,
      signals: { LATITUDE: 52 + (n * speed) / 3.6 / 11_120, LONGITUDE: 5, Speed: speed, MotorSpeed: 900 },
    }));
  await storeTestReadings(portal.pool, streamId, [...drive(BEGIN, 30), ...drive(BEGIN + 3_600_000, 12)]);
  const sold = new Date(BEGIN + 1_800_000);
  const buyer = await portal.organization('koper');
  await portal.pool.query('update ownership set valid_to = $2 where stream_id = $1', [streamId, sold]);
  await portal.pool.query(
    'insert into ownership (stream_id, organization_id, valid_from) values ($1, $2, $3)',
    [streamId, buyer, sold],
  );
  await portal.user('b@koper.nl', buyer, 'beheerder');
  const theirs = await portal.get('/api/influx/speeds/V-SOLD', await portal.login('b@koper.nl'));
  expect(theirs.json().driven).toMatchObject({ highest: 12, mean: 12 });
  expect((await portal.get('/api/influx/speeds/V-SOLD', cookie)).statusCode).toBe(404);
});
