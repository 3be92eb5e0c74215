import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { inEachShard } from '#server/test/shards-as-one.ts';
import type { AlertPreview } from '#shared/contract/alerts.ts';
import { evaluateTimerRule } from '#shared/domain/alerts/evaluations.ts';
import { type AlertKind, defaultSettings } from '#shared/domain/alerts/kinds.ts';
import {
  createRandomMachineHistory,
  READING_KINDS,
} from '#shared/domain/alerts/test/random-machine-history.ts';
import { evaluateReading, ongoingEpisodes, type WatchState } from '#shared/domain/alerts/watch.ts';
import { DEFAULT_WORK_WEEK, isWorkTime, shiftAt } from '#shared/domain/alerts/work-week.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { bucketsOf } from '#shared/domain/figures.ts';
import { BUCKET_MS } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { noisyReadingsOfMovement } from '#shared/domain/test/noisy-ways.ts';
import { withoutUnusedValues } from '#shared/domain/test/oracle/counting.ts';
import { chooseSeeds, Random } from '#shared/domain/test/oracle/random-machine.ts';
import { type UsualLevelChanges, usualLevelChangesOn } from '#shared/domain/usual-day.ts';
import { machineChargeAfter } from './past-machine-state.ts';
import {
  AlertTestPortal,
  ANNA_EMAIL,
  BEHEERDER_EMAIL,
  readingsDuring,
  TEST_START_MS,
  testMinuteMs,
} from './test/alert-desk.ts';

let d: AlertTestPortal;
beforeAll(async () => {
  d = await AlertTestPortal.open();
});
beforeEach(() => d.reset());
afterAll(() => d.close());

async function preview(kind: AlertKind, asked: object = {}, as = BEHEERDER_EMAIL): Promise<AlertPreview> {
  const body = {
    kind,
    settings: defaultSettings(kind),
    hours: 'always',
    machines: { by: 'all' },
    isOwn: false,
    ...asked,
  };
  const { status, json } = await d.call<AlertPreview>('POST', '/api/alert-rule/preview', as, body);
  expect([status, json]).toEqual([200, expect.anything()]);
  return json;
}

test('the preview finds the same shifts without enough charge as an evaluation of every bucket (16.2w)', async () => {
  const random = new Random(16);
  const { streamId } = await d.desk.machine();
  const minute = (day: number, clock: number) => clock - 14 * 60 - day * 24 * 60;
  // Five weeks in which the level rises and falls, the machine is silent for a while, and charges.
  const readings: Reading[] = [];
  for (let day = 37; day > 0; day -= 1) {
    let Soc1 = random.whole(60, 130);
    for (let clock = 6 * 60; clock < 18 * 60; clock += random.pick([2, 3, 4, 12])) {
      const isCharging = random.chance(0.05);
      Soc1 += isCharging ? random.whole(2, 20) : -random.whole(0, 3);
      Soc1 = Math.max(0, Math.min(100, Soc1));
      const signals = {
        Soc1,
        MotorSpeed: isCharging ? 0 : 1500,
        IsCharging: Number(isCharging),
        ChargingCurrent: isCharging ? 40 : 0,
      };
      readings.push({ time: testMinuteMs(minute(day, clock)) + random.whole(0, 50_000), signals });
    }
  }
  await d.desk.store(streamId, readings);
  await computeUntilUpToDate(d.pool);

  const levels = [...bucketsOf(readings)].map(
    ([
      time,
      {
        packs: [sums],
        runningMs,
      },
    ]) => ({
      time,
      percent: sums && sums.sumMilli / sums.count / 1000,
      runningMs,
    }),
  );
  const usual = new Map<string, UsualLevelChanges | undefined>();
  const expected: string[] = [];
  let open: number | undefined;
  for (let now = testMinuteMs(minute(10, 0)); now <= testMinuteMs(0); now += BUCKET_MS) {
    const day = amsterdamDay(now);
    if (!usual.has(day)) usual.set(day, usualLevelChangesOn(day)(levels));
    const ofDay = usual.get(day);
    const charge = machineChargeAfter(
      readings.filter(({ time }) => time >= now - 2 * BUCKET_MS && time < now),
    );
    const machineState = {
      lastSeenAt: undefined,
      week: DEFAULT_WORK_WEEK,
      plans: [],
      faults: [],
      charge: charge && { ...charge, usual: ofDay ? [ofDay] : [] },
    };
    // The preview evaluates once per bucket with readings.
    const isAsked =
      readings.some(({ time }) => time >= now - BUCKET_MS && time < now) || !shiftAt(DEFAULT_WORK_WEEK, now);
    if (!isAsked) continue;
    const [what] = evaluateTimerRule('runs-short', machineState, defaultSettings('runs-short'), now, open);
    if (what && open === undefined) open = now;
    else if (!what && open !== undefined) {
      expected.push(`${new Date(open).toISOString()} ${new Date(now).toISOString()}`);
      open = undefined;
    }
  }
  expect(expected.length).toBeGreaterThan(5);
  const { alerts, count } = await preview('runs-short');
  const found = alerts.map((alert) => `${alert.at} ${alert.until}`).reverse();
  expect(found.filter((one) => one >= (expected[0] as string))).toEqual(expected);
  expect(count).toBeGreaterThanOrEqual(expected.length);
  expect(alerts[0]?.words).toMatch(/^accu op \d+%, als gewoonlijk .* onder 20%; dienst tot 17:00$/);
});

/** Returns the alerts found by evaluating every reading in order. */
function evaluateAll(readings: readonly Reading[], kind: (typeof READING_KINDS)[number], settings: object) {
  let state: WatchState | undefined;
  const rule = { key: '', kind, settings, inWorkOnly: false, from: 0 };
  const machine = {
    rules: [rule],
    batteries: [],
    ownedSince: 0,
    isWorkTime: (ms: number) => isWorkTime(DEFAULT_WORK_WEEK, ms),
  };
  const found = readings.flatMap((reading) => {
    const next = evaluateReading(state, reading, machine);
    state = next.state;
    return next.ended;
  });
  return [...found, ...(state ? ongoingEpisodes(state) : [])].map(({ since, until }) => [
    since,
    until ?? null,
  ]);
}

test('the preview, which reads candidate ranges only, finds the same alerts of every kind as an evaluation of all readings, on random days (16.2a)', async () => {
  let all = 0;
  for (const seed of chooseSeeds([1, 2], 60)) {
    const course = createRandomMachineHistory(seed);
    const last = course.readings.at(-1)?.time ?? 0;
    // Rounds to whole minutes, so that multiples of 5 minutes stay multiples.
    const later = Math.floor((testMinuteMs(0) - last) / 60_000) * 60_000 - seed * 60_000;
    const readings = course.readings.map(({ time, signals }) => ({
      time: time + later,
      // Leaves out other names of a pack: if a reading has two names of one pack, the roll-up and the evaluation may use different ones.
      signals: Object.fromEntries(
        Object.entries(signals).filter(([name]) => !/^soc/i.test(name) || /^Soc\d$/.test(name)),
      ),
    }));
    const counting = withoutUnusedValues(readings);
    const { streamId } = await d.desk.machine();
    await d.desk.store(streamId, readings);
    for (const kind of READING_KINDS) {
      const settings = {
        ...defaultSettings(kind),
        ...(defaultSettings(kind).hold !== undefined && { hold: seed % 2 ? 0 : 7 }),
      };
      const { alerts, count, machines } = await preview(kind, { settings });
      const expected = evaluateAll(counting, kind, settings);
      const found = alerts
        .map(({ since, until }) => [Date.parse(since), until && Date.parse(until)])
        .reverse();
      expect([seed, kind, found]).toEqual([seed, kind, expected.slice(-50)]);
      expect([count, machines]).toEqual([expected.length, { looked: 1, all: 1 }]);
      all += count;
    }
    await d.reset();
  }
  expect(all).toBeGreaterThan(10);
});

test('the preview finds the same moves as an evaluation of all readings if the GPS receiver wanders (52.8)', async () => {
  let all = 0;
  for (const seed of [1, 2, 3, 4]) {
    const random = new Random(seed);
    const moves = Array.from({ length: 8 }, () => ({
      atS: random.whole(0, 96 * 3600),
      metres: random.between(-200, 200),
    })).sort((a, b) => a.atS - b.atS);
    const received = noisyReadingsOfMovement(
      { seconds: 96 * 3600, at: (s) => [moves.findLast(({ atS }) => atS <= s)?.metres ?? 0, 0] },
      { ...{ memoryS: 600, seed }, sigma: random.pick([5, 20, 30]), everyS: random.pick([60, 120, 240]) },
    );
    const later = testMinuteMs(-1) - (received.at(-1) as Reading).time;
    const readings = received
      .filter(() => random.chance(0.97))
      .map((one) => ({ ...one, time: one.time + later }));
    const { streamId } = await d.desk.machine();
    await d.desk.store(streamId, readings);
    for (const threshold of [50, 100]) {
      const { alerts, count } = await preview('moved', { settings: { threshold } });
      const found = alerts
        .map(({ since, until }) => [Date.parse(since), until && Date.parse(until)])
        .reverse();
      expect([seed, found]).toEqual([seed, evaluateAll(readings, 'moved', { threshold })]);
      all += count;
    }
    await d.reset();
  }
  expect(all).toBeGreaterThan(5);
});

/** Monday 07:00, in minutes after START. */
const SHIFT = 3_900;
const minutes = (time: string | null) => time && Math.round((Date.parse(time) - TEST_START_MS) / 60_000);
const foundBy = async (kind: AlertKind) =>
  (await preview(kind)).alerts
    .map(({ machine, since, until, words }) => [machine?.serialNumber, minutes(since), minutes(until), words])
    .reverse();

test('the preview finds the alerts that timer rules raised in a weekend (16.2b)', async () => {
  const kinds = ['silent', 'unseen', 'not-full'] as const;
  for (const kind of kinds) await d.rule(kind);
  const [gone, low] = [await d.machine(), await d.machine()];
  const hear = async (streamId: number, minute: number, percent: number) => {
    await d.desk.store(streamId, [{ time: testMinuteMs(minute), signals: { Soc1: percent } }]);
    await inEachShard(d.pool, 'update telemetry.latest set updated_at = $2 where stream_id = $1', [
      streamId,
      new Date(testMinuteMs(minute)),
    ]);
  };
  await hear(gone.streamId, 10, 90);
  await hear(low.streamId, 1_430, 40);
  for (const minute of [1_440, 1_450, 1_460]) await d.evaluateClock(minute);
  await hear(low.streamId, 2_600, 40);
  for (let minute = SHIFT - 140; minute <= SHIFT + 230; minute += 10) {
    if (minute > SHIFT - 140) await hear(low.streamId, minute - 1, minute > SHIFT ? 39 : 40);
    if (minute > SHIFT + 200) await hear(gone.streamId, minute - 1, 90);
    await d.evaluateClock(minute);
  }
  const { rows } = await d.pool.query<{ kind: string; serial: string; since: Date; until: Date | null }>(
    'select x.kind, serial, since, until from alert x join stream s on s.id = x.stream_id order by x.id',
  );
  const recordedOf = (wanted: string) =>
    rows
      .filter(({ kind }) => kind === wanted)
      .map(({ serial, since, until }) => [
        serial,
        minutes(since.toISOString()),
        until && minutes(until.toISOString()),
      ]);
  const [silent, unseen, full] = [
    await foundBy('silent'),
    await foundBy('unseen'),
    await foundBy('not-full'),
  ];
  expect(silent).toEqual([[gone.serial, 10, SHIFT + 209, 'al 1 dag niets gehoord']]);
  expect(unseen).toEqual([[gone.serial, 10, SHIFT + 209, 'al 2 dagen niets gehoord']]);
  expect(full).toEqual([[low.serial, SHIFT - 120, SHIFT, 'accu op 40%, laadt niet']]);
  for (const [n, found] of [silent, unseen, full].entries())
    expect(found.map((one) => one.slice(0, 3))).toEqual(recordedOf(kinds[n] as string));
});

test('the preview of maintenance finds when the present plans became due (16.2c)', async () => {
  const { streamId, serial } = await d.machine();
  await d.pool.query(
    `insert into maintenance_plan (stream_id, organization_id, name, every_months, last_hours, last_day)
     values ($1, $2, 'Jaarbeurt', 12, 0, '2025-11-25')`,
    [streamId, d.desk.klant],
  );
  const [found, ...others] = (await preview('maintenance')).alerts;
  expect(found).toMatchObject({
    machine: { serialNumber: serial },
    words: 'Jaarbeurt nodig op 25-11-2026',
    until: null,
  });
  // The alert begins at the end of the day that is 14 days before the due day.
  expect(found?.since).toBe('2026-11-11T23:00:00.000Z');
  expect(others).toEqual([]);
});

test('a preview stores nothing, refuses callers who may not make the rule, and reads no other organization’s machines (16.2d)', async () => {
  const { streamId } = await d.machine();
  await d.live(streamId, readingsDuring(0, 6, { Soc1: 10 }));
  const ask = (as: string, asked: object = {}) =>
    d.call<AlertPreview>('POST', '/api/alert-rule/preview', as, {
      kind: 'low',
      settings: defaultSettings('low'),
      hours: 'always',
      machines: { by: 'all' },
      isOwn: false,
      ...asked,
    });
  expect((await preview('low')).count).toBe(1);
  expect((await d.alerts('firing')).length + (await d.alerts('resolved')).length).toBe(0);
  expect((await ask(ANNA_EMAIL)).status).toBe(403);
  expect((await ask(ANNA_EMAIL, { isOwn: true })).json.count).toBe(1);
  const elsewhere = await d.desk.portal.organization('elders-2');
  await d.desk.portal.user('baas@elders-2.nl', elsewhere, 'beheerder');
  expect((await ask('baas@elders-2.nl')).json).toMatchObject({ count: 0, machines: { looked: 0, all: 0 } });
  expect((await ask('baas@elders-2.nl', { machines: { by: 'chosen', serials: ['K-1'] } })).status).toBe(400);
  expect(await ask(BEHEERDER_EMAIL, { settings: { ...defaultSettings('low'), clear: 1 } })).toMatchObject({
    status: 400,
    json: { faults: [{ field: 'settings.clear' }] },
  });
  expect((await ask(BEHEERDER_EMAIL, { hours: 'work' })).json.count).toBe(1);
});
